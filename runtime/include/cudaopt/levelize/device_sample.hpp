// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A loop's sample (loop_sample.hpp) where only the device can run its slices.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DEVICE_SAMPLE_HPP
#define CUDAOPT_LEVELIZE_DEVICE_SAMPLE_HPP

#include "cudaopt/levelize/inspection.hpp"
#include "cudaopt/levelize/launch.hpp"
#include "cudaopt/levelize/loop_sample.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Accesses of one sampled iteration; more are left out.
constexpr int sampled_accesses = 32;
struct sampled_iteration {
  index_t locations[sampled_accesses];
  std::uint32_t modifies; ///< A bit for each.
  int count;
};

struct sampling_touch {
  const location_map &map;
  sampled_iteration &result;

  template <class T>
  CUDAOPT_HOST_DEVICE void read(const array<T> &a, index_t j) {
    add(a.number, j, false);
  }
  template <class T>
  CUDAOPT_HOST_DEVICE void write(const array<T> &a, index_t j) {
    add(a.number, j, true);
  }
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op) {
    add(a.number, j, true);
  }

private:
  CUDAOPT_HOST_DEVICE void add(int number, index_t j, bool modifies) {
    if (!map.contains(number, j))
      return;
    for (unsigned k = 0; k < map.span[number]; ++k) {
      if (result.count == sampled_accesses)
        return;
      result.locations[result.count] = map.first(number, j) + index_t(k);
      result.modifies |= std::uint32_t(modifies) << result.count;
      ++result.count;
    }
  }
};

template <class Loop>
__global__ void __launch_bounds__(block_threads)
    sample_iterations(Loop loop, index_t iterations, index_t window,
                      location_map map, sampled_iteration *result) {
  const index_t all = window * sample_windows;
  for (index_t k = index_t(blockIdx.x) * blockDim.x + threadIdx.x; k < all;
       k += index_t(gridDim.x) * blockDim.x) {
    sampled_iteration &mine = result[k];
    mine.count = 0;
    mine.modifies = 0;
    sampling_touch touch{map, mine};
    const index_t first = (iterations - window) * (k / window) / sample_windows;
    loop.slice(first + k % window, touch);
  }
}

/// Waits.
template <class Loop>
status estimate_on_device(inspection &in, const Loop &loop, loop_facts &facts) {
  const index_t window = sample_window(in.iterations);
  const index_t all = window * sample_windows;
  buffer<sampled_iteration> samples;
  status s = samples.allocate(in.memory, all);
  if (s != status::ok)
    return s;
  sample_iterations<<<blocks_for(sample_iterations<Loop>, all), block_threads,
                      0, in.memory.on()>>>(loop, in.iterations, window, in.map,
                                           samples.data());
  s = in.memory.check(cudaPeekAtLastError());
  std::vector<sampled_iteration> found;
  found.resize(std::size_t(all));
  if (s == status::ok)
    s = in.memory.check(cudaMemcpyAsync(found.data(), samples.data(),
                                        samples.bytes(), cudaMemcpyDeviceToHost,
                                        in.memory.on()));
  if (s == status::ok)
    s = in.memory.check(cudaStreamSynchronize(in.memory.on()));
  samples.give_back(in.memory);
  if (s != status::ok)
    return s;
  level_estimate estimate(in.iterations);
  for (int w = 0; w < sample_windows; ++w) {
    cpu::access_table table;
    table.begin.push_back(0);
    for (index_t k = w * window; k < (w + 1) * window; ++k) {
      const sampled_iteration &one = found[std::size_t(k)];
      for (int a = 0; a < one.count; ++a) {
        table.location.push_back(one.locations[a]);
        table.traits.push_back(one.modifies >> a & 1
                                   ? cpu::access_traits::writes
                                   : cpu::access_traits::reads);
      }
      table.begin.push_back(table.slots());
    }
    estimate.add(table, in.map.locations);
  }
  facts.levels = estimate.levels();
  return status::ok;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DEVICE_SAMPLE_HPP
