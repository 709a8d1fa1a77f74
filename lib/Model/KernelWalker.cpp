// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of KernelWalker for statements and declarations.
//===----------------------------------------------------------------------===//

#include "KernelWalker.h"
#include "ArrayParts.h"
#include "Jumps.h"
#include "LoopUnrolling.h"
#include "cudaopt/Support/Nodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {
KernelWalker::KernelWalker(
    ASTContext &Context, Kernel &K, KernelInstance &Instance, BoundKernel &Code,
    const llvm::DenseMap<const VarDecl *, ArrayId> &Arrays,
    const CallTable &Calls, CallRecord &Record)
    : Context(Context), K(K), Instance(Instance), Code(Code), Arrays(Arrays),
      Calls(Calls), Record(Record) {}

void KernelWalker::walk() {
  const Stmt *Body = Instance.Decl->getBody();
  walkStmt(Body);

  if (findJump(Body) || HasJump)
    for (auto [Array, Id] : Arrays)
      refuse(Id, Reason::UnstructuredControl, "", Array->getLocation());
  refuseUnmetUses(Body);
  for (const FunctionDecl *Function : Entered)
    refuseUnmetUses(Function->getBody());
}

/// Returns all arrays that \p Ref names, in any of the calls of the function
/// around it.
llvm::SmallVector<ArrayId, 2>
KernelWalker::findArraysEver(const DeclRefExpr *Ref) const {
  const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
  if (auto It = Named.find(Var); It != Named.end())
    return {It->second.begin(), It->second.end()};
  if (std::optional<ArrayId> Array = findArray(Ref))
    return {*Array};
  return {};
}

/// A use that the walk did not meet (in a type, say) is a use all the same:
/// refuses the arrays in these.
void KernelWalker::refuseUnmetUses(const Stmt *Body) {
  for (const DeclRefExpr *Ref : nodesIn<DeclRefExpr>(Body))
    if (!Handled.contains(Ref))
      for (ArrayId Array : findArraysEver(Ref))
        refuse(Array, Reason::AddressEscapes, textOf(Ref), Ref->getLocation());
}

void KernelWalker::walkIf(const IfStmt *If) {
  walkStmt(If->getInit());
  walkStmt(If->getConditionVariableDeclStmt());
  walkExpr(If->getCond()); // `if consteval` has no condition.
  walkStmt(If->getThen());
  walkStmt(If->getElse());
}

/// Walks a switch. Labels may stand directly in the body, but nowhere deeper.
void KernelWalker::walkSwitch(const SwitchStmt *Switch) {
  walkStmt(Switch->getInit());
  walkStmt(Switch->getConditionVariableDeclStmt());
  walkExpr(Switch->getCond());
  const auto *Body = dyn_cast<CompoundStmt>(Switch->getBody());
  if (!Body)
    return walkStmt(Switch->getBody());
  for (const Stmt *S : Body->body()) {
    while (const auto *Label = dyn_cast<SwitchCase>(S))
      S = Label->getSubStmt();
    walkStmt(S);
  }
}

/// Returns true if \p Var names a sub-array: its initialiser is no use of the
/// whole array.
bool KernelWalker::walkPart(const VarDecl *Var) {
  if (!Arrays.contains(Var) || Var->getType()->isArrayType())
    return false;
  const PartAddress Address = *findPartAddress(Var, Context);
  Handled.insert(Address.Base);
  for (const PartAddress::Step &Step : Address.Steps)
    walkExpr(Step.Index);
  return true;
}

void KernelWalker::walkDecl(const DeclStmt *Statement) {
  for (const Decl *D : Statement->decls()) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || !Var->hasInit() || walkPart(Var) || bindRow(Var))
      continue;
    Use U;
    if (Var->getType()->isReferenceType())
      U = Use(Use::Blocked, Reason::BoundToReference, Var->getNameAsString());
    walkExpr(Var->getInit(), U);
  }
}

void KernelWalker::walkLoop(const Stmt *S, const Stmt *Body,
                            llvm::ArrayRef<const Stmt *> Parts) {
  const auto Attributes = std::exchange(LoopAttributes, {});
  const bool IsLoop = Code.isLoop(S, Path);
  if (IsLoop) {
    const LoopId Id = Instance.Loops.size();
    std::optional<LoopId> Parent;
    if (!Loops.empty())
      Parent = Loops.back();
    Instance.Loops.push_back({S, Id, Parent, std::nullopt});
    Instance.Loops.back().Use = currentUse();
    describeUnrolling(Context, Body, Attributes, Instance.Loops.back());
    Code.bind(S, Path, Id);
    Loops.push_back(Id);
  }
  for (const Stmt *Part : Parts)
    walkStmt(Part);
  if (IsLoop)
    Loops.pop_back();
}

void KernelWalker::walkFor(const ForStmt *For) {
  const auto Attributes = std::exchange(LoopAttributes, {});
  walkStmt(For->getInit());
  LoopAttributes = Attributes;
  walkLoop(For, For->getBody(),
           {For->getConditionVariableDeclStmt(), For->getCond(), For->getBody(),
            For->getInc()});
}

void KernelWalker::walkChildren(const Stmt *S, const Use &U) {
  for (const Stmt *Child : S->children())
    if (const auto *E = dyn_cast_or_null<Expr>(Child))
      walkExpr(E, U);
    else
      walkStmt(Child);
}

void KernelWalker::walkStmt(const Stmt *S) {
  if (!S)
    return;
  switch (S->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    for (const Stmt *Child : S->children())
      walkStmt(Child);
    return;
  case Stmt::LabelStmtClass: // walk() refuses the arrays for it.
    return walkStmt(cast<LabelStmt>(S)->getSubStmt());
  case Stmt::DeclStmtClass:
    return walkDecl(cast<DeclStmt>(S));
  case Stmt::IfStmtClass:
    return walkIf(cast<IfStmt>(S));
  case Stmt::SwitchStmtClass:
    return walkSwitch(cast<SwitchStmt>(S));
  case Stmt::ForStmtClass:
    return walkFor(cast<ForStmt>(S));
  case Stmt::WhileStmtClass: {
    const auto *While = cast<WhileStmt>(S);
    return walkLoop(While, While->getBody(),
                    {While->getConditionVariableDeclStmt(), While->getCond(),
                     While->getBody()});
  }
  case Stmt::DoStmtClass: {
    const auto *Do = cast<DoStmt>(S);
    return walkLoop(Do, Do->getBody(), {Do->getBody(), Do->getCond()});
  }
  case Stmt::CXXForRangeStmtClass: {
    const auto *For = cast<CXXForRangeStmt>(S);
    walkStmt(For->getInit());
    walkStmt(For->getRangeStmt());
    walkStmt(For->getBeginStmt());
    walkStmt(For->getEndStmt());
    return walkLoop(
        For, For->getBody(),
        {For->getCond(), For->getLoopVarStmt(), For->getBody(), For->getInc()});
  }
  case Stmt::AttributedStmtClass:
    LoopAttributes = cast<AttributedStmt>(S)->getAttrs();
    return walkStmt(cast<AttributedStmt>(S)->getSubStmt());
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    HasJump = true; // A label that is not directly in its switch.
    break;
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    return walkChildren(S, Use(Use::Blocked, Reason::InlineAssembly));
  default:
    break;
  }
  if (const auto *E = dyn_cast<Expr>(S))
    return walkExpr(E, Use(Use::Discard));
  walkChildren(S);
}

} // namespace cudaopt
