// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Tells the user's declarations of a translation unit from those of system
/// headers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_OWNDECLARATIONS_H
#define CUDAOPT_IR_OWNDECLARATIONS_H

#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace cudaopt {

/// Returns true if \p D stands in a header of the system or of the CUDA
/// toolkit.
bool isOfSystem(const clang::Decl *D);

/// Returns the outermost declarations outside of system headers, in their
/// order. Nothing is loaded from a precompiled image for it: the image holds
/// system headers only.
std::vector<clang::Decl *>
listOwnDeclarations(const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_IR_OWNDECLARATIONS_H
