// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Enters the calls that the IR has spliced in, one frame for each call path,
/// and refuses the kernel if a call that matters is not followed.
//===----------------------------------------------------------------------===//

#include "CallFrames.h"
#include "cudaopt/Model/ArrayViews.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// The nesting depth and the total number of calls that are followed: no more
/// than KernelWalker follows, so that the model knows each of them.
static constexpr unsigned MaxDepth = 8, MaxEntered = 256;

ModelledAccesses::ModelledAccesses(const KernelInstance &Instance,
                                   const PointerTargets &Pointers,
                                   const SharedProgram &P)
    : Pointers(Pointers), P(P) {
  for (const Access &A : Instance.Accesses)
    ByRef[A.Ref].push_back(&A);
}

ModelledAccesses::List ModelledAccesses::find(const Expr *Ref,
                                              const CallFrame &Frame) const {
  const auto Known = ByRef.find(Ref);
  if (Known == ByRef.end() || !Frame.IsModelled)
    return {};
  llvm::SmallVector<const Expr *, 4> Subscripts;
  std::optional<VariableId> Whole;
  if (const Expr *Base = takeSubscripts(Ref, Subscripts))
    Whole = Pointers.findWhole(Base, Frame);
  List Result;
  for (const Access *A : Known->second) {
    // Pointers to rows are only modelled in the kernel itself.
    if (!Whole && (!A->IsThroughRowPointer || Frame.Caller))
      return {};
    if (!Whole || P.Variables[*Whole].Array == A->Array)
      Result.push_back(A);
  }
  return Result;
}

ModelledAccesses::List
ModelledAccesses::findArgument(const Expr *Argument,
                               const CallFrame &Frame) const {
  const Expr *E = Argument->IgnoreParenImpCasts();
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    E = Op->getSubExpr()->IgnoreParens();
  return find(E, Frame);
}

void CallFrames::refuse(Reason Why, const FunctionDecl *Body,
                        const Expr *Call) {
  if (!P.Refused)
    P.Refused = Blocker{Why, Body->getNameAsString(), Call->getExprLoc()};
}

const CallFrame *CallFrames::enter(const Expr *Call, const FunctionDecl *Body,
                                   const CallFrame &Caller) {
  if (!Pointers.concerns(Call, Body, Caller))
    return nullptr;
  if (Caller.Depth == MaxDepth || Entered.size() > MaxEntered) {
    refuse(Reason::TooManyCalls, Body, Call);
    return nullptr;
  }
  Entered.push_back(std::make_unique<CallFrame>(
      Pointers.enter(Call, Body, Caller, [&](const Expr *Argument) {
        return !Accesses.findArgument(Argument, Caller).empty();
      })));
  return Entered.back().get();
}

/// The text of a lambda is a part of the function that contains it, and so is
/// the flow of its addresses; the kernel's model does not look into it.
const CallFrame *CallFrames::enterLambda(ir::CallPathId Path,
                                         const CXXMethodDecl *Method,
                                         const CallFrame &Caller) {
  const CallFrame *Around = &Caller;
  while (Around &&
         !static_cast<const DeclContext *>(Around->Function)->Encloses(Method))
    Around = Around->Caller;
  IsBlind[Path] = !Around; // The function around the lambda has returned.
  Entered.push_back(std::make_unique<CallFrame>(Around ? *Around : Caller));
  Entered.back()->IsModelled = false;
  return Entered.back().get();
}

/// Handles a call of a function of the user that the IR has not spliced in.
/// What it does is not known, and it may contain barriers.
void CallFrames::refuseUnfollowed(const ir::Operation &O) {
  const auto *Call = dyn_cast_or_null<Expr>(O.Where.Node);
  const FunctionDecl *Body = Call && isa<CallExpr, CXXConstructExpr>(Call)
                                 ? findUserBody(Call, Shared.context())
                                 : nullptr;
  if (!Body || Overlay.isInLibrary(O.Where.Path))
    return;
  const CallFrame *Caller = of(O.Where.Path);
  if (!Shared.calls().reachesBarrier(Body) &&
      !(Caller && Pointers.concerns(Call, Body, *Caller)))
    return;
  for (ir::CallPathId Path = O.Where.Path;; Path = F.callerOf(Path)) {
    const FunctionDecl *Running = Overlay.functionOf(Path);
    if (Running && Running->getCanonicalDecl() == Body->getCanonicalDecl())
      return refuse(Reason::CallsItself, Body, Call);
    if (!Path)
      return refuse(Reason::TooManyCalls, Body, Call);
  }
}

CallFrames::CallFrames(const ir::Function &F, const StatementOverlay &Overlay,
                       const PointerTargets &Pointers,
                       const ModelledAccesses &Accesses,
                       const SharedVariables &Shared, SharedProgram &P)
    : F(F), Overlay(Overlay), Pointers(Pointers), Accesses(Accesses),
      Shared(Shared), P(P), Frames(F.numPaths()), IsBlind(F.numPaths()) {
  Entered.push_back(
      std::make_unique<CallFrame>(Pointers.enterKernel(F.decl())));
  Frames[0] = Entered.front().get();
  for (ir::CallPathId Path = 1; Path < F.numPaths(); ++Path) {
    const CallFrame *Caller = Frames[F.callerOf(Path)];
    const FunctionDecl *Body = Overlay.functionOf(Path);
    IsBlind[Path] = IsBlind[F.callerOf(Path)];
    const auto *Call = dyn_cast<Expr>(F.callOf(Path));
    if (!Caller || !Call || Overlay.isInLibrary(Path))
      continue;
    const auto *Method = dyn_cast<CXXMethodDecl>(Body);
    Frames[Path] = Method && Method->getParent()->isLambda()
                       ? enterLambda(Path, Method, *Caller)
                       : enter(Call, Body, *Caller);
  }
  for (const std::unique_ptr<ir::Block> &B : F.blocks())
    for (const ir::Operation &O : B->Operations)
      if (O.What == ir::Operation::Opaque)
        refuseUnfollowed(O);
}

} // namespace cudaopt
