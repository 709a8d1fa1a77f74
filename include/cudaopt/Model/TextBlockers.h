// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which parts of a kernel's text cannot be edited, and why.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_TEXTBLOCKERS_H
#define CUDAOPT_MODEL_TEXTBLOCKERS_H

#include "cudaopt/Model/Kernel.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Fills DeclarationBlocker and SubscriptBlocker of every array of \p K, and
/// adds a blocker to an array that one of the ranges \p Skipped by `#if`
/// mentions inside the kernel.
void findTextBlockers(Kernel &K, const clang::ASTContext &Context,
                      llvm::ArrayRef<clang::SourceRange> Skipped);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_TEXTBLOCKERS_H
