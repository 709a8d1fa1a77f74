// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds which variables of host code may change after their initialisation,
/// and whether only assignments to their names change them. The search is flow
/// insensitive and conservative: every use of a variable counts as a change
/// unless it is known to be harmless.
///
///   int n = 4, m = 5, k = 6;
///   use(n);              // n is passed by value: unchanged
///   m = 7;               // m is changed
///   read(&k);            // k is changed, and handed out
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LAUNCHES_HOSTCHANGES_H
#define CUDAOPT_LAUNCHES_HOSTCHANGES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

namespace cudaopt {

/// The changed variables of the declarations that find() has been called for.
class HostChanges {
public:
  /// Adds the variables that code in \p D may change, or hands out by reference
  /// or address. Instances of templates are looked at, too.
  void find(const clang::Decl *D);

  /// Returns true if some statement may change \p Variable after its
  /// initialisation.
  bool isChanged(const clang::VarDecl *Variable) const {
    return Changed.contains(Variable->getCanonicalDecl());
  }
  /// Returns true if a reference or pointer to \p Variable may exist, so that
  /// more than assignments to its name may change it.
  bool isHandedOut(const clang::VarDecl *Variable) const {
    return HandedOut.contains(Variable->getCanonicalDecl());
  }

private:
  friend class ChangeFinder;
  llvm::DenseSet<const clang::VarDecl *> Changed, HandedOut;
};

} // namespace cudaopt

#endif // CUDAOPT_LAUNCHES_HOSTCHANGES_H
