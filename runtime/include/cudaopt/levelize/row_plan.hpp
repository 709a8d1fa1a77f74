// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A loop's rows in the order of their levels.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROW_PLAN_HPP
#define CUDAOPT_LEVELIZE_ROW_PLAN_HPP

#include "cudaopt/levelize/device_algorithms.hpp"
#include "cudaopt/levelize/row_engine.hpp"
#include "cudaopt/levelize/row_levels.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

struct row_plan {
  bool is_made = false;
  index_t levels = 0; ///< 0 if they were not computed.
  buffer<std::uint32_t> iterations;
  buffer<index_t> offsets;
  buffer<std::int32_t> sources;

  /// Rows a level below which neighbours mostly wait for each other, and hand
  /// their values on fastest inside of a warp.
  static constexpr index_t narrow = 24;

  row_level_order order() const {
    return {iterations.data(), offsets.data(), sources.data()};
  }
  std::size_t bytes() const {
    return iterations.bytes() + offsets.bytes() + sources.bytes();
  }
  void release() {
    is_made = false;
    iterations.reset();
    offsets.reset();
    sources.reset();
  }

  /// Makes nothing where levels are narrow or indices wide.
  template <class Loop>
  status make(scratch &memory, const Loop &loop, index_t rows,
              const row_facts &facts, std::uint64_t limit_ns) {
    if (rows < 2 || rows >= index_t(1) << 31 || loop.x.size >= index_t(1) << 31)
      return status::ok;
    buffer<std::uint32_t> keys, sorted;
    status s = keys.allocate(memory, rows);
    if (s == status::ok)
      s = sorted.allocate(memory, rows);
    std::uint32_t highest = 0;
    if (s == status::ok)
      s = find_levels(memory, loop, facts, limit_ns, keys, sorted, highest);
    if (s != status::ok)
      return s;
    levels = index_t(highest) + 1;
    if (rows / levels < narrow)
      return status::ok;
    int bits = length_bits;
    while (highest >> (bits - length_bits))
      ++bits;
    s = sort_pairs(memory, keys, sorted, 0, bits);
    if (s == status::ok)
      s = place(memory, loop, facts, keys, sorted);
    return s;
  }

private:
  template <class Loop>
  static status
  find_levels(scratch &memory, const Loop &loop, const row_facts &facts,
              std::uint64_t limit_ns, buffer<std::uint32_t> &keys,
              buffer<std::uint32_t> &rows_of_keys, std::uint32_t &highest) {
    using level = level_loop<Loop>;
    const index_t n = keys.size();
    const stream on = memory.on();
    row_engine engine;
    buffer<std::uint32_t> most;
    status s = engine.prepare(memory, n, row_cells<std::int32_t>::cell_bytes,
                              limit_ns);
    if (s == status::ok)
      s = most.allocate_filled(memory, 1, 0);
    row_tuning tuning;
    tuning.slot_bits = slot_bits_for(facts, n);
    if (s == status::ok)
      s = memory.check(engine.fit<level, loop_order>(n, tuning));
    if (s == status::ok)
      s = memory.check(engine.launch(level(loop), loop_order(), on));
    if (s != status::ok)
      return s;
    const index_t average = index_t(facts.terms) / n + 1;
    const bool is_even = index_t(facts.longest) < 4 * average + 8;
    read_levels<<<row_blocks(n), 256, 0, on>>>(
        loop, engine.run.cells, n, is_even ? 0 : average, keys.data(),
        rows_of_keys.data(), most.data());
    std::uint32_t stalled = 0;
    s = memory.check(cudaGetLastError());
    if (s == status::ok)
      s = memory.check(
          cudaMemcpyAsync(&highest, most.data(), 4, cudaMemcpyDefault, on));
    if (s == status::ok)
      s = memory.check(cudaMemcpyAsync(&stalled, &engine.run.control->stalled,
                                       4, cudaMemcpyDefault, on));
    if (s == status::ok)
      s = memory.check(cudaStreamSynchronize(on));
    engine.give_back(memory);
    most.give_back(memory);
    return s == status::ok && stalled ? status::stalled : s;
  }

  /// The order's arrays, from \p sorted iterations. \p positions is scratch.
  template <class Loop>
  status place(scratch &memory, const Loop &loop, const row_facts &facts,
               buffer<std::uint32_t> &positions,
               buffer<std::uint32_t> &sorted) {
    const index_t n = sorted.size();
    const stream on = memory.on();
    buffer<index_t> places;
    index_t size = n;
    status s = status::ok;
    if (index_t(facts.longest) > long_row)
      s = spread_long_rows(memory, loop, sorted, places, size);
    if (s == status::ok && size >= index_t(1) << 31)
      return status::ok; // Positions would not fit their type.
    if (s == status::ok)
      s = allocate(memory, size, std::max(index_t(facts.terms), index_t(1)));
    if (s != status::ok)
      return s;
    place_rows<<<row_blocks(n), 256, 0, on>>>(loop, n, sorted.data(),
                                              places.data(), iterations.data(),
                                              positions.data(), offsets.data());
    s = memory.check(cudaGetLastError());
    if (s == status::ok)
      s = sums_before(memory, offsets.data(), size + 1);
    if (s != status::ok)
      return s;
    place_sources<<<row_blocks(8 * size), 256, 0, on>>>(
        loop, size, order(), positions.data(), sources.data());
    s = memory.check(cudaGetLastError());
    is_made = s == status::ok;
    places.give_back(memory);
    return s;
  }

  /// No position has a row yet.
  status allocate(scratch &memory, index_t positions, index_t terms) {
    status s = iterations.allocate_filled(memory, positions, 0xff);
    if (s == status::ok)
      s = offsets.allocate_filled(memory, positions + 1, 0);
    if (s == status::ok)
      s = sources.allocate(memory, terms);
    return s;
  }

  /// The \p places of the \p sorted rows, and the number of positions.
  template <class Loop>
  static status spread_long_rows(scratch &memory, const Loop &loop,
                                 const buffer<std::uint32_t> &sorted,
                                 buffer<index_t> &places, index_t &size) {
    const index_t n = sorted.size();
    status s = places.allocate(memory, n + 1);
    if (s != status::ok)
      return s;
    measure_rows<<<row_blocks(n + 1), 256, 0, memory.on()>>>(
        loop, n, sorted.data(), places.data());
    s = memory.check(cudaGetLastError());
    if (s == status::ok)
      s = sums_before(memory, places.data(), n + 1);
    if (s == status::ok)
      s = memory.check(cudaMemcpyAsync(&size, places.data() + n, sizeof(size),
                                       cudaMemcpyDefault, memory.on()));
    return s == status::ok ? memory.check(cudaStreamSynchronize(memory.on()))
                           : s;
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_ROW_PLAN_HPP
