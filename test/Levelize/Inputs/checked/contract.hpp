// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a rewritten loop promises the runtime, checked one by one. Every check
/// leaves the memory as it was at last, and returns what is broken, or null.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_LEVELIZE_CONTRACT_HPP
#define CUDAOPT_TEST_LEVELIZE_CONTRACT_HPP

#include "access_trace.hpp"
#include "regions.hpp"

#include <map>

namespace cudaopt::checked {

/// Numbers that look random, the same in every run.
class random_numbers {
public:
  explicit random_numbers(std::uint64_t seed) : State(seed * 2 + 1) {}
  std::size_t below(std::size_t n) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    return std::size_t(State >> 33) % n;
  }

private:
  std::uint64_t State;
};

class contract {
public:
  contract(const any_loop &loop, index_t iterations,
           std::initializer_list<memory_use> uses)
      : Loop(loop), Iterations(iterations), Elements(loop.arrays()),
        Regions(loop, uses), Before(Regions.contents()) {}
  ~contract() { Regions.restore(IsKept ? After : Before); }
  contract(const contract &) = delete;

  /// Runs the loop in order; result() are its values.
  const char *check_slices() {
    find_slices();
    for (index_t i = 0; i < Iterations; ++i)
      if (const char *broken = check_iteration(i))
        return broken;
    After = Regions.contents();
    Regions.restore(Before);
    return nullptr;
  }
  /// Every order of iterations that the slices allow gives the same.
  const char *check_order(random_numbers &random) {
    if (Loop.is_self_indexing)
      return nullptr; // The slices depend on what ran before.
    find_dependences();
    std::size_t edges = 0;
    for (const auto &of : Waits)
      edges += of.size();
    if (Loop.is_independent && edges)
      return "iterations of an independent loop meet";
    plain_memory memory(Elements);
    for (index_t i : random_order(random))
      Loop.body(i, memory);
    return compare("slices miss an access: another order has another result");
  }
  /// The loop needs nothing but what it declared.
  const char *check_extents() {
    bytes found;
    {
      const relocation copies(Regions);
      const auto moved = Loop.moved(copies);
      const elements there(moved->arrays());
      plain_memory memory(there);
      for (index_t i = 0; i < Iterations; ++i)
        moved->body(i, memory);
      found = copies.contents();
    }
    return found == After ? nullptr
                          : "the loop uses memory that it did not declare";
  }
  /// The memory will be what the loop makes of it.
  void keep_result() { IsKept = true; }
  /// For one who ran the loop otherwise.
  const char *compare(const char *broken) {
    const bool same = Regions.contents() == After;
    Regions.restore(Before);
    return same ? nullptr : broken;
  }

private:
  void find_slices() {
    Slices.assign(std::size_t(Iterations), {});
    for (index_t i = 0; i < Iterations; ++i) {
      slice_trace touch(Elements, Slices[std::size_t(i)]);
      Loop.slice(i, touch);
    }
  }

  const char *check_iteration(index_t i) {
    trace sliced, done;
    slice_trace touch(Elements, sliced);
    Loop.slice(i, touch);
    for (const access &a : sliced)
      if (!Elements.contains(a.array, a.element))
        return "an element is outside of its array";
    if (!Loop.is_self_indexing && sliced != Slices[std::size_t(i)])
      return "a slice reads what the loop writes";
    std::vector<char> loaded;
    body_trace memory(Elements, done, loaded);
    Loop.body(i, memory);
    if (done != sliced)
      return "a slice is not what its body does";
    const bytes once = Regions.contents();
    replay again(Elements, loaded);
    Loop.body(i, again);
    return Regions.contents() == once ? nullptr : "a body is not idempotent";
  }

  /// An iteration waits for all before it that it conflicts with.
  void find_dependences() {
    struct visit {
      index_t iteration;
      bool writes;
    };
    std::map<char *, std::vector<visit>> places; // A byte each.
    for (index_t i = 0; i < Iterations; ++i)
      for (const access &a : Slices[std::size_t(i)]) {
        char *place = static_cast<char *>(Elements.place(a.array, a.element));
        for (index_t b = 0; b < Elements.bytes(a.array); ++b)
          places[place + b].push_back({i, a.kind != access_kind::read});
      }
    Waits.assign(std::size_t(Iterations), {});
    for (const auto &[place, visits] : places)
      for (std::size_t k = 0; k < visits.size(); ++k)
        for (std::size_t j = 0; j < k; ++j)
          if (visits[j].iteration != visits[k].iteration &&
              (visits[j].writes || visits[k].writes))
            Waits[std::size_t(visits[k].iteration)].push_back(
                visits[j].iteration);
  }

  std::vector<index_t> random_order(random_numbers &random) const {
    std::vector<index_t> order, waiting;
    std::vector<bool> done(std::size_t(Iterations), false);
    for (index_t i = 0; i < Iterations; ++i)
      waiting.push_back(i);
    while (!waiting.empty()) {
      const std::size_t at = random.below(waiting.size());
      const index_t i = waiting[at];
      const auto &of = Waits[std::size_t(i)];
      if (std::any_of(of.begin(), of.end(),
                      [&](index_t j) { return !done[std::size_t(j)]; }))
        continue;
      waiting.erase(waiting.begin() + std::ptrdiff_t(at));
      done[std::size_t(i)] = true;
      order.push_back(i);
    }
    return order;
  }

  const any_loop &Loop;
  index_t Iterations;
  elements Elements;
  regions Regions;
  bytes Before, After;
  bool IsKept = false;
  std::vector<trace> Slices;
  std::vector<std::vector<index_t>> Waits;
};

} // namespace cudaopt::checked

#endif // CUDAOPT_TEST_LEVELIZE_CONTRACT_HPP
