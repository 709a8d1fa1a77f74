// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Measures a kernel of which each thread walks along a row of a matrix. The
/// size is the length of a row; there are so many rows that the matrix has some
/// 2^26 elements, but no more than half a million rows.
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_ROWS_GPU_ROWS_H
#define BENCHMARKS_ROWS_GPU_ROWS_H

#include "../../reuse/gpu/Occupancy.h"

namespace bench {

/// The rows for \p columns columns, a multiple of 256.
inline int rowsFor(int columns) {
  return std::min((1 << 26) / columns, 1 << 19) / 256 * 256;
}

} // namespace bench

#endif // BENCHMARKS_ROWS_GPU_ROWS_H
