// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::ordered_reduction: loops that only update, in the loop's order. An
/// inspection sorts the updates by location; an execution runs all bodies at
/// once with a memory that records the values, and folds those of each location
/// one after the other into the location's value. Every rounding is the
/// sequential loop's.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_ORDERED_REDUCTION_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_ORDERED_REDUCTION_HPP

#include "cudaopt/levelize/detail/inspect/access_walk.hpp"
#include "cudaopt/levelize/detail/strategies/doall.hpp"
#include "cudaopt/levelize/detail/strategies/relaxed_memory.hpp"
#include "cudaopt/levelize/detail/strategies/segment_fold.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// A sink of walk_accesses() that writes the location of each access, and its
/// number.
template <class Number> struct location_sink {
  static constexpr bool wants_reads = false, wants_stores = true;
  Number *locations, *numbers;

  __device__ void operator()(Number entry, Number, index_t location,
                             access_kind) const {
    locations[entry] = Number(location);
    numbers[entry] = entry;
  }
};

/// The memory that records the values of updates, by the number of the access,
/// and applies none.
template <class Number> struct recording_memory : refused_accesses {
  char *values;
  unsigned slot_bytes;
  Number next;

  template <class T, class Op>
  __device__ void update(const array<T> &, index_t, Op, T v) {
    memcpy(values + index_t(next++) * slot_bytes, &v, sizeof(T));
  }
};

template <class Number, class Loop>
__global__ void __launch_bounds__(block_threads)
    record_updates(Loop loop, index_t first, index_t iterations,
                   numbering<Number> numbers, char *values,
                   unsigned slot_bytes) {
  const index_t i = first + grid_thread();
  if (i >= iterations)
    return;
  recording_memory<Number> memory{{}, values, slot_bytes, numbers.begin(i)};
  loop.body(i, memory);
}

/// The order of all updates by location, in numbers of 32 or 64 bits.
template <class Number> struct recorded_updates {
  access_list<Number> list;
  chain_table<Number> order;

  std::size_t bytes() const { return list.bytes() + order.bytes(); }
};

template <> struct on_device<strategy::ordered_reduction> {
  struct state : plan_state {
    recorded_updates<std::uint32_t> narrow;
    recorded_updates<std::uint64_t> wide;
    bool is_narrow = true;
    updated_arrays arrays;
    buffer<std::uint64_t> values; ///< Slots of 8 or 4 bytes.
    unsigned slot_bytes = 8;

    std::size_t bytes() const override {
      return narrow.bytes() + wide.bytes() + values.bytes();
    }
  };

  template <class Loop>
  static constexpr bool applies = !is_self_indexing<Loop>::value;

  template <class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    auto made = std::make_unique<state>();
    update_facts facts{};
    status s = examine(in, loop, facts, made->arrays);
    if (s != status::ok)
      return s;
    access_summary summary;
    if (s = summarize_accesses(in, loop, summary); s != status::ok)
      return s;
    made->is_narrow = has_narrow_numbers(summary, in.map);
    made->slot_bytes = loop.arrays().largest_element <= 4 ? 4 : 8;
    s = made->is_narrow ? order_updates(in, loop, summary, made->narrow)
                        : order_updates(in, loop, summary, made->wide);
    if (s == status::ok)
      s = made->values.allocate(
          in.memory, (summary.accesses() * made->slot_bytes + 7) / 8);
    if (s == status::ok)
      result = std::move(made);
    return s;
  }

  template <class Loop>
  static status execute(state &of, const Loop &loop, index_t iterations,
                        stream s) {
    if (of.is_narrow)
      run(of, of.narrow, loop, iterations, s);
    else
      run(of, of.wide, loop, iterations, s);
    return cudaGetLastError() == cudaSuccess ? status::ok : status::cuda_error;
  }

private:
  template <class Loop, class Number>
  static status order_updates(inspection &in, const Loop &loop,
                              const access_summary &summary,
                              recorded_updates<Number> &updates) {
    updates.list.summary = summary;
    status s = number_accesses(in, loop, updates.list);
    chain_table<Number> &order = updates.order;
    if (s == status::ok)
      s = order.locations.allocate(in.memory, summary.accesses());
    if (s == status::ok)
      s = order.iterations.allocate(in.memory, summary.accesses());
    bad_iteration bad;
    if (s == status::ok)
      s = bad.allocate(in.memory);
    const location_sink<Number> sink{order.locations.data(),
                                     order.iterations.data()};
    if (s == status::ok)
      s = walk_accesses(in, loop, updates.list, sink, bad.data());
    if (s == status::ok)
      s = sort_pairs(in.memory, order.locations, order.iterations, 0,
                     bits_below(in.map.locations));
    return s == status::ok ? list_long_chains(in, order, Number(~Number(0)))
                           : s;
  }

  template <class Loop, class Number>
  static void run(state &of, const recorded_updates<Number> &updates,
                  const Loop &loop, index_t iterations, stream s) {
    const index_t accesses = updates.order.locations.size();
    char *values = reinterpret_cast<char *>(of.values.data());
    for_each_item(iterations, [&](unsigned blocks, int threads, index_t first) {
      record_updates<<<blocks, threads, 0, s>>>(loop, first, iterations,
                                                updates.list.entries(), values,
                                                of.slot_bytes);
    });
    if (accesses == 0)
      return; // The bodies may have done other things.
    const updated_arrays arrays = arrays_at(of.arrays, loop.arrays());
    const recorded_values<Number> from{
        view_of(updates.order, Number(~Number(0))), values, of.slot_bytes};
    if (updates.order.number_long > 0)
      fold_long<<<unsigned(std::min<index_t>(
                      (updates.order.number_long + fold_warps - 1) / fold_warps,
                      1 << 20)),
                  fold_warps * warp_lanes, 0, s>>>(from, arrays);
    for_each_item(accesses, [&](unsigned blocks, int threads, index_t first) {
      fold_short<<<blocks, threads, 0, s>>>(from, arrays, first);
    });
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_ORDERED_REDUCTION_HPP
