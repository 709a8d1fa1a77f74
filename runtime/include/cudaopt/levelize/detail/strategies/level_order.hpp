// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The iterations of a loop by level: those of one level do not depend on each
/// other, and each iteration of a level but the first depends on one of the
/// level before. Levels are found in one pass, by the dataflow over tickets
/// with find_level in place of the body.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_LEVEL_ORDER_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_LEVEL_ORDER_HPP

#include "cudaopt/levelize/detail/strategies/tickets.hpp"

#include <vector>

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The greatest levels that accessed a location so far, plus 1; 0 is none. An
/// iteration that writes the location has a greater level than all before, so
/// that neither is ever reset.
struct location_levels {
  std::uint32_t stored, read;
};

/// The work of the dataflow: gives an iteration its level. The tickets order
/// the accesses to a location's levels.
struct find_level {
  location_levels *locations;
  std::uint32_t *levels; ///< By iteration, from 0.
  std::uint32_t *last;   ///< The greatest level.

  template <class Number>
  __device__ void operator()(index_t i,
                             const ticket_waits<Number> &tickets) const {
    std::uint32_t level = 0; // 1 + the greatest level waited for.
    tickets.for_each([&](ticket<Number> t) {
      if (t.need() == 0)
        return;
      const location_levels *l = locations + t.counter();
      const std::uint32_t stored = load_relaxed(&l->stored);
      level = stored > level ? stored : level;
      if (!t.stores())
        return;
      const std::uint32_t read = load_relaxed(&l->read);
      level = read > level ? read : level;
    });
    levels[i] = level;
    if (level > load_relaxed(last))
      atomicMax(last, level);
    tickets.for_each([&](ticket<Number> t) {
      if (!t.signals())
        return;
      location_levels *l = locations + t.counter();
      if (t.stores())
        store_relaxed(&l->stored, level + 1);
      else
        atomicMax(&l->read, level + 1);
    });
  }
};

/// Writes 0, 1, 2, ...
template <class Index>
__global__ void __launch_bounds__(block_threads)
    write_indices(Index *indices, index_t size) {
  for (index_t i = grid_thread(); i < size; i += grid_threads())
    indices[i] = Index(i);
}

/// Finds where levels begin in the sorted order: the iterations of level l are
/// at [begins[l], begins[l + 1]).
template <class Index>
__global__ void __launch_bounds__(block_threads)
    find_level_begins(const std::uint32_t *levels, index_t size,
                      index_t *begins) {
  for (index_t p = grid_thread(); p < size; p += grid_threads())
    if (p == 0 || levels[p - 1] != levels[p])
      begins[levels[p]] = p; // No level is empty.
}

/// The levels [begin, end), run in one step: several levels, each at most as
/// wide as a block, if is_narrow; one level otherwise.
struct level_step {
  index_t begin, end;
  bool is_narrow;
};

/// The order by levels, on the device and in part on the host.
template <class Index> struct level_order {
  buffer<Index> order;       ///< Iterations by level; each in the loop's order.
  buffer<index_t> begins;    ///< [levels + 1]: see find_level_begins().
  std::vector<index_t> host; ///< The same numbers on the host.

  index_t levels() const { return index_t(host.size()) - 1; }
  index_t width(index_t level) const { return host[level + 1] - host[level]; }
  std::size_t bytes() const { return order.bytes() + begins.bytes(); }

  /// Runs of levels that one block of \p threads takes without the others.
  std::vector<level_step> steps(index_t threads) const {
    std::vector<level_step> result;
    for (index_t l = 0, end; l < levels(); l = end) {
      for (end = l; end < levels() && width(end) <= threads; ++end) {
      }
      const bool is_narrow = end > l + 1;
      end = std::max(end, l + 1);
      result.push_back({l, end, is_narrow});
    }
    return result;
  }
};

/// Finds the levels of a loop. Its scratch is freed when it ends.
template <class Number, class Index> class level_finder {
public:
  level_finder(inspection &work, level_order<Index> &result)
      : work_(work), result_(result), on_(work.memory.on()) {}

  /// Fills the result. Waits for the stream. status::stalled if the dataflow
  /// did not end.
  template <class Loop>
  status find(const Loop &loop, const access_summary &summary) {
    ticket_table<Number> tickets;
    tickets.list.summary = summary;
    status s = tickets.make(work_, loop);
    if (s == status::ok)
      s = run_dataflow(tickets);
    tickets.tickets.give_back(work_.memory);
    if (s == status::ok)
      s = sort();
    if (s == status::ok)
      s = find_begins();
    return s;
  }

private:
  status run_dataflow(const ticket_table<Number> &tickets) {
    ticket_counters counters;
    buffer<location_levels> locations;
    buffer<std::uint32_t> last;
    status s = counters.allocate(work_, tickets.counters);
    if (s == status::ok)
      s = locations.allocate_filled(work_.memory, tickets.counters, 0);
    if (s == status::ok)
      s = last.allocate_filled(work_.memory, 1, 0);
    if (s == status::ok)
      s = levels_.allocate(work_.memory, work_.iterations);
    if (s != status::ok)
      return s;
    s = counters.run(find_level{locations.data(), levels_.data(), last.data()},
                     work_.iterations, tickets.view(), on_);
    if (s == status::ok)
      s = read(last_, last.data());
    std::uint32_t stalled = 0;
    if (s == status::ok)
      s = read(stalled, counters.stalled_word());
    counters.give_back(work_.memory);
    locations.give_back(work_.memory);
    return s == status::ok && stalled ? status::stalled : s;
  }

  status sort() {
    status s = result_.order.allocate(work_.memory, work_.iterations);
    if (s != status::ok)
      return s;
    write_indices<<<blocks_for(write_indices<Index>, work_.iterations),
                    block_threads, 0, on_>>>(result_.order.data(),
                                             work_.iterations);
    return sort_pairs(work_.memory, levels_, result_.order, 0,
                      bits_below(index_t(last_) + 1));
  }

  status find_begins() {
    result_.host.resize(std::size_t(last_) + 2);
    const index_t levels = index_t(last_) + 1;
    status s = result_.begins.allocate(work_.memory, levels + 1);
    if (s != status::ok)
      return s;
    find_level_begins<Index>
        <<<blocks_for(find_level_begins<Index>, work_.iterations),
           block_threads, 0, on_>>>(levels_.data(), work_.iterations,
                                    result_.begins.data());
    cudaError_t e =
        cudaMemcpyAsync(result_.begins.data() + levels, &work_.iterations,
                        sizeof(index_t), cudaMemcpyHostToDevice, on_);
    if (e == cudaSuccess)
      e = cudaMemcpyAsync(result_.host.data(), result_.begins.data(),
                          result_.begins.bytes(), cudaMemcpyDeviceToHost, on_);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(on_);
    levels_.give_back(work_.memory);
    work_.info.levels = levels;
    return work_.memory.check(e);
  }

  /// Copies a word to the host. Waits for the stream.
  status read(std::uint32_t &value, const std::uint32_t *word) {
    cudaError_t e = cudaMemcpyAsync(&value, word, sizeof(value),
                                    cudaMemcpyDeviceToHost, on_);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(on_);
    return work_.memory.check(e);
  }

  inspection &work_;
  level_order<Index> &result_;
  stream on_;
  buffer<std::uint32_t> levels_; ///< By iteration; once sorted, by position.
  std::uint32_t last_ = 0;
};

/// The levels of a loop, in indices as small as the loop allows.
struct loop_levels {
  level_order<std::uint32_t> narrow;
  level_order<index_t> wide; ///< One of the two is used.
  bool is_narrow = true;

  std::size_t bytes() const { return narrow.bytes() + wide.bytes(); }

  template <class Loop> status find(inspection &work, const Loop &loop) {
    access_summary summary;
    status s = summarize_accesses(work, loop, summary);
    if (s != status::ok)
      return s;
    is_narrow = work.iterations < index_t(0xfffffff0u);
    const bool small = has_narrow_numbers(summary, work.map);
    if (is_narrow && small)
      return level_finder<std::uint32_t, std::uint32_t>(work, narrow)
          .find(loop, summary);
    if (is_narrow)
      return level_finder<std::uint64_t, std::uint32_t>(work, narrow)
          .find(loop, summary);
    return level_finder<std::uint64_t, index_t>(work, wide).find(loop, summary);
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_LEVEL_ORDER_HPP
