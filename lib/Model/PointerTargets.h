// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which `__shared__` variables the locals of a function may lead to, for one
/// call of it. What a local may hold, it holds everywhere: the order of
/// statements does not matter.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_POINTERTARGETS_H
#define CUDAOPT_LIB_MODEL_POINTERTARGETS_H

#include "SharedVariables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// One call of a function, or the kernel itself.
struct CallFrame {
  const clang::FunctionDecl *Function = nullptr;
  const CallFrame *Caller = nullptr;
  unsigned Depth = 0;
  /// True if the kernel's model looks into this call, if into any of Function.
  bool IsModelled = true;
  llvm::DenseMap<const clang::VarDecl *, TargetSet> Targets;
  /// Parameters that name all of a variable, with its own type.
  llvm::DenseMap<const clang::VarDecl *, VariableId> Whole;
  /// Parameters that refer to locals of callers, and may thus be stored to.
  llvm::DenseSet<const clang::VarDecl *> ToLocals;
  TargetSet This;           ///< What the object of a method leads to.
  bool ThisIsLocal = false; ///< It is a local of a caller.
};

/// True if an object of type \p Type can lead to memory elsewhere.
bool canHoldAddress(clang::QualType Type);

/// Arguments whose parameters do no more than read and assign one element: the
/// model has these as accesses.
using IsPlainAccess = llvm::function_ref<bool(const clang::Expr *)>;

class PointerTargets {
public:
  explicit PointerTargets(const SharedVariables &Shared) : Shared(Shared) {}

  /// The frame of the kernel.
  CallFrame enterKernel(const clang::FunctionDecl *Kernel) const;
  /// The frame of \p Body as \p Call (a call or construction in \p Caller) runs
  /// it.
  CallFrame enter(const clang::Expr *Call, const clang::FunctionDecl *Body,
                  const CallFrame &Caller, IsPlainAccess IsPlain) const;

  /// What the value or place \p E may lead to.
  TargetSet targetsOf(const clang::Expr *E, const CallFrame &Frame) const;
  /// The same of all that \p S mentions, numbers that it reads included.
  TargetSet mentionedIn(const clang::Stmt *S, const CallFrame &Frame) const;
  /// The variable that \p E names as a whole: `a`, `&a[0]`.
  std::optional<VariableId> findWhole(const clang::Expr *E,
                                      const CallFrame &Frame) const;
  /// True if something may let \p Call reach a shared variable.
  bool concerns(const clang::Expr *Call, const clang::FunctionDecl *Body,
                const CallFrame &Caller) const;

private:
  friend class TargetFinder;
  friend class AddressFlow;
  /// Finds Targets of \p Frame from its body, and pins what escapes in there.
  void solve(CallFrame &Frame) const;

  const SharedVariables &Shared;
};

/// True if the place \p E is a part of a local of this call or of its callers:
/// what is stored there, Targets know.
bool isLocalPlace(const clang::Expr *E, const CallFrame &Frame);
/// The same of the place that the pointer \p E points to.
bool pointsToLocal(const clang::Expr *E, const CallFrame &Frame);
/// The same of what a parameter of type \p Parameter lets its function change.
bool refersToLocal(const clang::Expr *Argument, clang::QualType Parameter,
                   const CallFrame &Frame);
/// The variable that the place or pointer \p E begins with; null if none.
const clang::VarDecl *findRoot(const clang::Expr *E);

/// The arguments of a call or construction, and the object of a method call (or
/// null), which `operator()` has as its first argument.
struct CallOperands {
  const clang::Expr *Object = nullptr;
  llvm::SmallVector<const clang::Expr *, 8> Arguments;
};
CallOperands getOperands(const clang::Expr *Call);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_POINTERTARGETS_H
