// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the accesses of the model with those of the IR. The model reads the
/// text, since it is the text that is edited; the IR follows values, whatever
/// the text looks like. What the IR shows and the model lacks is an access that
/// no edit would reach, so that the array must keep its layout.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_MISSEDUSES_H
#define CUDAOPT_LIB_MODEL_MISSEDUSES_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/DenseMap.h"

namespace cudaopt {

/// Refuses those of \p Arrays, the arrays of \p Instance and their ids in \p K,
/// that operations of \p F access at places where the instance has no such
/// access.
void refuseMissedUses(
    Kernel &K, const KernelInstance &Instance, const ir::Function &F,
    const llvm::DenseMap<const clang::VarDecl *, ArrayId> &Arrays);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_MISSEDUSES_H
