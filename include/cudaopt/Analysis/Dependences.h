// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What statements of a kernel do to variables and memory, and which of them
/// must therefore keep their order. Whatever is not understood is ordered with
/// all.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_DEPENDENCES_H
#define CUDAOPT_ANALYSIS_DEPENDENCES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <set>
#include <utility>

namespace cudaopt {

/// What a statement does, its calls of the user's functions included.
struct Effects {
  struct Use {
    bool Reads = false, Writes = false;
    Use &operator|=(const Use &Other);
  };
  using Uses = llvm::MapVector<const clang::VarDecl *, Use>;

  Uses Locals;   ///< Of the kernel, its parameters included.
  Uses Shared;   ///< `__shared__`, but `extern`.
  Uses Pointees; ///< What parameters of the kernel point to.
  Use Elsewhere; ///< Memory of which nothing is known.
  /// It does what no order of memory accesses tells: atomics, output, inline
  /// assembly, shuffles, volatile accesses, ...
  bool IsOrdered = false;
  bool HasBarrier = false; ///< A `__syncthreads()` stands inside.
  bool Leaves = false;     ///< Of the kernel's own: return, goto, a label.
  std::set<llvm::StringRef> Names; ///< Of the declarations it refers to.

  bool accessesMemory() const;
  Effects &operator|=(const Effects &Other);
};

/// Why two statements must keep their order.
enum class Conflict {
  None,
  Thread,   ///< Each thread's own variables.
  Block,    ///< Memory that other threads access, too.
  MayAlias, ///< The same, if two parameters point to the same memory.
  Ordered,  ///< One of them is ordered with all.
};

Conflict findConflict(const Effects &A, const Effects &B);

/// Two parameters, of which \p A uses one and \p B the other, that may point to
/// the same memory, where one of them writes; null if there are none.
std::pair<const clang::VarDecl *, const clang::VarDecl *>
findAliases(const Effects &A, const Effects &B);

class EffectFinder {
public:
  EffectFinder(const clang::FunctionDecl *Kernel,
               const clang::ASTContext &Context);

  Effects find(const clang::Stmt *S) const;

private:
  const clang::FunctionDecl *Kernel;
  const clang::ASTContext &Context;
  /// Parameters that do not always hold what the launch passed.
  llvm::DenseSet<const clang::VarDecl *> Changed;
};

/// True if \p S is `__syncthreads();`.
bool isPlainBarrier(const clang::Stmt *S);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_DEPENDENCES_H
