// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The calls that a kernel's IR has spliced in, and which shared variables
/// pointers lead to in each of them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_CALLFRAMES_H
#define CUDAOPT_LIB_MODEL_CALLFRAMES_H

#include "PointerTargets.h"
#include "StatementOverlay.h"

#include <memory>

namespace cudaopt {

/// The accesses of a kernel's model, by the expression that makes them.
class ModelledAccesses {
public:
  using List = llvm::SmallVector<const Access *, 2>;

  ModelledAccesses(const KernelInstance &Instance,
                   const PointerTargets &Pointers, const SharedProgram &P);

  /// Returns the accesses that \p Ref makes in this call; none if the model
  /// does not tell.
  List find(const clang::Expr *Ref, const CallFrame &Frame) const;
  /// Returns the same for an argument, `a[i]` or `&a[i]`.
  List findArgument(const clang::Expr *Argument, const CallFrame &Frame) const;

private:
  const PointerTargets &Pointers;
  const SharedProgram &P;
  llvm::DenseMap<const clang::Expr *, List> ByRef;
};

/// Pins the variables that escape in some call in \p P, and refuses \p P if
/// some call is not followed.
class CallFrames {
public:
  CallFrames(const ir::Function &F, const StatementOverlay &Overlay,
             const PointerTargets &Pointers, const ModelledAccesses &Accesses,
             const SharedVariables &Shared, SharedProgram &P);

  /// Returns the frame of \p Path; null if nothing leads to a shared variable
  /// there.
  const CallFrame *of(ir::CallPathId Path) const { return Frames[Path]; }
  /// Returns true if it is not known which pointers lead where on \p Path.
  bool isBlind(ir::CallPathId Path) const { return IsBlind[Path]; }

private:
  const CallFrame *enter(const clang::Expr *Call,
                         const clang::FunctionDecl *Body,
                         const CallFrame &Caller);
  const CallFrame *enterLambda(ir::CallPathId Path,
                               const clang::CXXMethodDecl *Method,
                               const CallFrame &Caller);
  void refuseUnfollowed(const ir::Operation &O);
  void refuse(Reason Why, const clang::FunctionDecl *Body,
              const clang::Expr *Call);

  const ir::Function &F;
  const StatementOverlay &Overlay;
  const PointerTargets &Pointers;
  const ModelledAccesses &Accesses;
  const SharedVariables &Shared;
  SharedProgram &P;
  std::vector<std::unique_ptr<CallFrame>> Entered;
  std::vector<const CallFrame *> Frames; ///< Indexed by path.
  std::vector<bool> IsBlind;             ///< Indexed by path.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_CALLFRAMES_H
