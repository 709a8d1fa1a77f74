// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A loop's sample (loop_sample.hpp) where only the device can run its slices.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DEVICE_SAMPLE_HPP
#define CUDAOPT_LEVELIZE_DEVICE_SAMPLE_HPP

#include "cudaopt/levelize/access_list.hpp"
#include "cudaopt/levelize/launch.hpp"
#include "cudaopt/levelize/loop_sample.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Accesses that are sampled of one iteration; more are left out.
constexpr index_t most_sampled = 32;

/// An access of a sample: its location and, as bit 0, whether it modifies.
/// Those of one iteration end with `no_access` or with its part of the table.
using sampled_access = index_t;
constexpr sampled_access no_access = -1;

struct sampling_touch {
  const location_map &map;
  sampled_access *next, *end;

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
    for (unsigned k = 0; k < map.span[number] && next < end; ++k)
      *next++ = (map.first(number, j) + index_t(k)) << 1 | index_t(modifies);
  }
};

template <class Loop>
__global__ void __launch_bounds__(block_threads)
    sample_iterations(Loop loop, index_t iterations, index_t window,
                      location_map map, index_t most, sampled_access *result) {
  const index_t all = window * sample_windows;
  for (index_t k = index_t(blockIdx.x) * blockDim.x + threadIdx.x; k < all;
       k += index_t(gridDim.x) * blockDim.x) {
    sampled_access *mine = result + k * most;
    sampling_touch touch{map, mine, mine + most};
    const index_t first = (iterations - window) * (k / window) / sample_windows;
    loop.slice(first + k % window, touch);
    if (touch.next < touch.end)
      *touch.next = no_access;
  }
}

/// The table of one window.
inline cpu::access_table table_of(const sampled_access *sample, index_t window,
                                  index_t most) {
  cpu::access_table table;
  table.begin.push_back(0);
  for (index_t i = 0; i < window; ++i) {
    for (index_t a = 0; a < most && sample[i * most + a] != no_access; ++a) {
      const sampled_access one = sample[i * most + a];
      table.location.push_back(one >> 1);
      table.traits.push_back(one & 1 ? cpu::access_traits::writes
                                     : cpu::access_traits::reads);
    }
    table.begin.push_back(table.slots());
  }
  return table;
}

/// Waits.
template <class Loop>
status estimate_on_device(inspection &in, const Loop &loop,
                          const access_summary &summary, loop_facts &facts) {
  const index_t window = sample_window(in.iterations);
  const index_t all = window * sample_windows;
  const index_t most = std::clamp<index_t>(summary.most, 1, most_sampled);
  buffer<sampled_access> samples;
  status s = samples.allocate(in.memory, all * most);
  if (s != status::ok)
    return s;
  sample_iterations<<<blocks_for(sample_iterations<Loop>, all), block_threads,
                      0, in.memory.on()>>>(loop, in.iterations, window, in.map,
                                           most, samples.data());
  s = in.memory.check(cudaPeekAtLastError());
  std::vector<sampled_access> found;
  found.resize(std::size_t(all * most));
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
  for (int w = 0; w < sample_windows; ++w)
    estimate.add(table_of(found.data() + w * window * most, window, most),
                 in.map.locations);
  facts.levels = estimate.levels();
  return status::ok;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DEVICE_SAMPLE_HPP
