// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The inspection of a row_loop for plans that serve several times: finds the
/// levels of all rows, sorts the rows by level, and cuts each level into blocks
/// for warps.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_PLAN_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_PLAN_HPP

#include "cudaopt/levelize/detail/rows/row_wave_blocks.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// The order by levels, in memory of the device.
struct row_plan {
  bool is_made = false;
  index_t levels = 0; ///< 0 if they were not computed.
  unsigned slots = 4; ///< The terms that a short row has at most.
  buffer<std::uint32_t> iterations;
  buffer<index_t> offsets;
  buffer<std::int32_t> sources;
  row_wave_blocks blocks;

  row_level_order order() const {
    return {iterations.data(),
            offsets.data(),
            sources.data(),
            blocks.starts.data(),
            blocks.level_gates.data(),
            blocks.size()};
  }
  std::size_t bytes() const {
    return iterations.bytes() + offsets.bytes() + sources.bytes() +
           blocks.starts.bytes() + blocks.level_gates.bytes();
  }
  void release() {
    is_made = false;
    iterations.reset();
    offsets.reset();
    sources.reset();
    blocks = row_wave_blocks();
  }

  /// Returns how many terms a row may have that shares its warp with 31 others:
  /// as many as most rows have, unless those are so many that one row is a
  /// warp's work.
  static unsigned slots_for(const row_facts &facts, index_t rows) {
    const index_t longest = index_t(facts.longest);
    const index_t average = rows ? index_t(facts.terms) / rows : 0;
    if (average > 32) // All that a row's warp needs at a time.
      return unsigned(
          std::min<index_t>(std::max<index_t>(longest / 32 + 1, 4), 32));
    index_t slots = std::max<index_t>(2 * average, 8);
    if (longest <= slots + slots / 2)
      slots = longest;
    return unsigned(std::min<index_t>(std::max<index_t>(slots, 4), 32));
  }

  /// Makes the order; makes nothing, and returns status::ok, where there are
  /// fewer than \p narrow rows a level on average, or indices that need 64
  /// bits. Levels are found by a run of the rows in \p order_now. Waits for the
  /// stream.
  template <class Loop>
  status make(scratch &memory, const Loop &loop, index_t rows,
              const row_facts &facts, const loop_order &order_now,
              std::uint64_t limit_ns, index_t narrow) {
    if (rows < 2 || rows >= index_t(1) << 31 || loop.x.size >= index_t(1) << 31)
      return status::ok;
    buffer<std::uint32_t> keys;
    slots = slots_for(facts, rows);
    status s = keys.allocate(memory, rows);
    if (s == status::ok)
      s = iterations.allocate(memory, rows);
    std::uint32_t highest = 0;
    if (s == status::ok)
      s = find_levels(memory, loop, facts, order_now, limit_ns, keys, highest);
    if (s != status::ok)
      return s;
    levels = index_t(highest) + 1;
    if (rows / levels < narrow) {
      release();
      return status::ok;
    }
    int bits = row_keys::length_bits;
    while (highest >> (bits - row_keys::length_bits))
      ++bits;
    s = sort_pairs(memory, keys, iterations, 0, bits);
    if (s == status::ok)
      s = blocks.make(memory, keys, levels);
    if (s == status::ok)
      s = place(memory, loop, facts, keys);
    return s;
  }

private:
  template <class Loop>
  status find_levels(scratch &memory, const Loop &loop, const row_facts &facts,
                     const loop_order &order_now, std::uint64_t limit_ns,
                     buffer<std::uint32_t> &keys, std::uint32_t &highest) {
    using level = level_loop<Loop>;
    const index_t n = keys.size();
    const stream on = memory.on();
    row_engine engine;
    buffer<std::uint32_t> most;
    status s = engine.prepare(memory, n, row_cells<std::int32_t>::cell_bytes,
                              limit_ns);
    if (s == status::ok)
      s = most.allocate_filled(memory, 1, 0);
    if (s == status::ok)
      s = memory.check(
          engine.fit<level>(n, order_now, {row_slots_for(facts, n)}));
    if (s == status::ok)
      s = memory.check(engine.launch(level(loop), order_now, on));
    if (s != status::ok)
      return s;
    read_levels<<<row_blocks(n), 256, 0, on>>>(loop, engine.run.cells, n, slots,
                                               keys.data(), iterations.data(),
                                               most.data());
    std::uint32_t stalled = 0;
    s = memory.check(cudaGetLastError());
    if (s == status::ok)
      s = memory.check(
          cudaMemcpyAsync(&highest, most.data(), 4, cudaMemcpyDefault, on));
    if (s == status::ok)
      s = memory.check(cudaMemcpyAsync(&stalled,
                                       &engine.run.control->watch.stalled, 4,
                                       cudaMemcpyDefault, on));
    if (s == status::ok)
      s = memory.check(cudaStreamSynchronize(on));
    engine.give_back(memory);
    most.give_back(memory);
    return s == status::ok && stalled ? status::stalled : s;
  }

  /// Fills offsets and sources from sorted iterations. \p positions is scratch
  /// for as many numbers as there are rows.
  template <class Loop>
  status place(scratch &memory, const Loop &loop, const row_facts &facts,
               buffer<std::uint32_t> &positions) {
    const index_t n = iterations.size();
    const stream on = memory.on();
    status s = offsets.allocate_filled(memory, n + 1, 0);
    if (s == status::ok)
      s = sources.allocate(memory, std::max(index_t(facts.terms), index_t(1)));
    if (s != status::ok)
      return s;
    place_rows<<<row_blocks(n), 256, 0, on>>>(loop, n, iterations.data(),
                                              positions.data(), offsets.data());
    s = memory.check(cudaGetLastError());
    if (s == status::ok)
      s = sums_before(memory, offsets.data(), n + 1);
    if (s != status::ok)
      return s;
    place_sources<<<row_blocks(8 * n), 256, 0, on>>>(
        loop, n, order(), positions.data(), sources.data());
    s = memory.check(cudaGetLastError());
    is_made = s == status::ok;
    return s;
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_PLAN_HPP
