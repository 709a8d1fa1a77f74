// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes of a shared array that the same thread may read back before a
/// barrier. There a compiler may take the value from the write instead of from
/// memory, and fuse it with a sum if it is a product:
///
/// \verbatim
///   s[t] = a * b;              s[t] = a * b;
///   out[t] = s[t] + c;         __syncthreads();
///                              out[t] = s[t] + c;
///   reads back                 does not
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_READBACKS_H
#define CUDAOPT_LIB_ANALYSIS_READBACKS_H

#include "cudaopt/IR/Function.h"

namespace cudaopt {

struct ReadBacks {
  unsigned NumWrites = 0; ///< The number of operations that write.
  /// One of them whose value may be a product; null if there is none.
  const ir::Operation *Product = nullptr;
};

/// Returns the operations of \p F that write \p Array, a `__shared__` variable,
/// such that control may get from there to a read of the array, and to no
/// barrier of the block before that. Which elements are accessed is not asked.
/// With \p Approximates, any quotient may be computed as a product.
ReadBacks findReadBacks(const ir::Function &F, const clang::VarDecl &Array,
                        bool Approximates);

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_READBACKS_H
