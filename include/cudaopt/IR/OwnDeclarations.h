// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Tells the user's declarations of a translation unit from those of system
/// headers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_OWNDECLARATIONS_H
#define CUDAOPT_IR_OWNDECLARATIONS_H

#include "cudaopt/Support/Nodes.h"

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

/// Returns the nodes of the class \p Node in these declarations (nodesIn()).
template <typename Node>
std::vector<const Node *> ownNodes(const clang::ASTContext &Context,
                                   NodeScope Scope = {}) {
  std::vector<const Node *> Found;
  for (const clang::Decl *D : listOwnDeclarations(Context))
    for (const Node *Each : nodesIn<Node>(D, Scope))
      Found.push_back(Each);
  return Found;
}

} // namespace cudaopt

#endif // CUDAOPT_IR_OWNDECLARATIONS_H
