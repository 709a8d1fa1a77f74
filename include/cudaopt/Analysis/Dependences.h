// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The effects of a kernel's statements on variables and memory, and which
/// pairs of statements must therefore keep their order. The analysis works on
/// the AST, since its client moves statements of the text. It is conservative:
/// a statement that is not understood keeps its order with all others.
///
/// \verbatim
///   EffectFinder Finder(Kernel, Context);
///   findConflict(Finder.find(First), Finder.find(Second)) == Conflict::None
///     // -> the neighbours may be swapped, unless one contains a barrier
/// \endverbatim
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

/// What a statement does, the user's functions that it calls included.
struct Effects {
  /// Whether a variable or a piece of memory is read, written or both.
  struct Use {
    bool Reads = false, Writes = false;
    Use &operator|=(const Use &Other);
  };
  using Uses = llvm::MapVector<const clang::VarDecl *, Use>;

  /// The kernel's local variables, parameters included.
  Uses Locals;
  /// The `__shared__` variables, except `extern` ones.
  Uses Shared;
  /// The memory that a pointer parameter of the kernel points to, by parameter.
  Uses Pointees;
  /// Memory of which nothing is known; it may be any of the above.
  Use Elsewhere;
  /// True if the statement has effects beside its memory accesses, so that it
  /// keeps its order with all statements: atomics, output, inline assembly,
  /// shuffles, volatile accesses, ...
  bool IsOrdered = false;
  /// True if the statement contains a `__syncthreads()`.
  bool HasBarrier = false;
  /// True if control may leave or enter the statement in the middle: it
  /// contains a return of the kernel itself, a goto or a label.
  bool Leaves = false;
  /// The names of the declarations that the kernel's own text refers to.
  std::set<llvm::StringRef> Names;

  /// Returns true if the statement accesses memory beside local variables.
  bool accessesMemory() const;
  Effects &operator|=(const Effects &Other);
};

/// Why two statements must keep their order.
enum class Conflict {
  None,     ///< They may be swapped.
  Thread,   ///< A dependence through a thread's own variables.
  Block,    ///< A dependence through memory that other threads access, too.
  MayAlias, ///< As Block, if two parameters point to the same memory.
  Ordered,  ///< One of them has Effects::IsOrdered.
};

/// Returns the strongest reason why statements with the effects \p A and \p B
/// must keep their order: Ordered, then Block, MayAlias, Thread.
Conflict findConflict(const Effects &A, const Effects &B);

/// Returns two pointer parameters, the first used by \p A and the second by
/// \p B, that may point to the same memory while at least one of the two uses
/// is a write; two null pointers if there are none. Two parameters of which
/// both are `__restrict__` do not alias.
std::pair<const clang::VarDecl *, const clang::VarDecl *>
findAliases(const Effects &A, const Effects &B);

/// Finds the effects of the statements of one kernel.
class EffectFinder {
public:
  EffectFinder(const clang::FunctionDecl *Kernel,
               const clang::ASTContext &Context);

  /// Returns the effects of \p S, a statement of the kernel's body.
  Effects find(const clang::Stmt *S) const;

private:
  const clang::FunctionDecl *Kernel;
  const clang::ASTContext &Context;
  /// Parameters to which the kernel assigns: they do not always hold what the
  /// launch passed, so that what they point to counts as Elsewhere.
  llvm::DenseSet<const clang::VarDecl *> Changed;
};

/// Returns true if \p S is the statement `__syncthreads();`.
bool isPlainBarrier(const clang::Stmt *S);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_DEPENDENCES_H
