// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Overwrites what is said to be dead, to test that it is: a kernel whose live
/// ranges are right does not notice.
///
/// \verbatim
///   __syncthreads();  ->  __syncthreads();
///                         for (... i = thread; i < sizeof(a); i += threads)
///                           ((unsigned char *)&a)[i] = 0xff;
///                         __syncthreads();
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_POISONEDIT_H
#define CUDAOPT_LIB_REWRITE_POISONEDIT_H

#include "cudaopt/Rewrite/Edits.h"
#include "cudaopt/Transforms/Plan.h"

namespace cudaopt {

llvm::Error poison(llvm::ArrayRef<DeadVariable> Dead, Edits &E);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_POISONEDIT_H
