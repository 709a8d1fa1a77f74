// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the code around the accesses of a kernel tells the compiler about them:
/// under which conditions they are executed, and what they are converted to.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_ACCESSCONTEXT_H
#define CUDAOPT_LIB_ANALYSIS_ACCESSCONTEXT_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace cudaopt {

/// The context of the accesses of one instance of a kernel.
class AccessContext {
public:
  explicit AccessContext(const KernelInstance &Instance) : Instance(Instance) {}

  /// Returns true if \p Ref stands under a condition inside of \p Ancestor, and
  /// std::nullopt if it does not stand inside of it.
  std::optional<bool> isConditional(const clang::Expr *Ref,
                                    const clang::Stmt *Ancestor) const;
  /// Returns true if \p Ref, of 2 bytes, is read in order to be converted to a
  /// greater integer, or to float by a shift of such a one.
  bool isWidened(const clang::Expr *Ref) const;

private:
  using ParentMap = llvm::DenseMap<const clang::Stmt *, const clang::Stmt *>;
  const ParentMap &parents() const;

  const KernelInstance &Instance;
  /// The statement or expression around each one of the kernel, and of the
  /// device functions with accesses; found when first asked for.
  mutable std::optional<ParentMap> Parents;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_ACCESSCONTEXT_H
