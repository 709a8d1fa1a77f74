// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Strategies that work in rounds over all loops: reserve, whose slices may
/// read what the loop writes, and the paper's levels.
///
///   nvcc -arch=sm_90 -O3 -std=c++17 -I runtime/include rounds_test.cu
///   ./a.out [problems of each family]
//===----------------------------------------------------------------------===//

#include "strategy_case.hpp"

#include "cudaopt/levelize/detail/strategies/paper_levels.hpp"
#include "cudaopt/levelize/detail/strategies/reserve.hpp"

#include <cstdlib>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

options paper(double auxiliary, bool dynamic, bool pipelined) {
  options o;
  o.paper = {auxiliary, dynamic, pipelined};
  return o;
}

// Every family, with every knob of the paper.
void check_families(report &r, int problems) {
  random_engine random(1);
  for (int f = 0; f < num_families; ++f)
    for (int k = 0; k < problems; ++k) {
      const index_t n = below(random, k % 8 == 0 ? 3 : 600);
      const index_t elements = 1 + below(random, k % 3 == 0 ? 5 : 3000);
      const auto p = make_table_problem(random, family(f), n, elements);
      const std::string what =
          std::string(name_of(family(f))) + " " + std::to_string(k);
      check_case<strategy::reserve>(r, p, status::ok, what, {}, 2);
      const double auxiliary[] = {1, 0.5, 0.13, 0.001};
      check_case<strategy::paper_levels>(
          r, p, status::ok, what,
          paper(auxiliary[k % 4], k / 4 % 2, k / 8 % 2 == 0), 2);
    }
}

// More iterations than the device holds threads, several rounds.
void check_large(report &r) {
  random_engine random(2);
  for (family f : {family::mixed, family::near, family::reads_many}) {
    const bool is_near = f == family::near; // Depends on its neighbours.
    const auto p =
        make_table_problem(random, f, is_near ? 20000 : 700000, 400000);
    const std::string what = std::string("large ") + name_of(f);
    check_case<strategy::reserve>(r, p, status::ok, what);
    if (is_near)
      continue;
    check_case<strategy::paper_levels>(r, p, status::ok, what, {}, 2);
    check_case<strategy::paper_levels>(r, p, status::ok, what,
                                       paper(0.25, false, true));
  }
}

void check_self_indexing(report &r, int problems) {
  random_engine random(3);
  for (int k = 0; k < problems; ++k) {
    const auto p = make_self_indexing_problem(
        random, below(random, k % 10 == 0 ? 40000 : 300),
        1 + below(random, k % 10 == 0 ? 200000 : 400));
    check_case<strategy::reserve>(r, p, status::ok,
                                  "self-indexing " + std::to_string(k), {}, 2);
  }
}

/// Joins the sets of u[i] and v[i]: the slice follows what the loop writes.
struct join_sets {
  static constexpr bool is_self_indexing = true;
  array<std::int32_t> parent;
  const std::int32_t *u = nullptr, *v = nullptr;
  std::uint8_t *is_joined = nullptr; ///< The spanning forest.

  extents arrays() const { return extents_of(parent); }
  void move(std::ptrdiff_t by) {
    parent.data = moved(parent.data, by);
    u = moved(u, by);
    v = moved(v, by);
    is_joined = moved(is_joined, by);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE std::int32_t root(Memory &memory, std::int32_t x) const {
    for (std::int32_t p; (p = memory.load(parent, x)) != x;)
      x = p;
    return x;
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    const std::int32_t a = root(touch, u[i]), b = root(touch, v[i]);
    if (a != b)
      touch.write(parent, a < b ? b : a);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    const std::int32_t a = root(memory, u[i]), b = root(memory, v[i]);
    is_joined[i] = a != b;
    if (a != b)
      memory.store(parent, a < b ? b : a, a < b ? a : b);
  }
};

// Kruskal's forest of a random graph.
void check_forest(report &r) {
  random_engine random(4);
  const index_t vertices = 20000, edges = 60000;
  std::vector<std::int32_t> parent(vertices), u(edges), v(edges);
  std::iota(parent.begin(), parent.end(), 0);
  for (index_t i = 0; i < edges; ++i) {
    u[i] = std::int32_t(below(random, vertices));
    v[i] = std::int32_t(below(random, vertices));
  }
  problem<join_sets> p;
  image_builder image;
  p.iterations = edges;
  p.loop.parent = {const_cast<std::int32_t *>(image.add(parent)), vertices, 0};
  p.loop.u = image.add(u);
  p.loop.v = image.add(v);
  p.loop.is_joined = image.add<std::uint8_t>(edges);
  p.image = image.take();
  check_case<strategy::reserve>(r, p, status::ok, "forest");
}

// An index that the loop itself computes is out of range after others were
// written: they are put back.
void check_own_range(report &r) {
  random_engine random(5);
  auto p = make_self_indexing_problem(random, 5000, 3000);
  auto *first = const_cast<std::int32_t *>(p.at(p.image.data()).first);
  first[4000] = 3000;
  outcome o = run_with<strategy::reserve>(p);
  r.expect(o.answer == status::index_out_of_range, "own range");
  const self_indexing_loop got = p.at(o.image.data()),
                           was = p.at(p.image.data());
  r.expect(std::equal(got.x.data, got.x.data + got.x.size, was.x.data),
           "own range: data");
}

// An index out of range is told before anything runs.
template <strategy S> void check_range(report &r) {
  random_engine random(6);
  auto p = make_table_problem(random, family::mixed, 500, 40);
  const table_loop host = p.at(p.image.data());
  auto *entries = const_cast<table_entry *>(host.entries);
  index_t i = 300;
  while (host.begin[i] == host.begin[i + 1])
    ++i;
  entries[host.begin[i]].element = 40;
  const outcome o = run_with<S>(p);
  r.expect(o.answer == status::index_out_of_range &&
               o.info.bad_iteration == i && o.image == p.image,
           std::string(name_of(S)) + ", out of range");
}

/// x[i + 1] depends on x[i].
struct recurrence {
  array<std::uint64_t> x;
  extents arrays() const { return extents_of(x); }
  void move(std::ptrdiff_t by) { x.data = moved(x.data, by); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.read(x, i);
    touch.write(x, i + 1);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.store(x, i + 1, mix(memory.load(x, i), 3));
  }
};

// The paper's advice to stay with the CPU comes before anything runs.
void check_advice(report &r) {
  problem<recurrence> p;
  image_builder image;
  p.iterations = 20000;
  p.loop.x = {image.add<std::uint64_t>(p.iterations + 1), p.iterations + 1, 0};
  p.image = image.take();
  check_case<strategy::paper_levels>(r, p, status::not_profitable, "chain");
  p.iterations = 300;
  check_case<strategy::paper_levels>(r, p, status::ok, "short chain");
  check_case<strategy::reserve>(r, p, status::ok, "short chain");
}

} // namespace

int main(int argc, char **argv) {
  const int problems = argc > 1 ? std::atoi(argv[1]) : 20;
  report r;
  check_families(r, problems);
  r.tell("families");
  check_self_indexing(r, 5 * problems);
  r.tell("self-indexing");
  check_forest(r);
  r.tell("forest");
  check_own_range(r);
  check_range<strategy::reserve>(r);
  check_range<strategy::paper_levels>(r);
  check_advice(r);
  if (problems > 1)
    check_large(r);
  return r.finish();
}
