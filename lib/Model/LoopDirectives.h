// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether directives of the preprocessor let the text of a loop of the host
/// stand in front of its function, too, and mean the same there.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_LOOPDIRECTIVES_H
#define CUDAOPT_LIB_MODEL_LOOPDIRECTIVES_H

#include "cudaopt/Model/Kernel.h"

#include "clang/AST/ASTContext.h"

namespace cudaopt {

/// Returns why \p Loop, a statement of the main file in the definition \p
/// Function, cannot be copied in front of it: what a directive in front of the
/// loop, or inside of it, does to its text. Reason::None if nothing. \p Begin
/// is where the declaration starts in front of which the copy would stand.
Blocker findLoopDirective(const clang::Stmt *Loop,
                          const clang::FunctionDecl *Function,
                          clang::SourceLocation Begin,
                          const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_LOOPDIRECTIVES_H
