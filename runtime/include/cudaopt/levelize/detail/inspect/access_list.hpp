// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Numbers the accesses of a loop in its order. A read, a write and an update
/// are one access of each location of their element:
///
///   { [i, slot] -> entry },  { [i, slot] -> store } for writes and updates
///
/// An iteration's numbers begin where those of the iteration before end.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_LIST_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_LIST_HPP

#include "cudaopt/levelize/detail/inspect/inspection.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA

#include "cudaopt/levelize/detail/support/device_algorithms.hpp"

namespace cudaopt::detail {

/// The numbers of each iteration's accesses: a table of the first ones, or,
/// where all iterations have equally many, that count.
template <class Number> struct numbering {
  const Number *first = nullptr; ///< [iterations + 1]
  Number each = 0;

  CUDAOPT_HOST_DEVICE Number begin(index_t i) const {
    return first ? first[i] : Number(i) * each;
  }
};

/// The numbering of all accesses and of all stores of a loop.
template <class Number> struct access_list {
  access_summary summary;
  buffer<Number> first_entry, first_store; ///< Empty where counts are equal.

  numbering<Number> entries() const {
    return {first_entry.data(), Number(std::max<index_t>(summary.each, 0))};
  }
  numbering<Number> stores() const {
    return {first_store.data(),
            Number(std::max<index_t>(summary.stores_each, 0))};
  }
  std::size_t bytes() const {
    return first_entry.bytes() + first_store.bytes();
  }
  void give_back(scratch &to) {
    first_entry.give_back(to);
    first_store.give_back(to);
  }
};

/// Returns true if 32 bits hold every number of an access, and a location
/// together with the two bits of an access_kind.
inline bool has_narrow_numbers(const access_summary &summary,
                               const location_map &map) {
  return summary.accesses() < index_t(0xfffffff0u) &&
         map.locations <= index_t(1) << 30;
}

/// The number of bits that numbers below \p bound need.
inline int bits_below(index_t bound) {
  int bits = 0;
  while (bits < 63 && index_t(1) << bits < bound)
    ++bits;
  return bits;
}

/// The touch that counts accesses. It ignores indices, so that the compiler
/// drops their loads.
struct counting_touch {
  const location_map &map;
  std::uint64_t reads = 0, stores = 0;
  std::uint32_t kinds = 0, operations = 0;

  template <class T> CUDAOPT_HOST_DEVICE void read(const array<T> &a, index_t) {
    reads += map.span[a.number()];
    note(a.number(), access_kind::read);
  }
  template <class T>
  CUDAOPT_HOST_DEVICE void write(const array<T> &a, index_t) {
    stores += map.span[a.number()];
    note(a.number(), access_kind::write);
  }
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t, Op) {
    stores += map.span[a.number()];
    note(a.number(), access_kind::update);
    operations |= 1u << Op::id;
  }

private:
  CUDAOPT_HOST_DEVICE void note(int array, access_kind kind) {
    kinds |= 1u << ((4 * array + int(kind)) & 31);
  }
};

/// What the count kernel gathers, from zeros. Minima are kept as maxima of
/// complements, so that zero is right for them, too.
struct access_totals {
  unsigned long long reads, stores, most, not_fewest;
  unsigned long long most_stores, not_fewest_stores;
  std::uint32_t kinds, operations;

#if defined(__CUDACC__)
  /// Adds the counts of one iteration.
  __device__ void add(const counting_touch &one) {
    const unsigned long long all = one.reads + one.stores;
    const unsigned long long its_stores = one.stores;
    reads += one.reads;
    stores += its_stores;
    most = all > most ? all : most;
    not_fewest = ~all > not_fewest ? ~all : not_fewest;
    most_stores = its_stores > most_stores ? its_stores : most_stores;
    not_fewest_stores =
        ~its_stores > not_fewest_stores ? ~its_stores : not_fewest_stores;
    kinds |= one.kinds;
    operations |= one.operations;
  }
#endif
};

#if defined(__CUDACC__)
/// Adds a block's totals to those of the grid; called by one thread.
__device__ inline void add_of_block(const access_totals &block,
                                    access_totals &totals) {
  atomicAdd(&totals.reads, block.reads);
  atomicAdd(&totals.stores, block.stores);
  atomicMax(&totals.most, block.most);
  atomicMax(&totals.not_fewest, block.not_fewest);
  atomicMax(&totals.most_stores, block.most_stores);
  atomicMax(&totals.not_fewest_stores, block.not_fewest_stores);
  atomicOr(&totals.kinds, block.kinds);
  atomicOr(&totals.operations, block.operations);
}

/// Adds the totals \p some of each lane to the block's; called by all lanes.
__device__ inline void add_of_warp(access_totals some, access_totals &block) {
  some.reads = warp_sum(some.reads);
  some.stores = warp_sum(some.stores);
  some.most = warp_max(some.most);
  some.not_fewest = warp_max(some.not_fewest);
  some.most_stores = warp_max(some.most_stores);
  some.not_fewest_stores = warp_max(some.not_fewest_stores);
  some.kinds = warp_or(some.kinds);
  some.operations = warp_or(some.operations);
  if (lane_of_warp() == 0)
    add_of_block(some, block);
}

/// Adds the counts of the iterations \p thread, \p thread + \p threads, ... to
/// \p totals. Called by all threads of a block, whose sums are formed first, so
/// that few atomics go to one address.
template <class Loop>
__device__ void count_accesses_of(const Loop &loop, index_t iterations,
                                  const location_map &map, index_t thread,
                                  index_t threads, access_totals *totals) {
  __shared__ access_totals block;
  if (threadIdx.x == 0)
    block = {};
  __syncthreads();
  access_totals mine{};
  for (index_t i = thread; i < iterations; i += threads) {
    counting_touch touch{map};
    loop.slice(i, touch);
    mine.add(touch);
  }
  add_of_warp(mine, block);
  __syncthreads();
  if (threadIdx.x == 0)
    add_of_block(block, *totals);
}

template <class Loop>
__global__ void __launch_bounds__(block_threads)
    count_accesses(Loop loop, index_t iterations,
                   const __grid_constant__ location_map map,
                   access_totals *totals) {
  count_accesses_of(loop, iterations, map, grid_thread(), grid_threads(),
                    totals);
}

/// Writes each iteration's counts, and a zero for the end.
template <class Loop, class Number>
__global__ void __launch_bounds__(block_threads)
    write_counts(Loop loop, index_t iterations, location_map map,
                 Number *entries, Number *stores) {
  for (index_t i = grid_thread(); i <= iterations; i += grid_threads()) {
    counting_touch touch{map};
    if (i < iterations)
      loop.slice(i, touch);
    if (entries)
      entries[i] = Number(touch.reads + touch.stores);
    if (stores)
      stores[i] = Number(touch.stores);
  }
}

/// Keeps what the count kernel found.
inline void note_summary(inspection &work, const access_totals &found) {
  access_summary &s = work.summary;
  s.reads = index_t(found.reads);
  s.stores = index_t(found.stores);
  s.most = index_t(found.most);
  s.each = found.most == ~found.not_fewest ? s.most : -1;
  const auto most_stores = index_t(found.most_stores);
  s.stores_each =
      found.most_stores == ~found.not_fewest_stores ? most_stores : -1;
  s.kinds = found.kinds;
  s.operations = found.operations;
  work.is_summarized = true;
}

/// Gets the summary of all slices: runs them once and waits for the stream,
/// unless that has been done before.
template <class Loop>
status summarize_accesses(inspection &work, const Loop &loop,
                          access_summary &result) {
  if (work.iterations <= 0) {
    work.summary.each = work.summary.stores_each = 0;
    work.is_summarized = true;
  }
  if (!work.is_summarized) {
    buffer<access_totals> totals;
    access_totals found;
    status s = totals.allocate_filled(work.memory, 1, 0);
    if (s != status::ok)
      return s;
    const stream on = work.memory.on();
    count_accesses<<<blocks_for(count_accesses<Loop>, work.iterations),
                     block_threads, 0, on>>>(loop, work.iterations, work.map,
                                             totals.data());
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess)
      e = cudaMemcpyAsync(&found, totals.data(), sizeof(found),
                          cudaMemcpyDeviceToHost, on);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(on);
    totals.give_back(work.memory);
    if (e != cudaSuccess)
      return work.memory.check(e);
    note_summary(work, found);
  }
  result = work.summary;
  work.info.accesses = result.accesses();
  return status::ok;
}

/// Makes the tables of \p list, whose summary is known. Asynchronous.
template <class Loop, class Number>
status number_accesses(inspection &work, const Loop &loop,
                       access_list<Number> &list) {
  const index_t size = work.iterations + 1;
  const access_summary &summary = list.summary;
  if (summary.each >= 0 && summary.stores_each >= 0)
    return status::ok;
  status s = status::ok;
  if (summary.each < 0)
    s = list.first_entry.allocate(work.memory, size);
  if (s == status::ok && summary.stores_each < 0)
    s = list.first_store.allocate(work.memory, size);
  if (s != status::ok)
    return s;
  write_counts<<<blocks_for(write_counts<Loop, Number>, size), block_threads, 0,
                 work.memory.on()>>>(loop, work.iterations, work.map,
                                     list.first_entry.data(),
                                     list.first_store.data());
  s = work.memory.check(cudaGetLastError());
  if (s == status::ok && summary.each < 0)
    s = sums_before(work.memory, list.first_entry.data(), size);
  if (s == status::ok && summary.stores_each < 0)
    s = sums_before(work.memory, list.first_store.data(), size);
  return s;
}
#endif

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_LIST_HPP
