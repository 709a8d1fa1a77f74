// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the compiler knows of the columns that it merges into one request: the
/// column is a sum of a base, which the thread decides, and a number in
/// unrolled code. A layout that moves whole chunks of columns keeps them merged
/// only if its text keeps the two apart, as it was measured with nvcc 13.0
/// (-O3, sm_90):
///
/// \verbatim
///   #pragma unroll
///   for (int k = 0; k < 8; ++k)
///     ... s[r][8 * t + k] ...             chunks of 4 columns:
///
///     (8 * t + k) ^ f                     8 requests: each k has its register
///     ((8 * t + k & ~3) ^ f) + (k & 3)    8: nvcc does not see that the chunk
///                                         is the same for four k
///     ((8 * t + (k & ~3)) ^ f) + (k & 3)  2: k is a number
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_COLUMNSUM_H
#define CUDAOPT_ANALYSIS_COLUMNSUM_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

/// A column as the sum of a base and a number.
struct ColumnSum {
  /// The terms of the base, in the order of the text; empty if the whole column
  /// is a number in the unrolled code.
  llvm::SmallVector<SubscriptTerm, 2> Base;
  unsigned BaseZeros = 64; ///< So many low bits of the base are certainly 0.
  /// The other terms, in the order of the text; empty if the column is no
  /// number at all.
  llvm::SmallVector<SubscriptTerm, 2> Numbers;
  /// The most columns that the compiler merges, and that text can keep
  /// together: 1, 2, 4 or 8. The base is certainly a multiple of it.
  unsigned Chunk = 1;
  /// The number is certainly not negative and below 2^NumberBits, and the base
  /// a multiple of that: no more bits of the column depend on the number.
  unsigned NumberBits = 64;
};

/// The columns of accesses that may be merged with others.
using ColumnSums = llvm::DenseMap<const Access *, ColumnSum>;

/// Returns the columns of the accesses to \p Array that the compiler merges, or
/// would merge if they were stored side by side. The column is the last
/// subscript, or LinearSplit::Column.
ColumnSums findColumnSums(const KernelInstance &Instance, ArrayId Array);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_COLUMNSUM_H
