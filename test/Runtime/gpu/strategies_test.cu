// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Strategies that need a property of the loop: they give the host's result bit
/// for bit, or say that the property is missing and leave the data alone.
///
///   nvcc -arch=sm_90 -O3 -std=c++17 -I runtime/include strategies_test.cu
///   ./a.out [problems of each family [small]]
///                             small: for tools that slow a device down
//===----------------------------------------------------------------------===//

#include "strategy_case.hpp"

#include "cudaopt/levelize/detail/strategies/atomic_reduction.hpp"
#include "cudaopt/levelize/detail/strategies/chains.hpp"
#include "cudaopt/levelize/detail/strategies/doall.hpp"
#include "cudaopt/levelize/detail/strategies/last_writer.hpp"
#include "cudaopt/levelize/detail/strategies/ordered_reduction.hpp"

#include <cstdlib>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

status told(bool has_property) {
  return has_property ? status::ok : status::unsupported;
}

// Every family, every strategy: the property is found exactly.
void check_families(report &r, int problems) {
  random_engine random(1);
  for (int f = 0; f < num_families; ++f)
    for (int k = 0; k < problems; ++k) {
      const index_t n = below(random, k % 8 == 0 ? 3 : 600);
      const index_t elements = 1 + below(random, k % 3 == 0 ? 5 : 3000);
      const auto p = make_table_problem(random, family(f), n, elements);
      std::vector<std::uint64_t> copy = p.image;
      const loop_facts facts(p.at(copy.data()), n);
      const std::string what =
          std::string(name_of(family(f))) + " " + std::to_string(k);
      check_case<strategy::doall>(r, p, told(facts.is_independent()), what);
      check_case<strategy::last_writer>(r, p, told(facts.only_writes()), what,
                                        {}, 2);
      check_case<strategy::chains>(r, p, told(facts.is_chained()), what, {}, 2);
      check_case<strategy::ordered_reduction>(r, p, told(facts.only_updates()),
                                              what, {}, 2);
      check_case<strategy::atomic_reduction>(r, p, told(facts.only_updates()),
                                             what, {}, 2);
    }
}

// An index out of range is told with its first iteration; nothing changes.
template <strategy S> void check_range(report &r, family f) {
  random_engine random(2);
  for (int k = 0; k < 8; ++k) {
    auto p = make_table_problem(random, f, 500, 40);
    const table_loop host = p.at(p.image.data());
    auto *entries = const_cast<table_entry *>(host.entries);
    index_t first = -1;
    for (index_t i = 250 + k; i < p.iterations; ++i)
      if (host.begin[i] < host.begin[i + 1]) {
        entries[host.begin[i]].element = k % 2 ? -1 : 100000;
        first = first < 0 ? i : first;
        i += 100;
      }
    const outcome o = run_with<S>(p);
    const std::string name = std::string(name_of(S)) + ", out of range";
    r.expect(o.answer == status::index_out_of_range,
             name + ": " + name_of(o.answer));
    r.expect(o.info.bad_iteration == first, name + ": iteration");
    r.expect(o.image == p.image, name + ": data");
  }
}

template <class T, class Op>
void check_updates(report &r, const char *name, bool with_atomics,
                   bool is_small) {
  random_engine random(3);
  const index_t sizes[][2] = {{0, 1},       {1, 1},        {5000, 1},
                              {40000, 7},   {300000, 500}, {300000, 20000},
                              {2000, 90000}};
  for (const auto &s : sizes) {
    if (is_small && s[0] > 5000)
      continue;
    const auto p = make_update_problem<T, Op>(random, s[0], s[1]);
    const std::string what = std::string(name) + ", " + std::to_string(s[0]) +
                             " to " + std::to_string(s[1]);
    check_case<strategy::ordered_reduction>(r, p, status::ok, what, {}, 2);
    if (!with_atomics)
      continue;
    const bool exact = Op::template is_exact_in_any_order<T>;
    check_case<strategy::atomic_reduction>(
        r, p, told(exact || p.iterations == 0), what, {}, 2);
  }
}

// Where the caller does not want exact results, sums are close to them.
void check_inexact(report &r) {
  random_engine random(4);
  options wanted;
  wanted.exact = false;
  for (index_t elements : {1, 100, 50000}) {
    const auto p = make_update_problem<double, plus>(random, 200000, elements);
    const outcome o = run_with<strategy::atomic_reduction>(p, wanted);
    r.expect(o.answer == status::ok, "inexact sums");
    std::vector<std::uint64_t> expected = p.expected(), got = o.image;
    const double *e = p.at(expected.data()).x.data;
    const double *g = p.at(got.data()).x.data;
    bool close = true;
    for (index_t j = 0; j < elements; ++j)
      close &= std::abs(e[j] - g[j]) <= 1e-10 * std::abs(e[j]);
    r.expect(close, "inexact sums are close");
  }
}

/// A[w[i]] = f(i), A apart from all else.
struct scatter {
  array<std::uint32_t> x;
  const std::int32_t *w = nullptr;

  extents arrays() const { return extents_of(x); }
  void move(std::ptrdiff_t by) {
    x.data = moved(x.data, by);
    w = moved(w, by);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.write(x, w[i]);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.store(x, w[i], std::uint32_t(mix(std::uint64_t(i), 7)));
  }
};

problem<scatter> make_scatter(index_t n, index_t elements,
                              const std::vector<std::int32_t> &w) {
  problem<scatter> p;
  image_builder image;
  p.iterations = n;
  p.loop.x = {image.add<std::uint32_t>(elements), elements, 0};
  p.loop.w = image.add(w);
  p.image = image.take();
  return p;
}

// Loops that are longer than the sample: permutations, one conflict at the very
// end, one location for all.
void check_long(report &r, bool is_small) {
  const index_t n = (is_small ? 40 << 10 : 5 << 20) + 77;
  random_engine random(5);
  std::vector<std::int32_t> w(n);
  std::iota(w.begin(), w.end(), 0);
  std::shuffle(w.begin(), w.end(), random);
  auto p = make_scatter(n, n, w);
  check_case<strategy::doall>(r, p, status::ok, "permutation");
  check_case<strategy::chains>(r, p, status::ok, "permutation");
  check_case<strategy::last_writer>(r, p, status::ok, "permutation");
  w[n - 1] = w[17];
  p = make_scatter(n, n, w);
  check_case<strategy::doall>(r, p, status::unsupported, "one conflict");
  check_case<strategy::chains>(r, p, status::ok, "one conflict");
  check_case<strategy::last_writer>(r, p, status::ok, "one conflict");
  for (std::int32_t &x : w)
    x = std::int32_t(below(random, 3));
  p = make_scatter(n, 3, w);
  check_case<strategy::doall>(r, p, status::unsupported, "hot");
  check_case<strategy::last_writer>(r, p, status::ok, "hot");
}

// A budget that is too small is told.
void check_budget(report &r) {
  random_engine random(6);
  options small;
  small.max_scratch_bytes = 64;
  const auto p = make_table_problem(random, family::writes, 500, 300);
  check_case<strategy::last_writer>(r, p, status::out_of_memory, "budget",
                                    small);
  check_case<strategy::doall>(r, p, status::out_of_memory, "budget", small);
  check_case<strategy::chains>(r, p, status::out_of_memory, "budget", small);
  const auto q = make_table_problem(random, family::updates, 500, 300);
  check_case<strategy::ordered_reduction>(r, q, status::out_of_memory, "budget",
                                          small);
}

} // namespace

int main(int argc, char **argv) {
  const int problems = argc > 1 ? std::atoi(argv[1]) : 20;
  const bool is_small = argc > 2;
  report r;
  check_families(r, problems);
  check_range<strategy::doall>(r, family::independent);
  check_range<strategy::last_writer>(r, family::writes);
  check_range<strategy::chains>(r, family::chains);
  check_range<strategy::ordered_reduction>(r, family::updates);
  check_range<strategy::atomic_reduction>(r, family::updates);
  check_updates<double, plus>(r, "double +", true, is_small);
  check_updates<float, multiplies>(r, "float *", true, is_small);
  check_updates<double, minimum>(r, "double min", true, is_small);
  check_updates<std::int64_t, plus>(r, "long +", true, is_small);
  check_updates<std::int32_t, maximum>(r, "int max", true, is_small);
  check_updates<std::uint16_t, minimum>(r, "short min", true, is_small);
  check_updates<std::int8_t, bit_xor>(r, "byte ^", false, is_small);
  check_updates<std::uint32_t, multiplies>(r, "unsigned *", true, is_small);
  check_inexact(r);
  check_long(r, is_small);
  check_budget(r);
  return r.finish();
}
