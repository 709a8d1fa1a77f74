// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The effects of a kernel's statements on variables and memory, for passes
/// that move statements of the text. What a statement does is read off the IR:
/// the operations that are anchored in it, those of the functions that it calls
/// included. What it *names* is read off the syntax tree, since text that moves
/// must still mean the same.
///
/// \verbatim
///   1 __global__ void add(float *out, const float *in) {
///   2   __shared__ float s[64];
///   3   int t = threadIdx.x;
///   4   s[t] = in[t] + 1;
///   5   __syncthreads();
///   6   out[t] = s[63 - t];
///   7 }
///
///   StatementEffects Effects(Kernel);
///   Effects.of(Line4)  Locals {t: reads}, Shared {s: writes},
///                      Pointees {in: reads}
/// \endverbatim
///
/// A kernel that has no IR, and one of which an operation cannot be attributed
/// to a statement (such as a destructor at the end of the kernel), is not
/// understood: all its statements are ordered (Effects::IsOrdered).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_EFFECTS_H
#define CUDAOPT_ANALYSIS_EFFECTS_H

#include "cudaopt/IR/Function.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/MapVector.h"
#include <memory>
#include <set>

namespace cudaopt {

/// What a statement does, the functions that it calls included.
struct Effects {
  /// Whether a variable or a piece of memory is read, written or both.
  struct Use {
    bool Reads = false, Writes = false;
    Use &operator|=(const Use &Other);
  };
  using Uses = llvm::MapVector<const clang::VarDecl *, Use>;

  /// The kernel's local variables, parameters included. A declaration writes
  /// its variable, and whatever names a variable reads it.
  Uses Locals;
  /// Unnamed objects, whose lifetime may be that of a reference.
  llvm::MapVector<ir::ObjectId, Use> Temporaries;
  /// The `__shared__` variables, except `extern` ones.
  Uses Shared;
  /// The memory that a pointer parameter of the kernel points to at the launch,
  /// by parameter.
  Uses Pointees;
  /// Memory of which nothing is known; it may be any of the above.
  Use Elsewhere;
  /// True if the statement has effects beside its memory accesses, so that it
  /// keeps its order with all statements: atomics, output, shuffles, volatile
  /// and asynchronous accesses, code that is not seen, ...
  bool IsOrdered = false;
  /// True if the statement contains a `__syncthreads()`.
  bool HasBarrier = false;
  /// True if control may leave or enter the statement in the middle: it
  /// contains a return of the kernel itself, a goto or a label.
  bool Leaves = false;
  /// The identifiers of its text, macros expanded or not, and the names that it
  /// declares. If the declaration of a name moved to the other side of a
  /// statement with that name, the name would mean something else.
  std::set<llvm::StringRef> Names, Declared;

  /// Returns true if the statement accesses memory beside local variables.
  bool accessesMemory() const;
  Effects &operator|=(const Effects &Other);
};

/// The effects of the statements of one kernel.
class StatementEffects {
public:
  explicit StatementEffects(const clang::FunctionDecl *Kernel);

  /// Returns the effects of \p S, a statement of the kernel's body, or of its
  /// parts.
  Effects of(const clang::Stmt *S) const;
  /// Returns true if something happens in \p S that belongs to none of its
  /// parts, such as the destructors at the end of an iteration.
  bool isMoreThanParts(const clang::Stmt *S) const { return Own.contains(S); }

private:
  using Use = Effects::Use;

  void addOperation(const ir::Operation &O);
  void addVariableUse(const ir::VariableUse &U);
  const clang::Stmt *attribute(const ir::Anchor &Where) const;
  Effects *effectsAt(const ir::Anchor &Where, ir::ValueId Address);
  bool needsNoStatement(ir::ValueId Address) const;
  void touch(Effects &E, ir::ObjectId Id, Use U) const;
  void touchTargets(Effects &E, ir::ValueId Pointer, Use U) const;
  void addNames(const clang::Stmt *S, Effects &E) const;
  void addWords(const clang::Stmt *S, Effects &E) const;
  void addSpelling(clang::SourceLocation Loc, Effects &E) const;
  bool isInside(const clang::Stmt *S, const clang::Stmt *Whole) const;

  const clang::FunctionDecl *Kernel;
  clang::ParentMap Parents; ///< Of the statements of the kernel.
  /// By variable or type: the statement that declares it.
  llvm::DenseMap<const clang::Decl *, const clang::Stmt *> Declarations;
  std::unique_ptr<ir::Function> Code;
  /// By statement or expression: what the operations do that are anchored at
  /// it, or at a call that it makes.
  llvm::MapVector<const clang::Stmt *, Effects> Own;
  /// True if some operation belongs to no statement, or if nothing is known.
  bool IsUnknown = false;
};

/// Returns true if \p S is the statement `__syncthreads();`.
bool isPlainBarrier(const clang::Stmt *S);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_EFFECTS_H
