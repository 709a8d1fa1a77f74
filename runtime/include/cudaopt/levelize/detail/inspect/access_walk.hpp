// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Shows every access of a loop, with its number, to a sink on the device, and
/// finds the first iteration whose access is outside of its array.
///
///   struct sink {
///     // false: those accesses are neither computed nor checked.
///     static constexpr bool wants_reads, wants_stores;
///     __device__ void operator()(Number entry, Number store, index_t location,
///                                access_kind) const;
///   };
///
/// `entry` is the number of the access in the loop's order, `store` that of
/// stores before it. An access outside of its array is shown at location 0.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_WALK_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_WALK_HPP

#include "cudaopt/levelize/detail/inspect/access_list.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// An iteration with more accesses than this is walked by a block: all of its
/// threads run the slice, each shows a part of the accesses.
constexpr index_t long_iteration = 2048;

/// One of \p Lanes threads that run the same slice: shows those accesses whose
/// entry is congruent to the thread's.
template <class Number, class Sink, unsigned Lanes> struct walking_touch {
  const location_map &map;
  const Sink &sink;
  Number entry, store;
  unsigned turn; ///< How many accesses come before this thread's next one.
  bool is_bad = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    show<Sink::wants_reads, 0>(a.number(), j, access_kind::read);
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    show<Sink::wants_stores, 1>(a.number(), j, access_kind::write);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    show<Sink::wants_stores, 1>(a.number(), j, access_kind::update);
  }

private:
  template <bool Wanted, unsigned Stores>
  __device__ void show(int array, index_t j, access_kind kind) {
    const unsigned span = map.span[array];
    if constexpr (Wanted) {
      if (Lanes == 1 || is_mine()) {
        const bool good = map.contains(array, j);
        is_bad |= !good;
        const index_t first = good ? map.first(array, j) : 0;
        for (unsigned k = 0; k < span; ++k)
          sink(Number(entry + k), Number(store + k * Stores),
               good ? first + k : 0, kind);
      }
    }
    entry += span;
    store += span * Stores;
  }
  __device__ bool is_mine() {
    if (turn == 0) {
      turn = Lanes - 1;
      return true;
    }
    --turn;
    return false;
  }
};

/// The list to which a walk adds iterations that are too long for a thread.
struct long_iterations {
  index_t *list = nullptr;
  unsigned long long *count = nullptr;
};

template <unsigned Lanes, class Number, class Loop, class Sink>
__device__ void walk_iteration(const Loop &loop, index_t i,
                               const location_map &map, const Sink &sink,
                               Number entry, Number store,
                               unsigned long long *bad) {
  walking_touch<Number, Sink, Lanes> touch{
      map, sink, entry, store, Lanes == 1 ? 0 : threadIdx.x % Lanes};
  loop.slice(i, touch);
  if (touch.is_bad)
    atomicMin(bad, static_cast<unsigned long long>(i));
}

/// Walks all iterations, one a thread, but for those that are too long.
template <class Number, class Loop, class Sink>
__global__ void __launch_bounds__(block_threads)
    walk_all(Loop loop, index_t iterations, location_map map,
             numbering<Number> entries, numbering<Number> stores, Sink sink,
             long_iterations too_long, unsigned long long *bad) {
  for (index_t i = grid_thread(); i < iterations; i += grid_threads()) {
    const Number entry = entries.begin(i);
    if (too_long.list && index_t(entries.begin(i + 1) - entry) > long_iteration)
      too_long.list[atomicAdd(too_long.count, 1ull)] = i;
    else
      walk_iteration<1>(loop, i, map, sink, entry, stores.begin(i), bad);
  }
}

/// Walks the listed iterations, one a block.
template <class Number, class Loop, class Sink>
__global__ void __launch_bounds__(block_threads)
    walk_long(Loop loop, location_map map, numbering<Number> entries,
              numbering<Number> stores, Sink sink, long_iterations too_long,
              unsigned long long *bad) {
  const index_t count = index_t(*too_long.count);
  for (index_t k = blockIdx.x; k < count; k += gridDim.x) {
    const index_t i = too_long.list[k];
    walk_iteration<block_threads>(loop, i, map, sink, entries.begin(i),
                                  stores.begin(i), bad);
  }
}

/// The number of a row loop's accesses that a warp walks at a time.
constexpr int row_stretch = 8 * warp_lanes;

/// The last iteration of [low, high) whose accesses begin at or before
/// \p entry.
template <class Number>
__device__ index_t iteration_of(const numbering<Number> &entries, Number entry,
                                index_t low, index_t high) {
  if (!entries.first)
    return index_t(entry / entries.each);
  while (high - low > 1) {
    const index_t middle = low + (high - low) / 2;
    if (entries.first[middle] <= entry)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Walks a row loop, which can tell its k-th access without running a slice:
/// every thread has one access at a time, however long the rows are.
template <class Number, class Loop, class Sink>
__global__ void __launch_bounds__(block_threads)
    walk_rows(Loop loop, index_t iterations, index_t accesses, location_map map,
              numbering<Number> entries, Sink sink, unsigned long long *bad) {
  const index_t warps = grid_threads() / warp_lanes;
  for (index_t from = grid_thread() / warp_lanes * row_stretch; from < accesses;
       from += warps * row_stretch) {
    const index_t to =
        from + row_stretch < accesses ? from + row_stretch : accesses;
    const index_t low = iteration_of(entries, Number(from), 0, iterations);
    const index_t high =
        iteration_of(entries, Number(to - 1), low, iterations) + 1;
    for (index_t e = from + lane_of_warp(); e < to; e += warp_lanes) {
      const index_t t = iteration_of(entries, Number(e), low, high);
      const index_t row = loop.row(t);
      const index_t term = loop.begin(row) + (e - index_t(entries.begin(t)));
      const bool is_read = term < loop.end(row);
      if (!is_read && !Sink::wants_stores)
        continue;
      const index_t j = is_read ? index_t(loop.source(term)) : row;
      const bool good = map.contains(loop.x.number(), j);
      if (!good)
        atomicMin(bad, static_cast<unsigned long long>(t));
      sink(Number(e), Number(t), good ? map.first(loop.x.number(), j) : 0,
           is_read ? access_kind::read : access_kind::write);
    }
  }
}

/// Walks all iterations, in no order. \p bad is a word of the device that holds
/// ~0 or the first iteration with an index out of range that was found so far.
/// Asynchronous.
template <class Number, class Loop, class Sink>
status walk_accesses(inspection &work, const Loop &loop,
                     const access_list<Number> &list, const Sink &sink,
                     unsigned long long *bad) {
  const stream on = work.memory.on();
  const access_summary &summary = list.summary;
  if (summary.accesses() == 0)
    return status::ok;
  if constexpr (is_row_loop<Loop>::value && Sink::wants_reads) {
    walk_rows<<<blocks_for(walk_rows<Number, Loop, Sink>, summary.accesses()),
                block_threads, 0, on>>>(loop, work.iterations,
                                        summary.accesses(), work.map,
                                        list.entries(), sink, bad);
    return work.memory.check(cudaGetLastError());
  }
  buffer<index_t> long_list;
  buffer<unsigned long long> long_count;
  if (summary.most > long_iteration) {
    status s = long_list.allocate(work.memory,
                                  summary.accesses() / long_iteration + 1);
    if (s == status::ok)
      s = long_count.allocate_filled(work.memory, 1, 0);
    if (s != status::ok)
      return s;
  }
  const long_iterations too_long{long_list.data(), long_count.data()};
  walk_all<<<blocks_for(walk_all<Number, Loop, Sink>, work.iterations),
             block_threads, 0, on>>>(loop, work.iterations, work.map,
                                     list.entries(), list.stores(), sink,
                                     too_long, bad);
  if (too_long.list)
    walk_long<<<resident_blocks(walk_long<Number, Loop, Sink>), block_threads,
                0, on>>>(loop, work.map, list.entries(), list.stores(), sink,
                         too_long, bad);
  long_list.give_back(work.memory);
  long_count.give_back(work.memory);
  return work.memory.check(cudaGetLastError());
}

/// The word that walks report indices out of range to.
class bad_iteration {
public:
  status allocate(scratch &memory) {
    return word_.allocate_filled(memory, 1, 0xff);
  }
  unsigned long long *data() const { return word_.data(); }

  /// Waits for the stream; status::index_out_of_range if there is one.
  status verify(inspection &work) {
    unsigned long long found;
    const stream on = work.memory.on();
    cudaError_t e = cudaMemcpyAsync(&found, word_.data(), sizeof(found),
                                    cudaMemcpyDeviceToHost, on);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(on);
    if (e != cudaSuccess)
      return work.memory.check(e);
    word_.give_back(work.memory);
    if (found == ~0ull)
      return status::ok;
    work.info.bad_iteration = index_t(found);
    return status::index_out_of_range;
  }

private:
  buffer<unsigned long long> word_;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_WALK_HPP
