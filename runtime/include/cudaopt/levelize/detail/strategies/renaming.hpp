// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::renaming: dataflow in which every store has a cell of its own, so
/// that only true dependences remain: a read waits for the store that it reads
/// from. Iterations that write to one location, or write where an earlier one
/// reads, run at the same time. The arrays are written in the end.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RENAMING_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RENAMING_HPP

#include "cudaopt/levelize/detail/strategies/claims.hpp"
#include "cudaopt/levelize/detail/strategies/renamed_memory.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The stores that one iteration reads from.
template <class Number, class Cells> class renamed_waits {
public:
  __device__ renamed_waits(const renamed_arrays<Number, Cells> &all, index_t i)
      : all_(all), store_(all.stores.begin(i)),
        store_end_(all.stores.begin(i + 1)),
        read_(all.entries.begin(i) - store_),
        read_end_(all.entries.begin(i + 1) - store_end_), next_read_(read_),
        next_update_(store_) {}
  __device__ Number first_read() const { return read_; }
  __device__ Number first_store() const { return store_; }

  /// Returns true if it reads from a store numbered \p first or higher, other
  /// than its own.
  __device__ bool has_source_from(Number first) const {
    if (first == store_)
      return false;
    for (Number r = read_; r < read_end_; ++r)
      if (const Number s = all_.of_reads[r]; s >= first && s < store_)
        return true;
    if (all_.of_updates)
      for (Number u = store_; u < store_end_; ++u)
        if (const Number s = all_.of_updates[u]; s >= first && s < store_)
          return true;
    return false;
  }
  /// Returns true if all stores that it reads from have happened, its own left
  /// out. Goes on where the last call stopped.
  __device__ bool are_over() {
    for (; next_read_ < read_end_; ++next_read_)
      if (!is_complete(all_.of_reads[next_read_]))
        return false;
    if (all_.of_updates)
      for (; next_update_ < store_end_; ++next_update_)
        if (!is_complete(all_.of_updates[next_update_]))
          return false;
    return true;
  }

private:
  __device__ bool is_complete(Number source) const {
    typename Cells::bits value;
    // no_store is greater than all numbers of stores.
    return source >= store_ || all_.cells.try_load(source, value);
  }

  const renamed_arrays<Number, Cells> &all_;
  Number store_, store_end_, read_, read_end_, next_read_, next_update_;
};

/// Runs all iterations, 32 consecutive ones by a warp. Loads wait inside of
/// bodies, unless an iteration reads from another of the same 32: a lane that
/// spun there could keep the lane that it waits for from running. In that case
/// all lanes look at the stores that they wait for, those that may run do, and
/// so on; a load then finds its cell full.
template <class Loop, class Number, class Cells>
__global__ void __launch_bounds__(block_threads)
    run_renamed(Loop loop, index_t iterations,
                renamed_arrays<Number, Cells> all, execution_control *control,
                watchdog guard) {
  all.cells.epoch = control->epoch;
  __shared__ claimed_iterations claimed;
  claimed.begin();
  for (;;) {
    const index_t base = claimed.take(control);
    if (base >= iterations)
      return;
    const index_t i = base + lane_of_warp();
    bool is_done = i >= iterations;
    renamed_waits<Number, Cells> waits(all, is_done ? base : i);
    const bool may_run = !__any_sync(
        ~0u, !is_done && waits.has_source_from(all.stores.begin(base)));
    spin_backoff wait(guard);
    for (;;) {
      if (!is_done && (may_run || waits.are_over())) {
        renamed_memory<Number, Cells> memory(all, waits.first_read(),
                                             waits.first_store(), guard);
        loop.body(i, memory);
        is_done = true;
      }
      if (__all_sync(~0u, is_done))
        break;
      if (__any_sync(~0u, !is_done && wait.is_over()))
        return;
    }
  }
}

template <> struct on_device<strategy::renaming> {
  struct state : plan_state {
    renamed_loop<std::uint32_t> narrow;
    renamed_loop<std::uint64_t> wide; ///< One of the two is used.
    bool is_narrow = true;
    buffer<narrow_cells::stored> small; ///< One of these two is used, too.
    buffer<wide_cells::stored> large;
    bool is_small = true;
    location_map map;
    execution control;

    std::size_t bytes() const override {
      return narrow.bytes() + wide.bytes() + small.bytes() + large.bytes() +
             control.bytes();
    }
    std::uint32_t *stalled_word() const override {
      return control.stalled_word();
    }
  };

  template <class Loop>
  static constexpr bool applies = !is_self_indexing<Loop>::value;

  template <class Loop>
  static status inspect(inspection &work, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    const extents arrays = loop.arrays();
    if (!has_disjoint_words(arrays, work.map))
      return status::unsupported;
    access_summary summary;
    status s = summarize_accesses(work, loop, summary);
    if (s != status::ok)
      return s;
    auto made = std::make_unique<state>();
    made->map = work.map;
    made->is_small = arrays.largest_element <= 4;
    made->is_narrow = has_narrow_numbers(summary, work.map);
    if (made->is_narrow)
      s = find(work, loop, summary, made->narrow);
    else
      s = find(work, loop, summary, made->wide);
    if (s == status::ok)
      s = made->control.allocate(work);
    if (s == status::ok)
      s = made->is_small
              ? made->small.allocate_filled(work.memory, summary.stores, 0)
              : made->large.allocate_filled(work.memory, summary.stores, 0);
    if (s == status::ok)
      result = std::move(made);
    return s;
  }

  template <class Loop>
  static status execute(state &made, const Loop &loop, index_t iterations,
                        stream on) {
    made.control.begin(on);
    if (made.is_narrow)
      return made.is_small ? run(made, made.narrow, cells_of(made.small), loop,
                                 iterations, on)
                           : run(made, made.narrow, cells_of(made.large), loop,
                                 iterations, on);
    return made.is_small ? run(made, made.wide, cells_of(made.small), loop,
                               iterations, on)
                         : run(made, made.wide, cells_of(made.large), loop,
                               iterations, on);
  }

private:
  static narrow_cells cells_of(const buffer<narrow_cells::stored> &b) {
    return {b.data(), 0};
  }
  static wide_cells cells_of(const buffer<wide_cells::stored> &b) {
    return {b.data(), 0};
  }

  template <class Loop, class Number>
  static status find(inspection &work, const Loop &loop,
                     const access_summary &summary,
                     renamed_loop<Number> &result) {
    result.list.summary = summary;
    work.info.locations = 0;
    return version_finder<Number>(work, result).find(loop);
  }

  template <class Loop, class Number, class Cells>
  static status run(state &made, const renamed_loop<Number> &renamed,
                    Cells cells, const Loop &loop, index_t iterations,
                    stream on) {
    const renamed_arrays<Number, Cells> all{
        renamed.list.entries(), renamed.list.stores(), renamed.of_reads.data(),
        renamed.of_updates.data(), cells};
    run_renamed<<<blocks_for(run_renamed<Loop, Number, Cells>, iterations),
                  block_threads, 0, on>>>(
        loop, iterations, all, made.control.control(), made.control.guard());
    if (renamed.finals > 0)
      write_final_stores<<<blocks_for(write_final_stores<Number, Cells>,
                                      renamed.finals),
                           block_threads, 0, on>>>(renamed.final_stores.data(),
                                                   renamed.finals, cells,
                                                   loop.arrays(), made.map);
    return launched();
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RENAMING_HPP
