// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns plans into edits of the kernels' text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REWRITE_REWRITEKERNEL_H
#define CUDAOPT_REWRITE_REWRITEKERNEL_H

#include "cudaopt/Rewrite/Edits.h"
#include "cudaopt/Transforms/Plan.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// A layout that an array of \c K is to get, in every instance of \c K.
struct ArrayRewrite {
  const Kernel &K;
  ArrayId Array;
  const Layout &New;
  std::string WhyNot = ""; ///< Why its text stays; empty if it is edited.
};

/// Returns the edits that give all arrays of \p Wanted their layouts but those
/// for which it fills in WhyNot: these get no edit. Rewrites of one kernel
/// follow each other.
Edits rewriteArrays(llvm::MutableArrayRef<ArrayRewrite> Wanted,
                    clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_REWRITE_REWRITEKERNEL_H
