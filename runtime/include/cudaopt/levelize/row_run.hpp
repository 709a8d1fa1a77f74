// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// One execution of rows, as its kernel sees it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROW_RUN_HPP
#define CUDAOPT_LEVELIZE_ROW_RUN_HPP

#include "cudaopt/levelize/row_cells.hpp"
#include "cudaopt/levelize/warp.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

struct row_run {
  index_t positions = 0; ///< Of rows.
  index_t blocks = 0;    ///< Of rows that a warp claims at a time.
  void *cells = nullptr;
  row_control *control = nullptr;
  std::uint64_t limit_ns = 0;  ///< Of a wait.
  unsigned slots = 4;          ///< Of a row.
  unsigned slot_bits = 2;      ///< That many lanes read for a row, as a power.
  bool writes_through = false; ///< Rows read no old values: x is written at
                               ///< once.
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_ROW_RUN_HPP
