// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Dataflow over rows: every row has a cell, and who reads a row's new value
/// waits for its cell. x keeps its old values until all rows are done.
///
/// Rows run in the loop's order, or, where a plan is used again, in the order
/// of their levels: then rows that wait for each other are far apart.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_OWNER_HPP
#define CUDAOPT_LEVELIZE_OWNER_HPP

#include "cudaopt/levelize/inspection.hpp"
#include "cudaopt/levelize/row_levels.hpp"

#include <algorithm>

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// How rows are executed.
struct row_tuning {
  unsigned slot_bits = 2;
  unsigned nap_ns = 0;
  int blocks = 0; ///< Of the grid; 0 is what the device holds at a time.
};

/// What executions of rows share, and their launches.
struct row_engine {
  buffer<row_control> control;
  buffer<std::uint64_t> cells;
  row_run run;
  int blocks = 1; ///< Of run_rows.

  /// Cells for \p rows values of \p cell_bytes, none of them ready.
  status prepare(scratch &memory, index_t rows, std::size_t cell_bytes,
                 std::uint64_t limit_ns) {
    status s = control.allocate(memory, 1);
    if (s == status::ok)
      s = cells.allocate(memory,
                         std::max<index_t>(rows, 1) * index_t(cell_bytes / 8));
    if (s != status::ok)
      return s;
    run.rows = rows;
    run.cells = cells.data();
    run.control = control.data();
    run.limit_ns = limit_ns;
    s = memory.check(
        cudaMemsetAsync(cells.data(), 0, cells.bytes(), memory.on()));
    if (s == status::ok)
      s = memory.check(
          cudaMemsetAsync(control.data(), 0, control.bytes(), memory.on()));
    if (s == status::ok) // Epoch 1: byte by byte, so that nothing is copied.
      s = memory.check(
          cudaMemsetAsync(&control.data()->epoch, 1, 1, memory.on()));
    return s;
  }

  template <class Loop> std::size_t shared_bytes() const {
    return row_slots<Loop>::bytes(1u << run.slot_bits) * (row_threads / 32);
  }

  /// Fits the grid to the device.
  template <class Loop, class Order> cudaError_t fit(const row_tuning &tuning) {
    run.slot_bits = tuning.slot_bits;
    run.nap_ns = tuning.nap_ns;
    const std::size_t shared = shared_bytes<Loop>();
    int device = 0, processors = 1, a_processor = 1;
    cudaError_t e = cudaFuncSetAttribute(
        run_rows<Loop, Order>, cudaFuncAttributeMaxDynamicSharedMemorySize,
        int(shared));
    if (e == cudaSuccess)
      e = cudaGetDevice(&device);
    if (e == cudaSuccess)
      e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                                 device);
    if (e == cudaSuccess)
      e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &a_processor, run_rows<Loop, Order>, row_threads, shared);
    const index_t resident = std::max<index_t>(
        1, tuning.blocks ? tuning.blocks : index_t(processors) * a_processor);
    blocks = int(std::max<index_t>(
        1, std::min(resident, (run.rows + row_threads - 1) / row_threads)));
    return e;
  }

  template <class Loop, class Order>
  cudaError_t launch(const Loop &loop, const Order &order, stream s) const {
    if (run.rows == 0)
      return cudaSuccess;
    run_rows<Loop, Order>
        <<<unsigned(blocks), row_threads, shared_bytes<Loop>(), s>>>(
            loop, order, run);
    return cudaGetLastError();
  }
  template <class Loop, class Order>
  cudaError_t commit(const Loop &loop, const Order &order, stream s) const {
    if (run.rows == 0 || run.writes_through)
      return cudaSuccess;
    const index_t enough = (run.rows + 1023) / 1024;
    commit_rows<Loop, Order>
        <<<unsigned(std::min<index_t>(enough, 1 << 16)), 256, 0, s>>>(
            loop, order, run);
    return cudaGetLastError();
  }
};

template <> struct on_device<strategy::owner> {
  struct state : plan_state {
    row_engine engine;
    row_facts facts;
    bool has_levels = false;
    index_t levels = 0;
    buffer<std::uint32_t> iterations;
    buffer<index_t> offsets;
    buffer<std::int32_t> sources;

    std::size_t bytes() const override {
      return engine.control.bytes() + engine.cells.bytes() +
             iterations.bytes() + offsets.bytes() + sources.bytes();
    }
    const std::uint32_t *stalled_word() const override {
      return &engine.control.data()->stalled;
    }
    row_level_order order() const {
      return {iterations.data(), offsets.data(), sources.data()};
    }
  };

  template <class Loop> static constexpr bool applies_to_rows() {
    if constexpr (is_row_loop<Loop>::value)
      return is_word<typename Loop::value_type>;
    else
      return false;
  }
  template <class Loop> static constexpr bool applies = applies_to_rows<Loop>();

  /// From this number of executions on, an order by levels pays.
  static constexpr int runs_for_levels = 3;
  /// Rows a level below which neighbours mostly wait for each other, and hand
  /// their values on fastest inside of a warp.
  static constexpr index_t narrow = 24;

  template <class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    auto made = std::make_unique<state>();
    status s = look(in, loop, made->facts);
    if (s == status::ok)
      s = made->engine.prepare(in.memory, in.iterations,
                               row_cells<typename Loop::value_type>::cell_bytes,
                               patience_of(in));
    if (s != status::ok)
      return s;
    made->engine.run.writes_through = made->facts.old == 0;
    if (in.wanted.expected_runs >= runs_for_levels) {
      // Without memory for an order there is still the loop's own.
      s = order_by_levels(in, loop, *made);
      if (s != status::ok && s != status::out_of_memory)
        return s;
    }
    s = in.memory.check(
        fit<Loop>(*made, tuning_for(made->facts, in.iterations)));
    if (s == status::ok)
      result = std::move(made);
    return s;
  }

  template <class Loop>
  static status execute(state &st, const Loop &loop, index_t iterations,
                        stream s) {
    if (iterations != st.engine.run.rows)
      return status::unsupported;
    cudaError_t e;
    if (st.has_levels) {
      e = st.engine.launch(loop, st.order(), s);
      if (e == cudaSuccess)
        e = st.engine.commit(loop, st.order(), s);
    } else {
      e = st.engine.launch(loop, loop_order(), s);
      if (e == cudaSuccess)
        e = st.engine.commit(loop, loop_order(), s);
    }
    return e == cudaSuccess ? status::ok : status::cuda_error;
  }

  /// Most rows' terms have slots at the same time; a slot costs shared memory,
  /// and with it rows in flight.
  static row_tuning tuning_for(const row_facts &facts, index_t rows) {
    row_tuning tuning;
    const index_t average = rows ? index_t(facts.terms) / rows : 0;
    const index_t wanted =
        std::min(index_t(facts.longest), average + (average + 1) / 2);
    while (tuning.slot_bits < 5 && (1 << tuning.slot_bits) < wanted)
      ++tuning.slot_bits;
    return tuning;
  }
  template <class Loop>
  static cudaError_t fit(state &st, const row_tuning &tuning) {
    return st.has_levels ? st.engine.fit<Loop, row_level_order>(tuning)
                         : st.engine.fit<Loop, loop_order>(tuning);
  }

private:
  static std::uint64_t patience_of(const inspection &in) {
    return std::uint64_t(in.wanted.stall_ms ? in.wanted.stall_ms : 10000) *
           1000000;
  }
  static unsigned blocks_for(index_t threads) {
    return unsigned(
        std::max<index_t>(1, std::min<index_t>((threads + 255) / 256, 4096)));
  }

  /// Refuses what reads or writes outside of x.
  template <class Loop>
  static status look(inspection &in, const Loop &loop, row_facts &facts) {
    const index_t n = in.iterations;
    for (index_t t : {index_t(0), n - 1})
      if (n > 0 && std::uint64_t(loop.row(t)) >= std::uint64_t(loop.x.size)) {
        in.info.bad_iteration = 0;
        if (std::uint64_t(loop.row(0)) < std::uint64_t(loop.x.size))
          in.info.bad_iteration =
              loop.stride > 0 ? loop.x.size - loop.first : loop.first + 1;
        return status::index_out_of_range;
      }
    if (n == 0)
      return status::ok;
    buffer<row_facts> found;
    status s = found.allocate(in.memory, 1);
    if (s != status::ok)
      return s;
    s = in.memory.check(cudaMemcpyAsync(found.data(), &facts, sizeof(facts),
                                        cudaMemcpyDefault, in.memory.on()));
    if (s != status::ok)
      return s;
    inspect_rows<<<blocks_for(8 * n), 256, 0, in.memory.on()>>>(loop, n,
                                                                found.data());
    s = in.memory.check(cudaGetLastError());
    if (s == status::ok)
      s = in.memory.check(cudaMemcpyAsync(&facts, found.data(), sizeof(facts),
                                          cudaMemcpyDefault, in.memory.on()));
    if (s == status::ok)
      s = in.memory.check(cudaStreamSynchronize(in.memory.on()));
    found.give_back(in.memory);
    in.info.accesses = index_t(facts.terms) + n;
    if (s == status::ok && facts.first_bad != ~0ull) {
      in.info.bad_iteration = index_t(facts.first_bad);
      s = status::index_out_of_range;
    }
    return s;
  }

  /// Leaves the loop's own order where levels are narrow or indices wide.
  template <class Loop>
  static status order_by_levels(inspection &in, const Loop &loop, state &st) {
    const index_t n = in.iterations;
    if (n < 2 || n >= index_t(1) << 31 || loop.x.size >= index_t(1) << 31)
      return status::ok;
    buffer<std::uint32_t> levels, order;
    status s = levels.allocate(in.memory, n);
    if (s == status::ok)
      s = order.allocate(in.memory, n);
    std::uint32_t highest = 0;
    if (s == status::ok)
      s = find_levels(in, loop, st.facts, levels, order, highest);
    if (s != status::ok)
      return s;
    st.levels = in.info.levels = index_t(highest) + 1;
    if (n / st.levels < narrow)
      return status::ok;
    int bits = 0;
    while (bits < 32 && highest >> bits)
      ++bits;
    s = sort_pairs(in.memory, levels, order, 0, bits);
    if (s == status::ok)
      s = place(in, loop, st, levels, order);
    return s;
  }

  template <class Loop>
  static status
  find_levels(inspection &in, const Loop &loop, const row_facts &facts,
              buffer<std::uint32_t> &levels, buffer<std::uint32_t> &order,
              std::uint32_t &highest) {
    using level = level_loop<Loop>;
    const index_t n = in.iterations;
    const stream on = in.memory.on();
    row_engine engine;
    buffer<std::uint32_t> most;
    status s = engine.prepare(in.memory, n, row_cells<std::int32_t>::cell_bytes,
                              patience_of(in));
    if (s == status::ok)
      s = most.allocate(in.memory, 1);
    if (s == status::ok)
      s = in.memory.check(cudaMemsetAsync(most.data(), 0, 4, on));
    if (s == status::ok)
      s = in.memory.check(engine.fit<level, loop_order>(tuning_for(facts, n)));
    if (s == status::ok)
      s = in.memory.check(engine.launch(level(loop), loop_order(), on));
    if (s != status::ok)
      return s;
    read_levels<<<blocks_for(n), 256, 0, on>>>(
        engine.run.cells, n, levels.data(), order.data(), most.data());
    std::uint32_t stalled = 0;
    s = in.memory.check(cudaGetLastError());
    if (s == status::ok)
      s = in.memory.check(
          cudaMemcpyAsync(&highest, most.data(), 4, cudaMemcpyDefault, on));
    if (s == status::ok)
      s = in.memory.check(cudaMemcpyAsync(
          &stalled, &engine.run.control->stalled, 4, cudaMemcpyDefault, on));
    if (s == status::ok)
      s = in.memory.check(cudaStreamSynchronize(on));
    in.memory.release(engine.control.bytes() + engine.cells.bytes() + 4);
    return s == status::ok && stalled ? status::stalled : s;
  }

  /// The order's arrays. \p positions is overwritten.
  template <class Loop>
  static status place(inspection &in, const Loop &loop, state &st,
                      buffer<std::uint32_t> &positions,
                      buffer<std::uint32_t> &order) {
    const index_t n = in.iterations;
    const stream on = in.memory.on();
    status s = st.offsets.allocate(in.memory, n + 1);
    if (s == status::ok)
      s = st.sources.allocate(in.memory,
                              std::max<index_t>(index_t(st.facts.terms), 1));
    if (s != status::ok)
      return s;
    place_rows<<<blocks_for(n + 1), 256, 0, on>>>(
        loop, n, order.data(), positions.data(), st.offsets.data());
    s = in.memory.check(cudaGetLastError());
    if (s == status::ok)
      s = sums_before(in.memory, st.offsets.data(), n + 1);
    if (s != status::ok)
      return s;
    st.iterations = std::move(order);
    place_sources<<<blocks_for(8 * n), 256, 0, on>>>(
        loop, n, st.order(), positions.data(), st.sources.data());
    s = in.memory.check(cudaGetLastError());
    st.has_levels = s == status::ok;
    return s;
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_OWNER_HPP
