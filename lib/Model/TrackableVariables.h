// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Local variables whose address is never taken, so that the text of their
/// function shows every change of them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_TRACKABLEVARIABLES_H
#define CUDAOPT_LIB_MODEL_TRACKABLEVARIABLES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace cudaopt {

/// Returns the parameters and locals of \p Function that only assignments,
/// increments and reads mention: no pointer or reference can change them behind
/// our back.
llvm::DenseSet<const clang::VarDecl *>
findTrackableVariables(const clang::FunctionDecl *Function);

/// Returns true if \p Function does no more with its \p Index-th parameter, a
/// reference or a pointer, than to read and assign what it refers to.
bool usesOnlyValue(const clang::FunctionDecl *Function, unsigned Index);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_TRACKABLEVARIABLES_H
