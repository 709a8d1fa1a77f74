// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The value of a term's source: the new value of a row, from its cell, or an
/// old value of x.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_VALUE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_VALUE_HPP

#include "cudaopt/levelize/detail/rows/row_cells.hpp"
#include "cudaopt/levelize/detail/rows/row_parts.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Starts both loads, of a cell and of an old value, whichever is needed; the
/// other one goes to an address of the reader's own row. A load that only some
/// lanes make is waited for where they meet the others, so that no two of them
/// would be in flight at a time.
template <class Loop> class row_value {
  using T = typename Loop::value_type;
  using cells = row_cells<T>;

public:
  row_value() = default;
  /// \p from is a position before \p first, or ~row of an old value; for other
  /// positions the result is never ready. \p first and \p own are a position
  /// and a row of the reader's.
  __device__ row_value(const Loop &loop, const cells &c, index_t from,
                       index_t first, index_t own)
      : cell_(c.load(from >= 0 && from < first ? from : first)) {
    if constexpr (ignores_old_values<Loop>::value)
      old_ = T();
    else
      old_ = loop.x.data[from < 0 ? ~from : own];
  }
  __device__ bool is_ready(const cells &c, index_t from) const {
    return from < 0 || c.is_ready(cell_);
  }
  __device__ T get(index_t from) const {
    return from < 0 ? old_ : cells::value(cell_);
  }

private:
  typename cells::raw cell_;
  T old_;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_VALUE_HPP
