// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The argument of the kernels that execute a row_loop, whatever the order of
/// its rows.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_RUN_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_RUN_HPP

#include "cudaopt/levelize/detail/rows/row_cells.hpp"
#include "cudaopt/levelize/detail/support/warp.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// One execution of rows.
struct row_run {
  index_t positions = 0; ///< The number of rows; each has a position.
  index_t blocks = 0;    ///< The number of blocks of rows that warps claim.
  void *cells = nullptr; ///< A row_cells cell for each position.
  row_control *control = nullptr;
  std::uint64_t limit_ns = 0; ///< The watchdog's limit of a wait.
  unsigned slots = 4; ///< Terms of a row that are in shared memory at a time.
  /// log2(slots), rounded up: 1 << slot_bits lanes read for a row.
  unsigned slot_bits = 2;
  /// No row reads old values, so that x is written at once; otherwise a second
  /// kernel copies the cells to x.
  bool writes_through = false;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_RUN_HPP
