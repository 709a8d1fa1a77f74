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
  access_totals totals;
  found_meetings meetings;
  access_window windows[sample_windows];
};

/// A block for each window. Those of its iterations that fit are kept.
template <class Loop>
__global__ void __launch_bounds__(block_threads)
    sample_iterations(Loop loop, index_t iterations, index_t size,
                      const __grid_constant__ location_map map,
                      access_window *windows) {
  using scan = cub::BlockScan<unsigned, block_threads>;
  __shared__ typename scan::TempStorage storage;
  access_window &window = windows[blockIdx.x];
  const index_t first = window_begin(int(blockIdx.x), size, iterations);
  unsigned used = 0, kept = 0; // Accesses and iterations.
  for (index_t base = 0; base < size && used <= most_window_accesses;
       base += block_threads) {
    const bool exists = base + threadIdx.x < size;
    const index_t i = first + base + threadIdx.x;
    sampling_touch count{map};
    if (exists)
      loop.slice(i, count);
    unsigned begin = 0, sum = 0;
    scan(storage).ExclusiveSum(count.kept(), begin, sum);
    begin += used;
    const bool fits = exists && begin + count.kept() <= most_window_accesses;
    if (fits) {
      sampling_touch touch{map, window.items + begin,
                           window.items + begin + count.kept()};
      loop.slice(i, touch);
      atomicMax(&window.accesses, begin + count.kept());
    }
    kept += unsigned(__syncthreads_count(fits));
    used += sum;
  }
  if (threadIdx.x == 0)
    window.iterations = kept;
}

/// Looks at the loop, and keeps its summary in \p in. Waits.
template <class Loop>
status look_at(inspection &in, const Loop &loop, loop_look &found) {
  buffer<loop_look> look;
  buffer<unsigned long long> tables;
  status s = look.allocate_filled(in.memory, 1, 0);
  if (s == status::ok)
    s = tables.allocate_filled(in.memory, 2 * probe_table_size, 0);
  if (s != status::ok && s != status::out_of_memory)
    return s;
  if (!look.data())
    return s;
  const stream on = in.memory.on();
  loop_look *there = look.data();
  count_accesses<<<blocks_for(count_accesses<Loop>, in.iterations),
                   block_threads, 0, on>>>(loop, in.iterations, in.map,
                                           &there->totals);
  sample_iterations<<<sample_windows, block_threads, 0, on>>>(
      loop, in.iterations, sample_window(in.iterations), in.map,
      there->windows);
  if (tables.data()) // The probe is not worth a refusal.
    probe_meetings(in, loop, tables.data(), &there->meetings);
  s = in.memory.check(cudaGetLastError());
  if (s == status::ok)
    s = in.memory.check(cudaMemcpyAsync(&found, there, sizeof(found),
                                        cudaMemcpyDeviceToHost, on));
  if (s == status::ok)
    s = in.memory.check(cudaStreamSynchronize(on));
  look.give_back(in.memory);
  tables.give_back(in.memory);
  if (s == status::ok)
    note_summary(in, found.totals);
  return s;
}

inline index_t estimated_levels(const loop_look &look, index_t iterations) {
  level_estimate estimate(iterations);
  for (const access_window &window : look.windows)
    estimate.add(window);
  return estimate.levels();
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DEVICE_SAMPLE_HPP
