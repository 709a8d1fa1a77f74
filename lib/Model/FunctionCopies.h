// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which device functions can be copied under another name, so that some of
/// their calls can call the copy. A copy is needed when a layout changes the
/// text of a function that other arrays or kernels use, too.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_FUNCTIONCOPIES_H
#define CUDAOPT_LIB_MODEL_FUNCTIONCOPIES_H

#include "cudaopt/Model/Kernel.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Returns true if the file or its headers declare another function with the
/// name of \p Function: calls then choose between them by the types of
/// parameters.
bool isOverloaded(const clang::FunctionDecl *Function);

/// Returns why the function of use \p Id of \p Uses cannot be copied for the
/// calls of that use; std::nullopt if it can.
std::optional<Refusal> findCopyRefusal(llvm::ArrayRef<FunctionUse> Uses,
                                       FunctionUseId Id,
                                       const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_FUNCTIONCOPIES_H
