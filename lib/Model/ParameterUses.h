// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parameters of which a function uses only the value: the text of the function
/// shows every use of what they refer to.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_PARAMETERUSES_H
#define CUDAOPT_LIB_MODEL_PARAMETERUSES_H

#include "clang/AST/Decl.h"

namespace cudaopt {

/// Returns true if \p Function does no more with its \p Index-th parameter, a
/// reference or a pointer, than to read and assign what it refers to.
bool usesOnlyValue(const clang::FunctionDecl *Function, unsigned Index);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_PARAMETERUSES_H
