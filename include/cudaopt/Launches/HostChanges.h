// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which variables of host code may get another value, and by what.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LAUNCHES_HOSTCHANGES_H
#define CUDAOPT_LAUNCHES_HOSTCHANGES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace cudaopt {

class HostChanges {
public:
  /// Looks for variables that \p D changes, or hands out by reference or
  /// address.
  void find(clang::Decl *D);

  /// True if some statement may change \p Variable after its initialisation.
  bool isChanged(const clang::VarDecl *Variable) const {
    return Changed.contains(Variable->getCanonicalDecl());
  }
  /// True if more than assignments to its name may change \p Variable.
  bool isHandedOut(const clang::VarDecl *Variable) const {
    return HandedOut.contains(Variable->getCanonicalDecl());
  }

private:
  friend class ChangeFinder;
  llvm::DenseSet<const clang::VarDecl *> Changed, HandedOut;
};

} // namespace cudaopt

#endif // CUDAOPT_LAUNCHES_HOSTCHANGES_H
