// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a kernel can tell of the thread that runs it. Two threads of a block
/// are duplicates if they differ only in dimensions that the kernel does not
/// observe. In an execution without a data race, duplicates execute the same
/// operations, on the same addresses, between the same barriers: consider the
/// first operation in which they differ. Its operands are constants, parameters
/// and what was computed before, which is the same; or it is a load. As nothing
/// but barriers of the whole block orders threads, it finds what was stored in
/// front of the last barrier, which is the same for both, or what the thread
/// itself has stored since; but then so has its duplicate, at that address, and
/// these stores race. So a store of one is a store of the other to the same
/// address, with no order between: duplicates store to no memory that they
/// share, or the program has a data race, which is undefined behavior.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_OBSERVEDTHREAD_H
#define CUDAOPT_MODEL_OBSERVEDTHREAD_H

#include "cudaopt/Model/Kernel.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Fills OrderedByBarriers and Observed of the unseen instances of \p K.
/// OrderedByBarriers is false if the kernel, or what it calls, contains a
/// statement, an expression or a call that may order threads otherwise, or one
/// of the ranges \p Skipped by `#if`. Observed holds the dimensions of which
/// they read threadIdx or blockDim; nothing if they may tell threads apart
/// otherwise, or order them.
void findObserved(Kernel &K, const clang::ASTContext &Context,
                  llvm::ArrayRef<clang::SourceRange> Skipped);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_OBSERVEDTHREAD_H
