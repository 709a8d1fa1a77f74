// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A survey: what several inspections look for in all slices, found by one
/// pass. Counts, kinds, updates and indices out of range.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_SURVEY_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_SURVEY_HPP

#include "cudaopt/levelize/detail/inspect/access_list.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/inspect/update_facts.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The survey of some iterations, gathered from zeros.
struct access_survey {
  access_totals totals;
  update_facts updates;
  unsigned long long not_bad; ///< The complement of the first bad iteration.
  std::uint32_t is_cut;       ///< Not 0: not all accesses were examined.
  std::uint32_t unused;
};

/// The touch of a survey: the first accesses of an iteration are examined, the
/// rest is only counted.
struct surveying_touch {
  counting_touch counts;
  examining_touch updates;
  std::uint64_t seen = 0;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    counts.read(a, j);
    if (seen++ < most_looked_at)
      updates.read(a, j);
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    counts.write(a, j);
    if (seen++ < most_looked_at)
      updates.write(a, j);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op op) {
    counts.update(a, j, op);
    if (seen++ < most_looked_at)
      updates.update(a, j, op);
  }
};

/// Adds the iterations \p thread, \p thread + \p threads, ... to \p survey.
/// Called by all threads of a block, whose sums are formed first.
template <class Loop>
__device__ void survey_accesses_of(const Loop &loop, index_t iterations,
                                   const location_map &map, index_t thread,
                                   index_t threads, access_survey *survey) {
  __shared__ access_survey block;
  if (threadIdx.x == 0)
    block = access_survey{};
  __syncthreads();
  access_survey mine{};
  for (index_t i = thread; i < iterations; i += threads) {
    surveying_touch touch{{map}, {map, mine.updates}};
    loop.slice(i, touch);
    mine.totals.add(touch.counts);
    if (touch.updates.is_bad && mine.not_bad == 0)
      mine.not_bad = ~static_cast<unsigned long long>(i);
    mine.is_cut |= touch.seen > most_looked_at;
  }
  add_of_warp(mine.totals, block.totals);
  add_of_warp(mine.updates, block.updates);
  if (mine.not_bad)
    atomicMax(&block.not_bad, mine.not_bad);
  if (mine.is_cut)
    atomicOr(&block.is_cut, 1u);
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  add_of_block(block.totals, survey->totals);
  add_of_block(block.updates, survey->updates);
  if (block.not_bad)
    atomicMax(&survey->not_bad, block.not_bad);
  if (block.is_cut)
    store_relaxed(&survey->is_cut, 1u);
}

/// Keeps what a survey of all iterations found, so that no inspection needs to
/// look again.
inline status note_survey(inspection &in, const access_survey &found) {
  if (found.is_cut) { // The strategy's inspection checks the indices.
    note_summary(in, found.totals);
    return status::ok;
  }
  if (found.not_bad) {
    in.info.bad_iteration = index_t(~found.not_bad);
    return status::index_out_of_range;
  }
  note_summary(in, found.totals);
  in.updates = found.updates;
  in.is_examined = true;
  return status::ok;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_SURVEY_HPP
