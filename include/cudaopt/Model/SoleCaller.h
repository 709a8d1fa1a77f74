// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds functions that only one kernel calls: the `__shared__` variables that
/// they declare may share storage with those of the kernel.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_SOLECALLER_H
#define CUDAOPT_MODEL_SOLECALLER_H

#include "cudaopt/Model/Kernel.h"

namespace cudaopt {

/// Returns what else may run \p Function than calls in the body of \p Kernel,
/// or why its text is not that of a single function in the main file;
/// std::nullopt if neither applies.
std::optional<Refusal> findOtherCaller(const clang::FunctionDecl *Function,
                                       const clang::FunctionDecl *Kernel,
                                       clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_SOLECALLER_H
