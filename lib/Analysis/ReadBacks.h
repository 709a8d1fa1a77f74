// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Products that are written to a shared array and that the same thread may
/// read back before a barrier. There a compiler may take the value from the
/// write instead of from memory, and fuse the product with a sum:
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

/// Returns how many operations of \p F write a value that may be a product to
/// \p Array such that control may get from there to a read of the array, and to
/// no barrier of the block before that. Which elements are accessed is not
/// asked.
unsigned countReadBacks(const ir::Function &F, const clang::VarDecl &Array);

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_READBACKS_H
