// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a user wrote of a translation unit.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_OWNDECLARATIONS_H
#define CUDAOPT_MODEL_OWNDECLARATIONS_H

#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace cudaopt {

/// True if \p D stands in a header of the system, the toolkit's included.
bool isOfSystem(const clang::Decl *D);

/// Returns the outermost declarations outside of system headers, in their
/// order. What a precompiled image declares is never loaded for it: the image
/// holds system headers only.
std::vector<clang::Decl *>
listOwnDeclarations(const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_OWNDECLARATIONS_H
