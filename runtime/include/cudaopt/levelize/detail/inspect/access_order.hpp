// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// All accesses of a loop sorted by location, those to one location in the
/// loop's order, and what each finds before and after itself in that order. An
/// index in the order is a place. Accesses of one iteration to one location are
/// a group: none of them waits for another.
///
/// Sorting is a radix sort. What comes before and after is found by two scans
/// over stretches of places and one pass, since a location may have any number
/// of accesses.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_ORDER_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_ORDER_HPP

#include "cudaopt/levelize/detail/inspect/access_walk.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// A location and the kind of an access to it, as a key. Only the location is
/// sorted by.
template <class Number> struct access_key {
  static constexpr int kind_bits = 2;
  CUDAOPT_HOST_DEVICE static Number of(index_t location, access_kind kind) {
    return Number(Number(location) << kind_bits | Number(kind));
  }
  CUDAOPT_HOST_DEVICE static Number location(Number key) {
    return key >> kind_bits;
  }
  CUDAOPT_HOST_DEVICE static bool stores(Number key) {
    return (key & ((1u << kind_bits) - 1)) != Number(access_kind::read);
  }
};

/// A sink of walk_accesses() that writes keys and numbers of all accesses.
template <class Number> struct access_sink {
  static constexpr bool wants_reads = true, wants_stores = true;
  Number *keys, *entries;
  __device__ void operator()(Number entry, Number, index_t location,
                             access_kind kind) const {
    keys[entry] = access_key<Number>::of(location, kind);
    entries[entry] = entry;
  }
};

/// One access at its place of the order.
template <class Number> struct ordered_access {
  Number key, entry, place;
  Number location_begin; ///< The first place of the location.
  Number group_begin;    ///< The first place of the group.
  /// Place + 1 of the last store to the location before the group; 0 if none.
  Number stored;
  bool is_followed;       ///< The location has a later access.
  bool is_followed_store; ///< The location has a later store.
};

/// The order, on the device.
template <class Number> struct sorted_accesses {
  const Number *keys, *entries;
  index_t count;
  numbering<Number> numbers;
  index_t iterations;
  Number most; ///< The most accesses of one iteration.

  /// Returns true if two accesses are of the same iteration.
  __device__ bool is_one_iteration(Number entry, Number later) const {
    if (later - entry >= most)
      return false;
    const index_t i = iteration_of(numbers, entry, 0, iterations);
    return later < numbers.begin(i + 1);
  }
};

/// The last places before some place, plus 1, at which a location begins, a
/// group begins, and a store is; 0 is none.
template <class Number> struct places_before {
  Number location = 0, group = 0, store = 0, store_before_group = 0;
};
/// The first places after some place at which a location begins and a store is.
template <class Number> struct places_after {
  static constexpr Number none = Number(~Number(0));
  Number location = none, store = none;
};
/// The operation of the two scans. For places_before the stretch of \p a is
/// before that of \p b; for places_after it is after it.
struct combine_places {
  template <class Number>
  __device__ places_before<Number> operator()(places_before<Number> a,
                                              places_before<Number> b) const {
    places_before<Number> r;
    r.location = b.location ? b.location : a.location;
    r.store = b.store ? b.store : a.store;
    r.group = b.group ? b.group : a.group;
    r.store_before_group = !b.group               ? a.store_before_group
                           : b.store_before_group ? b.store_before_group
                                                  : a.store;
    return r;
  }
  template <class Number>
  __device__ places_after<Number> operator()(places_after<Number> a,
                                             places_after<Number> b) const {
    return {b.location < a.location ? b.location : a.location,
            b.store < a.store ? b.store : a.store};
  }
};

/// Places are looked at by rows of 32, a lane each, and a stretch of rows by
/// one warp. Loops over rows are not unrolled: they would outgrow the
/// instruction cache.
constexpr int stretch_rows = 16;
constexpr index_t stretch_places = stretch_rows * warp_lanes;

/// A row's places at which locations begin, groups begin, and stores are, as a
/// bit for each lane.
struct row_marks {
  unsigned locations = 0, groups = 0, stores = 0;
};
template <class Number>
__device__ row_marks mark_row(const sorted_accesses<Number> &sorted,
                              index_t row) {
  const index_t place = row + lane_of_warp();
  const bool exists = place < sorted.count;
  const Number key = exists ? sorted.keys[place] : 0;
  const Number entry = exists ? sorted.entries[place] : 0;
  const bool asks = lane_of_warp() == 0 && place > 0 && exists;
  Number before = asks ? sorted.keys[place - 1] : 0;
  Number entry_before = asks ? sorted.entries[place - 1] : 0;
  const Number key_of_lane = __shfl_up_sync(~0u, key, 1);
  const Number entry_of_lane = __shfl_up_sync(~0u, entry, 1);
  if (lane_of_warp() != 0) {
    before = key_of_lane;
    entry_before = entry_of_lane;
  }
  const bool is_first = place == 0 || access_key<Number>::location(before) !=
                                          access_key<Number>::location(key);
  const bool begins_group =
      is_first || !sorted.is_one_iteration(entry_before, entry);
  return {__ballot_sync(~0u, exists && is_first),
          __ballot_sync(~0u, exists && begins_group),
          __ballot_sync(~0u, exists && access_key<Number>::stores(key))};
}

__device__ inline int highest(unsigned bits) { return 31 - __clz(int(bits)); }
__device__ inline int lowest(unsigned bits) { return __ffs(int(bits)) - 1; }

template <class Number>
__device__ void pass_row(places_before<Number> &before, index_t row,
                         row_marks m) {
  if (m.groups) {
    const int group = highest(m.groups);
    const unsigned stores = m.stores & ((1u << group) - 1);
    before.store_before_group =
        stores ? Number(row + highest(stores) + 1) : before.store;
    before.group = Number(row + group + 1);
  }
  if (m.locations)
    before.location = Number(row + highest(m.locations) + 1);
  if (m.stores)
    before.store = Number(row + highest(m.stores) + 1);
}
template <class Number>
__device__ void pass_row(places_after<Number> &after, index_t row,
                         row_marks m) {
  if (m.locations)
    after.location = Number(row + lowest(m.locations));
  if (m.stores)
    after.store = Number(row + lowest(m.stores));
}

/// Writes what each stretch contributes to the two scans. \p after is in the
/// opposite order, so that both are exclusive scans from their beginnings.
template <class Number>
__global__ void __launch_bounds__(block_threads)
    mark_stretches(sorted_accesses<Number> sorted, index_t stretches,
                   places_before<Number> *before, places_after<Number> *after) {
  const index_t warps = grid_threads() / warp_lanes;
  for (index_t s = grid_thread() / warp_lanes; s < stretches; s += warps) {
    places_before<Number> b;
    places_after<Number> a;
#pragma unroll 1
    for (int r = 0; r < stretch_rows; ++r) {
      const index_t row = s * stretch_places + r * warp_lanes;
      const row_marks m = mark_row(sorted, row);
      pass_row(b, row, m);
      places_after<Number> first;
      pass_row(first, row, m);
      a = combine_places{}(a, first);
    }
    if (lane_of_warp() == 0) {
      before[s] = b;
      after[stretches - 1 - s] = a;
    }
  }
}

/// The number of locations, and the most accesses of one.
struct order_totals {
  unsigned long long locations, longest;
};

/// Calls \p visit(ordered_access) for every access.
template <class Number, class Visit>
__global__ void __launch_bounds__(block_threads)
    visit_accesses(sorted_accesses<Number> sorted, index_t stretches,
                   const places_before<Number> *before_stretch,
                   const places_after<Number> *after_stretch, Visit visit,
                   order_totals *totals) {
  const unsigned lane = lane_of_warp();
  const unsigned up_to = ~0u >> (31 - lane), above = ~up_to;
  unsigned long long locations = 0, longest = 0;
  const index_t warps = grid_threads() / warp_lanes;
  for (index_t s = grid_thread() / warp_lanes; s < stretches; s += warps) {
    const index_t begin = s * stretch_places;
    row_marks mine; // Lane r has the marks of row r.
#pragma unroll 1
    for (int r = 0; r < stretch_rows; ++r) {
      const row_marks m = mark_row(sorted, begin + r * warp_lanes);
      if (lane == unsigned(r))
        mine = m;
    }
    auto marks = [&](int r) {
      return row_marks{__shfl_sync(~0u, mine.locations, r),
                       __shfl_sync(~0u, mine.groups, r),
                       __shfl_sync(~0u, mine.stores, r)};
    };
    unsigned followed = 0, followed_store = 0; // Bit r is for row r.
    places_after<Number> after = after_stretch[stretches - 1 - s];
#pragma unroll 1
    for (int r = stretch_rows - 1; r >= 0; --r) {
      const row_marks m = marks(r);
      const index_t row = begin + r * warp_lanes;
      places_after<Number> next = after;
      pass_row(next, row, {m.locations & above, 0, m.stores & above});
      const index_t end = next.location == places_after<Number>::none
                              ? sorted.count
                              : index_t(next.location);
      followed |= unsigned(row + lane + 1 < end) << r;
      followed_store |= unsigned(next.store < next.location) << r;
      pass_row(after, row, m);
    }
    places_before<Number> before = before_stretch[s];
#pragma unroll 1
    for (int r = 0; r < stretch_rows; ++r) {
      const row_marks m = marks(r);
      const index_t row = begin + r * warp_lanes;
      places_before<Number> here = before;
      pass_row(here, row,
               {m.locations & up_to, m.groups & up_to, m.stores & up_to});
      const index_t place = row + lane;
      if (place < sorted.count) {
        const Number first = here.location - 1, nth = Number(place) - first;
        const bool is_followed = followed >> r & 1;
        if (nth >= longest)
          longest = nth + 1ull;
        locations += nth == 0;
        visit(ordered_access<Number>{
            sorted.keys[place], sorted.entries[place], Number(place), first,
            Number(here.group - 1),
            here.store_before_group > first ? here.store_before_group
                                            : Number(0),
            is_followed, (followed_store >> r & 1) != 0});
      }
      pass_row(before, row, m);
    }
  }
  locations = warp_sum(locations);
  longest = warp_max(longest);
  if (lane == 0 && locations != 0)
    atomicAdd(&totals->locations, locations);
  if (lane == 0)
    atomicMax(&totals->longest, longest);
}

/// A scatter stays in the L2 cache if it writes to ranges of so many entries
/// (log2) at a time.
constexpr int near_entry_bits = 19;
/// The number of values that a block of a scatter has.
constexpr int scatter_stretch = 4 * block_threads;

/// Writes each value to the index of its entry. There is a block for each
/// stretch: the device starts them more or less in order, so that those that
/// run write near to each other. Blocks that stride over all of the memory
/// drift apart, and write each value to memory by itself.
template <class Number, class Value>
__global__ void __launch_bounds__(block_threads)
    scatter(const Number *entries, const Value *values, index_t size,
            Value *result) {
  const index_t first = index_t(blockIdx.x) * scatter_stretch + threadIdx.x;
#pragma unroll
  for (int k = 0; k < scatter_stretch; k += block_threads)
    if (first + k < size)
      result[entries[first + k]] = values[first + k];
}

/// Sorts the accesses of a loop and shows them to visitors: sort(), visit(),
/// by_entry().
template <class Number> class access_order {
public:
  explicit access_order(inspection &work) : work_(work) {}

  /// Sorts all accesses. status::index_out_of_range, before anything is sorted,
  /// if an access is outside of its array. Waits for the stream.
  template <class Loop>
  status sort(const Loop &loop, const access_list<Number> &list) {
    const index_t count = list.summary.accesses();
    bad_iteration bad;
    status s = bad.allocate(work_.memory);
    if (s == status::ok)
      s = keys_.allocate(work_.memory, count);
    if (s == status::ok)
      s = entries_.allocate(work_.memory, count);
    if (s == status::ok)
      s = walk_accesses(work_, loop, list,
                        access_sink<Number>{keys_.data(), entries_.data()},
                        bad.data());
    if (s == status::ok)
      s = bad.verify(work_);
    if (s == status::ok)
      s = sort_pairs(
          work_.memory, keys_, entries_, access_key<Number>::kind_bits,
          access_key<Number>::kind_bits + bits_below(work_.map.locations));
    return s;
  }

  /// Calls \p visitor for each access, and notes the number of locations and
  /// the longest chain in the plan's info. Waits for the stream.
  template <class Visit>
  status visit(const access_list<Number> &list, const Visit &visitor) {
    const index_t count = list.summary.accesses();
    const stream on = work_.memory.on();
    const sorted_accesses<Number> sorted{
        keys_.data(),   entries_.data(),  count,
        list.entries(), work_.iterations, Number(list.summary.most)};
    const index_t stretches = (count + stretch_places - 1) / stretch_places;
    if (stretches == 0)
      return status::ok;
    buffer<places_before<Number>> before;
    buffer<places_after<Number>> after;
    buffer<order_totals> totals;
    status s = before.allocate(work_.memory, stretches);
    if (s == status::ok)
      s = after.allocate(work_.memory, stretches);
    if (s == status::ok)
      s = totals.allocate_filled(work_.memory, 1, 0);
    if (s != status::ok)
      return s;
    mark_stretches<<<blocks_for(mark_stretches<Number>, stretches * warp_lanes),
                     block_threads, 0, on>>>(sorted, stretches, before.data(),
                                             after.data());
    s = combined_before(work_.memory, before.data(), stretches,
                        combine_places{});
    if (s == status::ok)
      s = combined_before(work_.memory, after.data(), stretches,
                          combine_places{});
    if (s != status::ok)
      return s;
    visit_accesses<<<blocks_for(visit_accesses<Number, Visit>,
                                stretches * warp_lanes),
                     block_threads, 0, on>>>(
        sorted, stretches, before.data(), after.data(), visitor, totals.data());
    s = note_totals(totals);
    before.give_back(work_.memory);
    after.give_back(work_.memory);
    totals.give_back(work_.memory);
    return s;
  }

  /// Brings \p values, which are in the order of places, into that of entries,
  /// and frees the order. A scatter over all memory would take several times as
  /// long as sorting by the high bits first.
  template <class Value> status by_entry(buffer<Value> &values) {
    const index_t size = values.size();
    keys_.give_back(work_.memory);
    status s = sort_pairs(work_.memory, entries_, values, near_entry_bits,
                          bits_below(size));
    buffer<Value> result;
    if (s == status::ok)
      s = result.allocate(work_.memory, size);
    if (s != status::ok || size == 0)
      return s;
    const index_t blocks = (size + scatter_stretch - 1) / scatter_stretch;
    scatter<<<unsigned(blocks), block_threads, 0, work_.memory.on()>>>(
        entries_.data(), values.data(), size, result.data());
    entries_.give_back(work_.memory);
    std::swap(values, result);
    result.give_back(work_.memory);
    return work_.memory.check(cudaGetLastError());
  }

private:
  status note_totals(const buffer<order_totals> &totals) {
    order_totals found;
    const stream on = work_.memory.on();
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess)
      e = cudaMemcpyAsync(&found, totals.data(), sizeof(found),
                          cudaMemcpyDeviceToHost, on);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(on);
    if (e != cudaSuccess)
      return work_.memory.check(e);
    work_.info.locations = index_t(found.locations);
    work_.info.longest_chain = index_t(found.longest);
    return status::ok;
  }

  inspection &work_;
  buffer<Number> keys_, entries_;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_ACCESS_ORDER_HPP
