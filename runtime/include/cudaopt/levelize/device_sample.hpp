// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// All that is to be known of a loop before a strategy is chosen, by one look:
/// a few kernels, one copy, one wait.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DEVICE_SAMPLE_HPP
#define CUDAOPT_LEVELIZE_DEVICE_SAMPLE_HPP

#include "cudaopt/levelize/access_list.hpp"
#include "cudaopt/levelize/loop_sample.hpp"
#include "cudaopt/levelize/meeting_probe.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

#include <cub/block/block_scan.cuh>

namespace cudaopt::detail {

struct loop_look {
  access_totals first;  ///< Of the iterations that are probed,
  access_totals spread; ///< of those of all windows.
  found_meetings meetings;
  access_window windows[sample_windows];

  bool has(access_kind kind) const {
    return (first.kinds | spread.kinds) & kind_bits(kind);
  }
  /// Of the whole loop, if it is like its windows.
  index_t accesses(index_t iterations) const {
    const index_t seen =
        std::min(iterations, most_window_iterations) * sample_windows;
    return index_t(double(spread.reads + spread.stores) / double(seen) *
                   double(iterations));
  }
};

/// Threads of a block that looks: a window's iterations are looked at together.
constexpr int look_threads = int(most_window_iterations);

/// By one block. Those of the window's iterations that fit are kept.
template <class Loop>
__device__ void sample_window_of(const Loop &loop, index_t first, index_t size,
                                 const location_map &map,
                                 access_window &window) {
  using scan = cub::BlockScan<unsigned, look_threads>;
  __shared__ typename scan::TempStorage storage;
  const bool exists = threadIdx.x < size;
  const index_t i = first + threadIdx.x;
  sampling_touch count{map};
  if (exists)
    loop.slice(i, count);
  unsigned begin = 0;
  scan(storage).ExclusiveSum(count.kept(), begin);
  const unsigned end = begin + count.kept();
  const bool fits = exists && end <= most_window_accesses;
  if (fits && end > begin) {
    sampling_touch touch{map, window.items + begin, window.items + end};
    loop.slice(i, touch);
    atomicMax(&window.accesses, end);
  }
  const int kept = __syncthreads_count(fits);
  if (threadIdx.x == 0)
    window.iterations = unsigned(kept);
}

/// The first blocks take windows, the others leave names for the probe: what
/// each of them waits for, they wait for together.
template <class Loop>
__global__ void __launch_bounds__(look_threads)
    look_at_iterations(Loop loop, index_t iterations,
                       const __grid_constant__ location_map map,
                       probe_tables tables, index_t probed, loop_look *look) {
  const index_t block = blockIdx.x;
  if (block < sample_windows) {
    const index_t size = iterations < look_threads ? iterations : look_threads;
    const index_t first = window_begin(int(block), size, iterations);
    sample_window_of(loop, first, size, map, look->windows[block]);
    count_accesses_of(loop, first + size, map, first + threadIdx.x,
                      look_threads, &look->spread);
    return;
  }
  const index_t i = (block - sample_windows) * look_threads + threadIdx.x;
  if (i < probed)
    leave_names(loop, i, map, tables);
  count_accesses_of(loop, probed, map, i, probed, &look->first);
}

template <class Loop>
cudaError_t launch_look(const inspection &in, const Loop &loop,
                        unsigned long long *tables, index_t probed,
                        loop_look *look) {
  const probe_tables both{tables, tables + probe_table_size};
  const index_t blocks =
      sample_windows + (probed + look_threads - 1) / look_threads;
  look_at_iterations<<<unsigned(blocks), look_threads, 0, in.memory.on()>>>(
      loop, in.iterations, in.map, both, probed, look);
  if (probed)
    look_for_names<<<unsigned((probed + block_threads - 1) / block_threads),
                     block_threads, 0, in.memory.on()>>>(loop, probed, in.map,
                                                         both, &look->meetings);
  return cudaGetLastError();
}

/// Looks at parts of the loop. Waits.
template <class Loop>
status look_at(inspection &in, const Loop &loop, loop_look &found) {
  buffer<loop_look> look;
  buffer<unsigned long long> tables;
  status s = look.allocate_filled(in.memory, 1, 0);
  if (s == status::ok) // The probe is not worth a refusal.
    s = tables.allocate_filled(in.memory, 2 * probe_table_size, 0);
  if (!look.data() || (s != status::ok && s != status::out_of_memory))
    return s;
  const index_t probed =
      tables.data() ? std::min(in.iterations, probed_iterations) : 0;
  const stream on = in.memory.on();
  cudaError_t e = launch_look(in, loop, tables.data(), probed, look.data());
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(&found, look.data(), sizeof(found),
                        cudaMemcpyDeviceToHost, on);
  if (e == cudaSuccess)
    e = cudaStreamSynchronize(on);
  look.give_back(in.memory);
  tables.give_back(in.memory);
  found.meetings.iterations = std::uint32_t(probed);
  return in.memory.check(e);
}

inline index_t estimated_levels(const loop_look &look, index_t iterations) {
  if (look.meetings.iterations && !look.meetings.meets)
    return 1;
  level_estimate estimate(iterations);
  for (const access_window &window : look.windows)
    estimate.add(window);
  return std::max(estimate.levels(),
                  index_t(levels_by_chance(look.meetings, iterations)));
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DEVICE_SAMPLE_HPP
