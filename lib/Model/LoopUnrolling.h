// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether the compiler can unroll a loop, so that its iterations stand side by
/// side.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_LOOPUNROLLING_H
#define CUDAOPT_LIB_MODEL_LOOPUNROLLING_H

#include "cudaopt/Model/Kernel.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

namespace cudaopt {

/// Sets MayUnroll, WantedUnroll and HasConstantBounds of \p L, whose body is
/// \p Body, given the \p Attributes of the loop.
void describeUnrolling(const clang::ASTContext &Context,
                       const clang::Stmt *Body,
                       llvm::ArrayRef<const clang::Attr *> Attributes, Loop &L);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_LOOPUNROLLING_H
