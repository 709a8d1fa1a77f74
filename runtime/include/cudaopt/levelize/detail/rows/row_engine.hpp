// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The host's side of executing rows: the memory that executions share, the
/// size of their grid, and their launches.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_ENGINE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_ENGINE_HPP

#include "cudaopt/levelize/detail/rows/row_kernels.hpp"
#include "cudaopt/levelize/detail/support/buffer.hpp"

#include <algorithm>

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Lets launches of \p kernel have as many dynamic bytes as the device allows.
/// The limit is the kernel's, not the launch's: one plan must not lower it for
/// the next launch of another.
template <class Kernel>
cudaError_t allow_all_shared_memory(Kernel *kernel, int device) {
  int most = 0;
  cudaFuncAttributes facts{};
  cudaError_t e = cudaDeviceGetAttribute(
      &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (e == cudaSuccess)
    e = cudaFuncGetAttributes(&facts, kernel);
  if (e == cudaSuccess)
    e = cudaFuncSetAttribute(kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             most - int(facts.sharedSizeBytes));
  return e;
}

/// How rows are executed.
struct row_tuning {
  unsigned slots = 4; ///< See row_run.
  int blocks = 0;     ///< The grid's; 0 is all that the device holds at a time.
};

/// The number of slots of a row, a power of two from 4 to 32: so many that all
/// terms of most rows have slots at the same time, and no more, since a slot
/// costs shared memory, and with it occupancy.
inline unsigned row_slots_for(const row_facts &facts, index_t rows) {
  const index_t average = rows ? index_t(facts.terms) / rows : 0;
  const index_t wanted =
      std::min(index_t(facts.longest), average + (average + 1) / 2);
  unsigned slots = 4;
  while (slots < 32 && slots < wanted)
    slots *= 2;
  return slots;
}

/// Blocks of 256 for kernels that stride over \p threads.
inline unsigned row_blocks(index_t threads) {
  return unsigned(
      std::max<index_t>(1, std::min<index_t>((threads + 255) / 256, 4096)));
}

/// The cells of a loop's rows, used by one execution after the other:
/// prepare(), fit(), then execute() as often as needed.
struct row_engine {
  buffer<row_control> control;
  buffer<std::uint64_t> cells;
  row_run run;
  int blocks = 1; ///< The grid's.

  /// Makes \p positions cells of \p cell_bytes each, none of them ready.
  status prepare(scratch &memory, index_t positions, std::size_t cell_bytes,
                 std::uint64_t limit_ns) {
    status s = control.allocate_filled(memory, 1, 0);
    if (s == status::ok)
      s = cells.allocate_filled(
          memory, std::max<index_t>(positions, 1) * index_t(cell_bytes / 8), 0);
    if (s != status::ok)
      return s;
    run.cells = cells.data();
    run.control = control.data();
    run.limit_ns = limit_ns;
    // Sets the low byte: the epoch becomes 1, without a copy from the host.
    return memory.check(
        cudaMemsetAsync(&control.data()->epoch, 1, 1, memory.on()));
  }
  void give_back(scratch &memory) {
    control.give_back(memory);
    cells.give_back(memory);
  }

  /// The dynamic shared memory of a block of the grid.
  template <class Loop> std::size_t shared_bytes() const {
    return row_slots<Loop>::bytes(run.slots) * (row_threads / 32);
  }

  /// Fits the grid to the device: as many blocks as are resident together, or
  /// as there is work for.
  template <class Loop, class Order>
  cudaError_t fit(index_t positions, const Order &order,
                  const row_tuning &tuning) {
    run.positions = positions;
    run.blocks = order.blocks(positions);
    run.slots = tuning.slots;
    for (run.slot_bits = 0; 1u << run.slot_bits < tuning.slots;)
      ++run.slot_bits;
    const std::size_t shared = shared_bytes<Loop>();
    int device = 0, processors = 1, a_processor = 1;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess)
      e = allow_all_shared_memory(row_kernel<Loop, Order>::run, device);
    if (e == cudaSuccess)
      e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                                 device);
    if (e == cudaSuccess)
      e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &a_processor, row_kernel<Loop, Order>::run, row_threads, shared);
    const index_t resident = index_t(processors) * a_processor;
    const index_t wanted = tuning.blocks ? tuning.blocks : resident;
    const index_t enough = (run.blocks * 32 + row_threads - 1) / row_threads;
    blocks = int(std::max<index_t>(1, std::min({resident, wanted, enough})));
    return e;
  }

  /// Fills the cells, without the copy to x.
  template <class Loop, class Order>
  cudaError_t launch(const Loop &loop, const Order &order, stream s) const {
    return launch(loop, order, run, s);
  }
  /// Runs all rows and writes x. Asynchronous.
  template <class Loop, class Order>
  cudaError_t execute(const Loop &loop, const Order &order, stream s) const {
    const cudaError_t e = launch(loop, order, run, s);
    if (e != cudaSuccess || run.positions == 0 || run.writes_through)
      return e;
    commit_rows<<<row_blocks(run.positions), 256, 0, s>>>(loop, order, run);
    return cudaGetLastError();
  }

  /// Returns how many ms an execution takes that leaves x alone, the second of
  /// two; a negative number if it failed. Waits for the stream.
  template <class Loop, class Order>
  float try_ms(const Loop &loop, const Order &order, stream s) const {
    row_run trial = run;
    trial.writes_through = false;
    float ms = -1;
    cudaEvent_t begin = nullptr, end = nullptr;
    cudaError_t e = cudaEventCreate(&begin);
    if (e == cudaSuccess)
      e = cudaEventCreate(&end);
    for (int again = 0; again < 2 && e == cudaSuccess; ++again) {
      e = cudaEventRecord(begin, s);
      if (e == cudaSuccess)
        e = launch(loop, order, trial, s);
      if (e == cudaSuccess)
        e = cudaEventRecord(end, s);
    }
    if (e == cudaSuccess)
      e = cudaEventSynchronize(end);
    if (e == cudaSuccess)
      e = cudaEventElapsedTime(&ms, begin, end);
    if (begin)
      (void)cudaEventDestroy(begin);
    if (end)
      (void)cudaEventDestroy(end);
    return e == cudaSuccess ? ms : -1;
  }

private:
  template <class Loop, class Order>
  cudaError_t launch(const Loop &loop, const Order &order, const row_run &how,
                     stream s) const {
    if (how.positions == 0)
      return cudaSuccess;
    row_kernel<Loop, Order>::
        run<<<unsigned(blocks), row_threads, shared_bytes<Loop>(), s>>>(
            loop, order, how);
    return cudaGetLastError();
  }
};

/// Gathers the facts of \p rows > 0 rows in one pass over their sources; waits
/// for it.
template <class Loop>
status find_facts(scratch &memory, const Loop &loop, index_t rows,
                  row_facts &facts) {
  const stream on = memory.on();
  buffer<row_facts> found;
  status s = found.allocate(memory, 1);
  if (s == status::ok)
    s = memory.check(cudaMemcpyAsync(found.data(), &facts, sizeof(facts),
                                     cudaMemcpyDefault, on));
  if (s != status::ok)
    return s;
  inspect_rows<<<row_blocks(8 * rows), 256, 0, on>>>(loop, rows, found.data());
  s = memory.check(cudaGetLastError());
  if (s == status::ok)
    s = memory.check(cudaMemcpyAsync(&facts, found.data(), sizeof(facts),
                                     cudaMemcpyDefault, on));
  if (s == status::ok)
    s = memory.check(cudaStreamSynchronize(on));
  found.give_back(memory);
  return s;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_ENGINE_HPP
