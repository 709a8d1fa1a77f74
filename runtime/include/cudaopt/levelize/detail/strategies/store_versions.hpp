// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reaching definitions of a loop: which store each read reads from. Stores are
/// numbered in the loop's order and sorted by location; only they are sorted,
/// reads search:
///
///   { read -> the last store to its location before it, or none }
///
/// and the same for updates, which read what they store to.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_STORE_VERSIONS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_STORE_VERSIONS_HPP

#include "cudaopt/levelize/detail/inspect/access_walk.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// In place of a store's number: the read gets the value from before the loop.
template <class Number> constexpr Number no_store = Number(~Number(0));

/// Where a location's stores begin in the sorted list, and the number of the
/// first of them, if there is one.
template <class Number> struct alignas(2 * sizeof(Number)) first_store {
  Number place, store;
};

/// The stores by location, and those to one location in the loop's order.
template <class Number> struct sorted_stores {
  const Number *locations, *stores;
  /// By location, with one entry more for the end; null where there are so many
  /// locations that the table would cost more than it saves.
  const first_store<Number> *first;
  Number count;

  /// The last store to \p location that is numbered below \p store; no_store if
  /// there is none. A binary search, O(log of the location's stores).
  __device__ Number last_before(index_t location, Number store) const {
    if (!first)
      return search(location, store);
    const first_store<Number> begin = first[location];
    Number low = begin.place, high = first[location + 1].place;
    if (low == high || begin.store >= store)
      return no_store<Number>;
    Number found = begin.store;
    for (++low; low < high;) {
      const Number middle = low + (high - low) / 2, one = stores[middle];
      if (one < store) {
        found = one;
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return found;
  }

private:
  /// As last_before(), without a table: searches the stores of all locations.
  __device__ Number search(index_t location, Number store) const {
    Number low = 0, high = count;
    while (low < high) {
      const Number middle = low + (high - low) / 2;
      const index_t there = index_t(locations[middle]);
      if (there < location || (there == location && stores[middle] < store))
        low = middle + 1;
      else
        high = middle;
    }
    return low == 0 || index_t(locations[low - 1]) != location
               ? no_store<Number>
               : stores[low - 1];
  }
};

/// A sink of walk_accesses() that writes the location and the number of each
/// store.
template <class Number> struct store_sink {
  static constexpr bool wants_reads = false, wants_stores = true;
  Number *locations, *stores;
  __device__ void operator()(Number, Number store, index_t location,
                             access_kind) const {
    locations[store] = Number(location);
    stores[store] = store;
  }
};

/// A sink of walk_accesses() that writes the source of each read, and with
/// \p Updates of each update.
template <class Number, bool Updates> struct source_sink {
  static constexpr bool wants_reads = true, wants_stores = Updates;
  sorted_stores<Number> sorted;
  Number *of_reads, *of_updates;
  __device__ void operator()(Number entry, Number store, index_t location,
                             access_kind kind) const {
    if (kind == access_kind::read)
      of_reads[entry - store] = sorted.last_before(location, store);
    else if (kind == access_kind::update)
      of_updates[store] = sorted.last_before(location, store);
  }
};

/// Fills sorted_stores::first. The thread of a location's first store writes
/// the entries of all locations after the location before; its warp helps where
/// those are many.
template <class Number>
__global__ void __launch_bounds__(block_threads)
    find_first_stores(const Number *locations, const Number *stores,
                      index_t count, first_store<Number> *first, index_t all) {
  // One more place than stores: it ends the table.
  for (index_t base = grid_thread() - lane_of_warp(); base <= count;
       base += grid_threads()) {
    const index_t place = base + lane_of_warp();
    index_t from = 0, to = 0;
    const Number store = place < count ? stores[place] : 0;
    if (place <= count) {
      from = place == 0 ? 0 : index_t(locations[place - 1]) + 1;
      to = place == count ? all + 1 : index_t(locations[place]) + 1;
    }
    const bool is_long = to - from > 2 * warp_lanes;
    if (!is_long)
      for (index_t l = from; l < to; ++l)
        first[l] = {Number(place), store};
    for (unsigned left = __ballot_sync(~0u, is_long); left; left &= left - 1) {
      const int owner = __ffs(int(left)) - 1;
      const index_t begin = __shfl_sync(~0u, from, owner);
      const index_t end = __shfl_sync(~0u, to, owner);
      const Number one = __shfl_sync(~0u, store, owner);
      for (index_t l = begin + lane_of_warp(); l < end; l += warp_lanes)
        first[l] = {Number(base + owner), one};
    }
  }
}

/// A store that no other store to its location follows.
template <class Number> struct final_store {
  Number location, store;
};

/// The number of stores that a warp takes at a time: it asks once for room in
/// the list for all final ones among them.
constexpr index_t final_stretch = 32 * warp_lanes;

/// Lists final stores, nearly in the order of their locations.
template <class Number>
__global__ void __launch_bounds__(block_threads)
    list_final_stores(sorted_stores<Number> sorted, final_store<Number> *list,
                      unsigned long long *size) {
  const index_t count = sorted.count;
  auto is_final = [&](index_t place) {
    return place < count &&
           (place + 1 == count ||
            sorted.locations[place] != sorted.locations[place + 1]);
  };
  const index_t warps = grid_threads() / warp_lanes;
  const unsigned lane = lane_of_warp();
  for (index_t from = grid_thread() / warp_lanes * final_stretch; from < count;
       from += warps * final_stretch) {
    unsigned found = 0;
    for (index_t k = 0; k < final_stretch; k += warp_lanes)
      found += __popc(__ballot_sync(~0u, is_final(from + k + lane)));
    unsigned long long place = 0;
    if (lane == 0)
      place = atomicAdd(size, static_cast<unsigned long long>(found));
    place = __shfl_sync(~0u, place, 0);
    for (index_t k = 0; k < final_stretch; k += warp_lanes) {
      const index_t p = from + k + lane;
      const bool is_one = is_final(p);
      const unsigned all = __ballot_sync(~0u, is_one);
      if (is_one)
        list[place + __popc(all & ((1u << lane) - 1))] = {sorted.locations[p],
                                                          sorted.stores[p]};
      place += __popc(all);
    }
  }
}

/// Sets \p descends if some location is less than the one before.
template <class Number>
__global__ void __launch_bounds__(block_threads)
    look_for_descent(const Number *locations, index_t count,
                     unsigned long long *descends) {
  for (index_t p = grid_thread() + 1; p < count; p += grid_threads()) {
    if (locations[p - 1] <= locations[p])
      continue;
    *descends = 1;
    return;
  }
}

/// The tables that executions of a renamed loop need.
template <class Number> struct renamed_loop {
  access_list<Number> list;
  /// The sources of reads, by the number of the read, and of updates, by the
  /// number of the store.
  buffer<Number> of_reads, of_updates;
  buffer<final_store<Number>> final_stores;
  index_t finals = 0;

  std::size_t bytes() const {
    return list.bytes() + of_reads.bytes() + of_updates.bytes() +
           final_stores.bytes();
  }
};

/// Fills a renamed_loop. Its scratch is freed when it ends.
template <class Number> class version_finder {
public:
  version_finder(inspection &work, renamed_loop<Number> &result)
      : work_(work), result_(result), on_(work.memory.on()) {}

  /// Finds all sources and final stores; list.summary is known. Waits for the
  /// stream. status::index_out_of_range if an access is outside of its array.
  template <class Loop> status find(const Loop &loop) {
    status s = number_accesses(work_, loop, result_.list);
    if (s == status::ok)
      s = bad_.allocate(work_.memory);
    if (s == status::ok)
      s = words_.allocate_filled(work_.memory, 2, 0);
    if (s == status::ok)
      s = sort_stores(loop);
    if (s == status::ok)
      s = make_table();
    if (s == status::ok)
      s = find_sources(loop);
    if (s == status::ok)
      s = find_finals();
    if (s == status::ok)
      s = bad_.verify(work_);
    return s;
  }

private:
  const access_summary &summary() const { return result_.list.summary; }
  sorted_stores<Number> sorted() const {
    return {locations_.data(), stores_.data(), first_.data(),
            Number(summary().stores)};
  }

  template <class Loop> status sort_stores(const Loop &loop) {
    const index_t count = summary().stores;
    if (count == 0)
      return status::ok;
    status s = locations_.allocate(work_.memory, count);
    if (s == status::ok)
      s = stores_.allocate(work_.memory, count);
    if (s == status::ok)
      s = walk_accesses(work_, loop, result_.list,
                        store_sink<Number>{locations_.data(), stores_.data()},
                        bad_.data());
    bool is_sorted = false;
    if (s == status::ok)
      s = find_order(is_sorted);
    if (s == status::ok && !is_sorted)
      s = sort_pairs(work_.memory, locations_, stores_, 0,
                     bits_below(work_.map.locations));
    return s;
  }

  /// Sets \p is_sorted if the stores are in the order of their locations
  /// already, as in loops whose iteration i writes element i.
  status find_order(bool &is_sorted) {
    look_for_descent<<<blocks_for(look_for_descent<Number>, summary().stores),
                       block_threads, 0, on_>>>(
        locations_.data(), summary().stores, words_.data());
    unsigned long long descends = 1;
    status s = read_word(0, descends);
    is_sorted = descends == 0;
    return s;
  }

  status make_table() {
    // A table of many more locations than accesses costs more than searches.
    if (work_.map.locations > 4 * summary().accesses() + 1024 ||
        summary().reads + summary().stores == 0)
      return status::ok;
    status s = first_.allocate(work_.memory, work_.map.locations + 1);
    if (s != status::ok)
      return s;
    find_first_stores<<<blocks_for(find_first_stores<Number>,
                                   summary().stores + 1),
                        block_threads, 0, on_>>>(
        locations_.data(), stores_.data(), summary().stores, first_.data(),
        work_.map.locations);
    return work_.memory.check(cudaGetLastError());
  }

  template <class Loop> status find_sources(const Loop &loop) {
    status s = result_.of_reads.allocate(work_.memory, summary().reads);
    if (s != status::ok)
      return s;
    if (!summary().has(access_kind::update)) {
      if (summary().reads == 0)
        return status::ok;
      return walk_accesses(work_, loop, result_.list,
                           source_sink<Number, false>{
                               sorted(), result_.of_reads.data(), nullptr},
                           bad_.data());
    }
    // Stores that are no updates have no source.
    s = result_.of_updates.allocate_filled(work_.memory, summary().stores,
                                           0xff);
    if (s != status::ok)
      return s;
    return walk_accesses(work_, loop, result_.list,
                         source_sink<Number, true>{sorted(),
                                                   result_.of_reads.data(),
                                                   result_.of_updates.data()},
                         bad_.data());
  }

  status find_finals() {
    if (summary().stores == 0)
      return status::ok;
    first_.give_back(work_.memory);
    status s = result_.final_stores.allocate(
        work_.memory, std::min(summary().stores, work_.map.locations));
    if (s != status::ok)
      return s;
    list_final_stores<<<blocks_for(list_final_stores<Number>, summary().stores),
                        block_threads, 0, on_>>>(
        sorted(), result_.final_stores.data(), words_.data() + 1);
    unsigned long long finals = 0;
    s = read_word(1, finals);
    result_.finals = index_t(finals);
    locations_.give_back(work_.memory);
    stores_.give_back(work_.memory);
    words_.give_back(work_.memory);
    return s;
  }

  /// Copies word \p k to the host. Waits for the stream.
  status read_word(int k, unsigned long long &value) {
    cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess)
      e = cudaMemcpyAsync(&value, words_.data() + k, sizeof(value),
                          cudaMemcpyDeviceToHost, on_);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(on_);
    return work_.memory.check(e);
  }

  inspection &work_;
  renamed_loop<Number> &result_;
  stream on_;
  bad_iteration bad_;
  /// Word 0: locations descend somewhere. Word 1: the number of final stores.
  buffer<unsigned long long> words_;
  buffer<Number> locations_, stores_;
  buffer<first_store<Number>> first_;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_STORE_VERSIONS_HPP
