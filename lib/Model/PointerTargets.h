// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A points-to analysis for one call of a function: which `__shared__`
/// variables may its locals lead to? It is flow-insensitive: what a local may
/// hold anywhere in the function, it is taken to hold everywhere.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_POINTERTARGETS_H
#define CUDAOPT_LIB_MODEL_POINTERTARGETS_H

#include "SharedVariables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudaopt {

/// One call of a function, or the kernel itself (which has no Caller).
struct CallFrame {
  const clang::FunctionDecl *Function = nullptr;
  const CallFrame *Caller = nullptr;
  unsigned Depth = 0;
  /// True if the kernel's model (KernelWalker) follows this call, provided that
  /// it follows any call of Function.
  bool IsModelled = true;
  llvm::DenseMap<const clang::VarDecl *, TargetSet> Targets;
  /// Parameters that name a whole variable, with the type of that.
  llvm::DenseMap<const clang::VarDecl *, VariableId> Whole;
  /// Parameters that refer to locals of callers, so that addresses may be
  /// stored through them without escaping.
  llvm::DenseSet<const clang::VarDecl *> ToLocals;
  TargetSet This; ///< The variables that the object of a method leads to.
  bool ThisIsLocal = false; ///< That object is a local of a caller.
};

/// Returns true if an object of type \p Type can lead to memory elsewhere.
bool canHoldAddress(clang::QualType Type);

/// Tells arguments whose parameters do no more than read and assign one
/// element: the model records these as accesses of the call.
using IsPlainAccess = llvm::function_ref<bool(const clang::Expr *)>;

/// Answers queries about one kernel, and builds the frames of its calls.
class PointerTargets {
public:
  explicit PointerTargets(const SharedVariables &Shared) : Shared(Shared) {}

  /// Returns the frame of the kernel.
  CallFrame enterKernel(const clang::FunctionDecl *Kernel) const;
  /// Returns the frame of \p Body as \p Call (a call or construction in
  /// \p Caller) runs it.
  CallFrame enter(const clang::Expr *Call, const clang::FunctionDecl *Body,
                  const CallFrame &Caller, IsPlainAccess IsPlain) const;

  /// Returns the variables that the value or object \p E may lead to.
  TargetSet targetsOf(const clang::Expr *E, const CallFrame &Frame) const;
  /// Returns the variables that anything in \p S leads to, numbers that it
  /// reads included.
  TargetSet mentionedIn(const clang::Stmt *S, const CallFrame &Frame) const;
  /// Returns the variable that \p E names as a whole, as `a` or `&a[0]`.
  std::optional<VariableId> findWhole(const clang::Expr *E,
                                      const CallFrame &Frame) const;
  /// Returns true if \p Call may reach a shared variable, through its operands
  /// or because the callee mentions one.
  bool concerns(const clang::Expr *Call, const clang::FunctionDecl *Body,
                const CallFrame &Caller) const;

private:
  friend class TargetFinder;
  friend class AddressFlow;
  /// Computes the Targets of \p Frame from its body, and pins what escapes
  /// there.
  void solve(CallFrame &Frame) const;

  const SharedVariables &Shared;
};

/// Returns true if the object \p E is a part of a local of this call or of its
/// callers: what is stored there is known to Targets.
bool isLocalPlace(const clang::Expr *E, const CallFrame &Frame);
/// Returns the same for what the pointer \p E points to.
bool pointsToLocal(const clang::Expr *E, const CallFrame &Frame);
/// Returns the same for what a parameter of type \p Parameter lets its function
/// change.
bool refersToLocal(const clang::Expr *Argument, clang::QualType Parameter,
                   const CallFrame &Frame);
/// Returns the variable that the object or pointer \p E begins with; null if
/// there is none.
const clang::VarDecl *findRoot(const clang::Expr *E);

/// The arguments of a call or construction, and the object of a method call, or
/// null. The object is also the first argument of an operator call.
struct CallOperands {
  const clang::Expr *Object = nullptr;
  llvm::SmallVector<const clang::Expr *, 8> Arguments;
};
CallOperands getOperands(const clang::Expr *Call);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_POINTERTARGETS_H
