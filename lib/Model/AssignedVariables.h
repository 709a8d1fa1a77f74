// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a statement changes by name.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ASSIGNEDVARIABLES_H
#define CUDAOPT_LIB_MODEL_ASSIGNEDVARIABLES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

/// Returns the variables that \p S declares, assigns as wholes or in a member,
/// increments or decrements; once for each time. \p S may be null.
llvm::SmallVector<const clang::VarDecl *, 8>
findAssignedVariables(const clang::Stmt *S);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ASSIGNEDVARIABLES_H
