// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which functions can be copied under another name, such that some of the
/// calls can call the copy.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_FUNCTIONCOPIES_H
#define CUDAOPT_LIB_MODEL_FUNCTIONCOPIES_H

#include "cudaopt/Model/Kernel.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// True if the file or its headers declare another function that has the name
/// of \p Function: calls choose between them by the types of parameters.
bool isOverloaded(const clang::FunctionDecl *Function);

/// Returns why the function of use \p Id of \p Uses cannot be copied for the
/// calls of that use.
std::optional<Blocker> findCopyBlocker(llvm::ArrayRef<FunctionUse> Uses,
                                       FunctionUseId Id,
                                       const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_FUNCTIONCOPIES_H
