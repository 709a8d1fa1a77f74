// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a term's source names: a row's cell or an old value.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROW_VALUE_HPP
#define CUDAOPT_LEVELIZE_ROW_VALUE_HPP

#include "cudaopt/levelize/row_cells.hpp"
#include "cudaopt/levelize/row_parts.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Both are always loaded, from a place of the reader's own if need be: a load
/// that only some lanes make is waited for where they meet the others, and so
/// no two of them would be on their way at a time.
template <class Loop> class row_value {
  using T = typename Loop::value_type;
  using cells = row_cells<T>;

public:
  row_value() = default;
  /// \p from: a position before \p first, or ~row; for others, nothing comes.
  /// \p first and \p own are a position and a row of the reader's.
  __device__ row_value(const Loop &loop, const cells &c, index_t from,
                       index_t first, index_t own)
      : Cell(c.load(from >= 0 && from < first ? from : first)) {
    if constexpr (ignores_old_values<Loop>::value)
      Old = T();
    else
      Old = loop.x.data[from < 0 ? ~from : own];
  }
  __device__ bool is_ready(const cells &c, index_t from) const {
    return from < 0 || c.is_ready(Cell);
  }
  __device__ T get(index_t from) const {
    return from < 0 ? Old : cells::value(Cell);
  }

private:
  typename cells::raw Cell;
  T Old;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_ROW_VALUE_HPP
