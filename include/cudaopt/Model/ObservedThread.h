// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds which dimensions of the thread index a kernel observes: a kernel that
/// only reads threadIdx.x, for example, cannot tell two threads apart that
/// differ in y.
///
/// Call two threads of a block duplicates if they differ only in dimensions
/// that the kernel does not observe. Claim: in an execution without a data
/// race, duplicates execute the same operations, on the same addresses, between
/// the same barriers. Proof: consider the first operation in which they differ.
/// Its operands are constants, parameters and what was computed before, which
/// is the same for both; or it is a load. As nothing but barriers of the whole
/// block orders threads, the load finds what was stored before the last
/// barrier, which is the same for both, or what the thread itself has stored
/// since. But then its duplicate has stored to that address, too, and these
/// stores race.
///
/// The same argument shows that duplicates store to no memory that they share:
/// a store of one is a store of the other to the same address, with no order
/// between them, which is a data race and undefined behaviour.
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

/// Fills in OrderedByBarriers and Observed of the unseen instances of \p K.
/// OrderedByBarriers becomes false if the kernel, or a function it calls,
/// contains a statement, expression or call that may order threads otherwise,
/// or one of the ranges \p Skipped by `#if`. Observed becomes the set of
/// dimensions of which they read threadIdx or blockDim; std::nullopt if they
/// may tell threads apart by other means, or order them.
void findObserved(Kernel &K, const clang::ASTContext &Context,
                  llvm::ArrayRef<clang::SourceRange> Skipped);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_OBSERVEDTHREAD_H
