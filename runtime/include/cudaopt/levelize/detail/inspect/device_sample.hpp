// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// look_at(): all that is to be known of a loop before a strategy is chosen, by
/// two kernels, one copy and one wait. Four windows of the loop are sampled,
/// the first iterations are probed for conflicts, and short loops are surveyed
/// as a whole.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_DEVICE_SAMPLE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_DEVICE_SAMPLE_HPP

#include "cudaopt/levelize/detail/inspect/access_survey.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/inspect/loop_sample.hpp"
#include "cudaopt/levelize/detail/inspect/meeting_probe.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

#include <cub/block/block_scan.cuh>

namespace cudaopt::detail {

/// What one look finds.
struct loop_look {
  access_survey survey; ///< The first iterations, or all of them.
  access_totals spread; ///< The windows, if the survey is not of all.
  found_meetings meetings;
  access_window windows[sample_windows];

  bool has(access_kind kind) const {
    return (survey.totals.kinds | spread.kinds) & kind_bits(kind);
  }
  /// The accesses of the whole loop, if it is like its windows.
  index_t accesses(index_t iterations) const {
    if (iterations <= surveyed_iterations)
      return index_t(survey.totals.reads + survey.totals.stores);
    const index_t seen = most_window_iterations * sample_windows;
    return index_t(double(spread.reads + spread.stores) / double(seen) *
                   double(iterations));
  }
  /// Up to this number, all are surveyed: inspections then have less to do,
  /// and one wait less.
  static constexpr index_t surveyed_iterations = index_t(1) << 20;
};

/// Threads of a block that looks: a window's iterations are looked at together.
constexpr int look_threads = int(most_window_iterations);

/// Samples one window, by one block. Iterations whose accesses no longer fit
/// are left out.
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

/// How much of the loop one look is at.
struct look_extent {
  index_t iterations; ///< The whole loop.
  index_t surveyed;   ///< How many of the first iterations are surveyed.
  index_t probed;     ///< How many of the first iterations are probed.

  look_extent(index_t n, bool has_tables)
      : iterations(n), probed(has_tables ? std::min(n, probed_iterations) : 0) {
    surveyed = n <= loop_look::surveyed_iterations ? n : probed;
  }
  unsigned blocks() const {
    const index_t many = std::min<index_t>(
        (surveyed + look_threads - 1) / look_threads, 4 * processor_count());
    return unsigned(sample_windows +
                    std::max((probed + look_threads - 1) / look_threads, many));
  }
};

/// The first blocks take windows, the others leave names for the probe and make
/// the survey; in one kernel, so that their waits for memory overlap.
template <class Loop>
__global__ void __launch_bounds__(look_threads)
    look_at_iterations(Loop loop, const look_extent extent,
                       const __grid_constant__ location_map map,
                       probe_tables tables, loop_look *look) {
  const index_t n = extent.iterations, block = blockIdx.x;
  if (block < sample_windows) {
    const index_t size = n < look_threads ? n : look_threads;
    const index_t first = window_begin(int(block), size, n);
    sample_window_of(loop, first, size, map, look->windows[block]);
    if (extent.surveyed < n)
      count_accesses_of(loop, first + size, map, first + threadIdx.x,
                        look_threads, &look->spread);
    return;
  }
  const index_t others = index_t(gridDim.x) - sample_windows;
  const index_t i = (block - sample_windows) * look_threads + threadIdx.x;
  if (i < extent.probed)
    leave_names(loop, i, map, tables);
  survey_accesses_of(loop, extent.surveyed, map, i, others * look_threads,
                     &look->survey);
}

template <class Loop>
cudaError_t launch_look(const inspection &in, const Loop &loop,
                        const look_extent &extent, loop_look *look,
                        const probe_tables &tables) {
  look_at_iterations<<<extent.blocks(), look_threads, 0, in.memory.on()>>>(
      loop, extent, in.map, tables, look);
  if (const index_t probed = extent.probed)
    look_for_names<<<unsigned((probed + block_threads - 1) / block_threads),
                     block_threads, 0, in.memory.on()>>>(
        loop, probed, in.map, tables, &look->meetings);
  return cudaGetLastError();
}

/// Looks at parts of the loop, or at all of it if it is short. Waits for the
/// stream. status::index_out_of_range if all was surveyed and an index is.
template <class Loop>
status look_at(inspection &in, const Loop &loop, loop_look &found) {
  constexpr index_t look_words = sizeof(loop_look) / 8;
  static_assert(sizeof(loop_look) % 8 == 0, "tables follow it");
  buffer<unsigned long long> words;
  const int bits = probe_table_bits(in.iterations);
  bool has_tables = true;
  status s =
      words.allocate_filled(in.memory, look_words + (index_t(2) << bits), 0);
  if (s == status::out_of_memory) { // The probe is not worth a refusal.
    has_tables = false;
    s = words.allocate_filled(in.memory, look_words, 0);
  }
  if (s != status::ok)
    return s;
  auto *look = reinterpret_cast<loop_look *>(words.data());
  unsigned long long *tables = words.data() + look_words;
  const look_extent extent(in.iterations, has_tables);
  const stream on = in.memory.on();
  cudaError_t e =
      launch_look(in, loop, extent, look, {tables, tables + (1 << bits), bits});
  if (e == cudaSuccess)
    e = cudaMemcpyAsync(&found, look, sizeof(found), cudaMemcpyDeviceToHost,
                        on);
  if (e == cudaSuccess)
    e = cudaStreamSynchronize(on);
  words.give_back(in.memory);
  found.meetings.iterations = std::uint32_t(extent.probed);
  s = in.memory.check(e);
  return s == status::ok && extent.surveyed == in.iterations
             ? note_survey(in, found.survey)
             : s;
}

/// The number of levels, if the loop is like the parts that were looked at.
inline index_t estimated_levels(const loop_look &look, index_t iterations) {
  if (look.meetings.iterations && !look.meetings.meets)
    return 1;
  level_estimate estimate(iterations);
  for (const access_window &window : look.windows)
    estimate.add(window);
  return std::max(
      estimate.levels(),
      levels_by_chance(partners_of(look.meetings, iterations), iterations));
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_DEVICE_SAMPLE_HPP
