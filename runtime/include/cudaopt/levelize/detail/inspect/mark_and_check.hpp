// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds out whether iterations of a loop conflict, without sorting: each write
/// leaves its iteration's number at its location, and the last one stays; then
/// each access looks whether another iteration's number is there. Of two
/// writers of one location one finds the other's number, as does a reader, so
/// that no conflict is missed. No atomics are needed.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_MARK_AND_CHECK_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_MARK_AND_CHECK_HPP

#include "cudaopt/levelize/detail/inspect/findings.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The touch that leaves marks. It keeps the first one until finish(), so that
/// the loads of several slices are in flight together. \p Single: all spans are
/// 1, so that slices without loops have no branches.
template <class Word, bool Single> struct marking_touch {
  const location_map &map;
  Word *owners;
  Word iteration = 0;
  index_t kept = -1;
  bool is_bad = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    is_bad |= !map.contains(a.number(), j);
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    if (!map.contains(a.number(), j)) {
      is_bad = true;
      return;
    }
    const index_t first = map.first(a.number(), j);
    if (Single && kept < 0) {
      kept = first;
      return;
    }
    for (unsigned k = 0; k < (Single ? 1 : map.span[a.number()]); ++k)
      store_relaxed(owners + first + k, iteration);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    write(a, j);
  }
  __device__ void finish() const {
    if (kept >= 0)
      store_relaxed(owners + kept, iteration);
  }
};

template <class Word, bool Single> struct checking_touch {
  const location_map &map;
  const Word *owners;
  index_t iteration;
  bool meets = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    const index_t first = map.first(a.number(), j);
    for (unsigned k = 0; k < (Single ? 1 : map.span[a.number()]); ++k) {
      const Word owner = owners[first + k];
      meets |= owner != Word(iteration) && owner != Word(~Word(0));
    }
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    read(a, j);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    read(a, j);
  }
};

/// The number of slices that a thread looks at together.
constexpr int slices_at_once = 4;

/// Calls `batch(i, stride, is_in)` for slices_at_once iterations i, i + stride,
/// ..., of which those with is_in() are in the loop, until it returns false.
/// Where all are, is_in() is a constant, so that the compiler drops the tests.
template <class Batch>
__device__ void for_each_batch(index_t iterations, Batch batch) {
  const index_t stride = grid_threads();
  index_t i = grid_thread();
  for (; i + (slices_at_once - 1) * stride < iterations;
       i += slices_at_once * stride)
    if (!batch(i, stride, [](index_t) { return true; }))
      return;
  if (i < iterations)
    (void)batch(i, stride, [&](index_t k) { return k < iterations; });
}

template <class Word, bool Single, class Loop>
__global__ void __launch_bounds__(block_threads)
    mark_writes(Loop loop, const __grid_constant__ location_map map,
                index_t iterations, Word *owners, findings *found,
                index_t sampled) {
  if (is_refused(found) || first_bad(found) < sampled)
    return; // The sample was enough.
  for_each_batch(iterations, [&](index_t first, index_t stride, auto is_in) {
    index_t bad = none_bad;
    marking_touch<Word, Single> touches[slices_at_once] = {
        {map, owners}, {map, owners}, {map, owners}, {map, owners}};
#pragma unroll
    for (int k = slices_at_once - 1; k >= 0; --k)
      if (const index_t i = first + k * stride; is_in(i)) {
        touches[k].iteration = Word(i);
        loop.slice(i, touches[k]);
        bad = touches[k].is_bad ? i : bad;
      }
#pragma unroll
    for (int k = 0; k < slices_at_once; ++k)
      touches[k].finish();
    if (bad != none_bad)
      note_bad(found, bad);
    return true;
  });
}

template <class Word, bool Single, class Loop>
__global__ void __launch_bounds__(block_threads)
    check_accesses(Loop loop, const __grid_constant__ location_map map,
                   index_t iterations, const Word *owners, findings *found) {
  if (first_bad(found) != none_bad)
    return; // An index out of range has no location.
  for_each_batch(iterations, [&](index_t first, index_t stride, auto is_in) {
    if (is_refused(found))
      return false;
    bool meets = false;
#pragma unroll
    for (int k = 0; k < slices_at_once; ++k)
      if (const index_t i = first + k * stride; is_in(i)) {
        checking_touch<Word, Single> touch{map, owners, i};
        loop.slice(i, touch);
        meets |= touch.meets;
      }
    if (meets)
      refuse(found);
    return true;
  });
}

/// Loops more than four times as long are tried on so many of their first
/// iterations before: those with many conflicts are given up soon.
constexpr index_t sampled_iterations = index_t(1) << 18;

template <class Word, bool Single, class Loop>
status mark_and_check_by(inspection &in, const Loop &loop) {
  buffer<Word> owners;
  findings_buffer found;
  status s = owners.allocate_filled(in.memory, in.map.locations, 0xff);
  if (s == status::ok)
    s = found.allocate(in.memory);
  if (s != status::ok)
    return s;
  auto pass = [&](index_t iterations, index_t sampled) {
    const int threads = threads_for(iterations);
    mark_writes<Word, Single>
        <<<blocks_for(mark_writes<Word, Single, Loop>, iterations, threads),
           threads, 0, in.memory.on()>>>(loop, in.map, iterations,
                                         owners.data(), found.data(), sampled);
    check_accesses<Word, Single>
        <<<blocks_for(check_accesses<Word, Single, Loop>, iterations, threads),
           threads, 0, in.memory.on()>>>(loop, in.map, iterations,
                                         owners.data(), found.data());
  };
  const bool is_sampled = in.iterations > 4 * sampled_iterations;
  if (is_sampled)
    pass(sampled_iterations, 0);
  pass(in.iterations, is_sampled ? sampled_iterations : 0);
  s = in.memory.check(cudaGetLastError());
  findings result;
  if (s == status::ok)
    s = found.judge(in, result);
  owners.give_back(in.memory);
  return s;
}

/// Returns status::ok if no two iterations conflict, status::unsupported if
/// some do, status::index_out_of_range. Waits for the stream.
template <class Loop> status mark_and_check(inspection &in, const Loop &loop) {
  if (!fits_word(in.iterations))
    return mark_and_check_by<std::uint64_t, false>(in, loop);
  return in.map.has_single_spans
             ? mark_and_check_by<std::uint32_t, true>(in, loop)
             : mark_and_check_by<std::uint32_t, false>(in, loop);
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_MARK_AND_CHECK_HPP
