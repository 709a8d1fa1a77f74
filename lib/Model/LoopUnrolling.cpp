// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Guesses whether nvcc can unroll a loop: its body must become straight-line
/// code, and its trip count must be visible to the compiler.
//===----------------------------------------------------------------------===//

#include "LoopUnrolling.h"
#include "cudaopt/Support/Nodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace cudaopt {
using Bodies = llvm::SmallPtrSet<const Stmt *, 4>;

/// Returns true if nvcc may compile a call of \p Callee, a function without a
/// body here, to more than straight-line code.
static bool mayBranch(const FunctionDecl *Callee) {
  if (!Callee->getIdentifier())
    return true;
  llvm::StringRef Name = Callee->getName();
  if (Name.consume_front("__"))
    return Name.starts_with("sync") || Name.starts_with("threadfence") ||
           Name.starts_with("nanosleep") || Name.starts_with("barrier");
  if (Name.starts_with("atomic"))
    return false;
  Name.consume_back("f");
  static constexpr llvm::StringLiteral Straight[] = {
      "fabs", "abs",   "fmin", "min",   "fmax", "max",  "fma",
      "exp",  "rsqrt", "ceil", "floor", "rint", "trunc"};
  return !llvm::is_contained(Straight, Name);
}

/// Returns true if \p Code, callees included, is more than straight-line code:
/// it calls library functions that nvcc compiles to branches, divides
/// floating-point numbers, or has barriers, which no instruction passes.
/// \p Visited are the callees on the way.
static bool hasBranches(const Stmt *Code, Bodies &Visited) {
  bool Found = false;
  forEachNode(Code, [&](const DynTypedNode &N) {
    if (const auto *Op = N.get<BinaryOperator>())
      Found |= (Op->getOpcode() == BO_Div || Op->getOpcode() == BO_DivAssign) &&
               Op->getLHS()->getType()->isRealFloatingType();
    Found |= N.get<AsmStmt>() != nullptr;
    const auto *Call = N.get<CallExpr>();
    if (Found || !Call)
      return;
    const FunctionDecl *Callee = Call->getDirectCallee();
    const Stmt *Body = Callee ? Callee->getBody() : nullptr;
    if (Body)
      Found = Visited.insert(Body).second && hasBranches(Body, Visited);
    else
      Found = !Callee || mayBranch(Callee);
  });
  return Found;
}

/// Returns true if \p Code uses the block's shape, directly or in the initial
/// values of the variables that it names. \p Visited are those on the way.
static bool usesShape(const Stmt *Code,
                      llvm::SmallPtrSet<const VarDecl *, 4> &Visited) {
  return llvm::any_of(nodesIn<DeclRefExpr>(Code), [&](const DeclRefExpr *Ref) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return false;
    if (Var->getIdentifier() &&
        (Var->getName() == "blockDim" || Var->getName() == "gridDim"))
      return true;
    return Var->hasLocalStorage() && Var->hasInit() &&
           Visited.insert(Var).second && usesShape(Var->getInit(), Visited);
  });
}

/// Returns the unroll count that \p Attributes ask for: 1 forbids unrolling,
/// UINT64_MAX stands for a full unroll.
static std::optional<uint64_t>
getWantedUnroll(const ASTContext &Context,
                llvm::ArrayRef<const Attr *> Attributes) {
  for (const Attr *A : Attributes) {
    const auto *Hint = dyn_cast<LoopHintAttr>(A);
    if (!Hint)
      continue;
    if (Hint->getOption() == LoopHintAttr::Unroll)
      return Hint->getState() == LoopHintAttr::Disable ? 1 : UINT64_MAX;
    const Expr *Count = Hint->getValue();
    Expr::EvalResult Number;
    if (Hint->getOption() == LoopHintAttr::UnrollCount && Count &&
        !Count->isValueDependent() && Count->EvaluateAsInt(Number, Context) &&
        Number.Val.getInt().isStrictlyPositive())
      return Number.Val.getInt().getLimitedValue();
  }
  return std::nullopt;
}

void describeUnrolling(const ASTContext &Context, const Stmt *Body,
                       llvm::ArrayRef<const Attr *> Attributes, Loop &L) {
  L.WantedUnroll = getWantedUnroll(Context, Attributes);
  Bodies Visited;
  L.MayUnroll = !hasBranches(Body, Visited) && L.WantedUnroll != 1;

  llvm::SmallPtrSet<const VarDecl *, 4> Variables;
  L.HasConstantBounds =
      llvm::none_of(L.Statement->children(), [&](const Stmt *Part) {
        return Part != Body && usesShape(Part, Variables);
      });
}

} // namespace cudaopt
