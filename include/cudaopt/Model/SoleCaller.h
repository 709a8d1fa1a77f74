// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Functions that serve one kernel only: what they declare may be stored with
/// what that kernel declares.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_SOLECALLER_H
#define CUDAOPT_MODEL_SOLECALLER_H

#include "cudaopt/Model/Kernel.h"

namespace cudaopt {

/// Returns what may run \p Function besides calls in the body of \p Kernel, or
/// why its text is not that of one function in the main file; nothing if it is
/// and nothing may.
std::optional<Blocker> findOtherCaller(const clang::FunctionDecl *Function,
                                       const clang::FunctionDecl *Kernel,
                                       clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_SOLECALLER_H
