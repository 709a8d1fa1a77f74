// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs one problem with one strategy on the device and compares all its bytes
/// with the host's loop; and what strategies must say of a loop.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_RUNTIME_GPU_STRATEGY_CASE_HPP
#define CUDAOPT_TEST_RUNTIME_GPU_STRATEGY_CASE_HPP

#ifdef __NVCC__ // Slices run with loop_facts on the host alone.
#pragma nv_diag_suppress 20011, 20014
#endif

#include "../random_loop.hpp"
#include "cudaopt/levelize/detail/inspect/inspection.hpp"

#include <cstdio>
#include <map>
#include <set>
#include <string>

namespace cudaopt::test {

/// Counts what failed; the first few are told.
class report {
public:
  void expect(bool ok, const std::string &what) {
    ++Checks;
    if (ok)
      return;
    if (++Failures <= 20)
      std::printf("FAILED: %s\n", what.c_str());
  }
  void tell(const char *so_far) const {
    std::printf("%s: %ld checks, %ld failures\n", so_far, Checks, Failures);
    std::fflush(stdout);
  }
  int finish() const {
    tell("all");
    return Failures || Checks == 0;
  }

private:
  long Checks = 0, Failures = 0;
};

struct outcome {
  status answer = status::ok;
  plan_info info;
  std::vector<std::uint64_t> image; ///< Of the device, afterwards.
};

/// Inspects once and executes \p runs times.
template <strategy S, class Loop>
outcome run_with(const problem<Loop> &p, const options &wanted = {},
                 int runs = 1) {
  using strategy_type = detail::on_device<S>;
  outcome result;
  result.image = p.image;
  void *d = nullptr;
  cudaMalloc(&d, p.bytes() + 8);
  cudaMemcpy(d, p.image.data(), p.bytes(), cudaMemcpyHostToDevice);
  const Loop loop = p.at(d);
  const detail::location_map map = detail::map_locations(loop.arrays());
  {
    detail::scratch memory(wanted, nullptr);
    detail::inspection in{p.iterations, map, wanted, memory, result.info};
    std::unique_ptr<detail::plan_state> state;
    result.answer = strategy_type::inspect(in, loop, state);
    for (int k = 0; k < runs && result.answer == status::ok; ++k)
      result.answer = strategy_type::execute(
          static_cast<typename strategy_type::state &>(*state), loop,
          p.iterations, nullptr);
  }
  if (cudaDeviceSynchronize() != cudaSuccess)
    result.answer = status::cuda_error;
  cudaMemcpy(result.image.data(), d, p.bytes(), cudaMemcpyDeviceToHost);
  cudaFree(d);
  return result;
}

/// The image after \p runs executions in order on the host.
template <class Loop>
std::vector<std::uint64_t> expected_of(const problem<Loop> &p, int runs) {
  std::vector<std::uint64_t> image = p.image;
  for (int k = 0; k < runs; ++k)
    run_in_order(p.at(image.data()), p.iterations);
  return image;
}

/// The strategy must answer \p expected; the data are the loop's result or
/// untouched.
template <strategy S, class Loop>
void check_case(report &r, const problem<Loop> &p, status expected,
                const std::string &what, const options &wanted = {},
                int runs = 1) {
  const outcome o = run_with<S>(p, wanted, runs);
  const std::string name = std::string(name_of(S)) + ", " + what;
  r.expect(o.answer == expected,
           name + ": " + name_of(o.answer) + ", expected " + name_of(expected));
  r.expect(o.image == (o.answer == status::ok ? expected_of(p, runs) : p.image),
           name + ": data");
}

/// What a loop does, found on the host.
class loop_facts {
public:
  template <class Loop>
  loop_facts(const Loop &loop, index_t iterations)
      : Map(detail::map_locations(loop.arrays())) {
    index_t elements = 0;
    for (int a = 0; a < loop.arrays().count; ++a)
      elements += Map.size[a];
    AreApart = Map.has_single_spans && elements == Map.locations;
    for (Iteration = 0; Iteration < iterations; ++Iteration)
      loop.slice(Iteration, *this);
  }

  template <class T> void read(const array<T> &a, index_t j) {
    add(a.number(), j, false);
    Reads = true;
  }
  template <class T> void write(const array<T> &a, index_t j) {
    add(a.number(), j, true);
    Writes = true;
  }
  template <class T, class Op> void update(const array<T> &a, index_t j, Op) {
    add(a.number(), j, true);
    Updates = true;
  }

  bool only_writes() const { return !Reads && !Updates; }
  bool only_updates() const { return !Reads && !Writes && AreApart; }
  bool is_independent() const { return conflicts().empty(); }
  bool is_chained() const {
    std::set<index_t> seen;
    for (const auto &[location, iterations] : conflicts())
      for (index_t i : iterations)
        if (!seen.insert(i).second)
          return false;
    return true;
  }

private:
  void add(int array, index_t j, bool writes) {
    const index_t first = Map.first(array, j);
    for (index_t l = first; l < first + Map.span[array]; ++l) {
      Touching[l].insert(Iteration);
      if (writes)
        Written.insert(l);
    }
  }
  std::map<index_t, std::set<index_t>> conflicts() const {
    std::map<index_t, std::set<index_t>> result;
    for (const auto &[location, iterations] : Touching)
      if (iterations.size() > 1 && Written.count(location))
        result[location] = iterations;
    return result;
  }

  detail::location_map Map;
  index_t Iteration = 0;
  bool Reads = false, Writes = false, Updates = false, AreApart = true;
  std::map<index_t, std::set<index_t>> Touching;
  std::set<index_t> Written;
};

} // namespace cudaopt::test

#endif // CUDAOPT_TEST_RUNTIME_GPU_STRATEGY_CASE_HPP
