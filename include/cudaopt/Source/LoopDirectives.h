// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether preprocessor directives allow the text of a host loop to be copied
/// in front of its function and mean the same there.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SOURCE_LOOPDIRECTIVES_H
#define CUDAOPT_SOURCE_LOOPDIRECTIVES_H

#include "cudaopt/Support/Reason.h"

#include "clang/AST/ASTContext.h"

namespace cudaopt {

/// Returns why \p Loop, a statement of the main file in the definition
/// \p Function, cannot be copied in front of that: what a directive in front of
/// the loop, or inside of it, does to its text. std::nullopt if there is
/// nothing. \p Begin is the start of the declaration in front of which the copy
/// would stand.
std::optional<Refusal> findLoopDirective(const clang::Stmt *Loop,
                                         const clang::FunctionDecl *Function,
                                         clang::SourceLocation Begin,
                                         const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_SOURCE_LOOPDIRECTIVES_H
