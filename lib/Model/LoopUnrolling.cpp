// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Guesses whether nvcc can unroll a loop: its body must become straight-line
/// code, and its trip count must be visible to the compiler.
//===----------------------------------------------------------------------===//

#include "LoopUnrolling.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Looks for what makes a body more than straight-line code: calls of library
/// functions that nvcc compiles to branches, divisions of floating-point
/// numbers, and barriers, which no instruction passes.
class BranchFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitBinaryOperator(BinaryOperator *Op) override {
    const bool Divides =
        Op->getOpcode() == BO_Div || Op->getOpcode() == BO_DivAssign;
    return !(Found |= Divides && Op->getLHS()->getType()->isRealFloatingType());
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return !(Found |= !Callee || mayBranch(Callee));
  }
  bool VisitAsmStmt(AsmStmt *) override { return !(Found = true); }
  bool Found = false;

private:
  bool mayBranch(const FunctionDecl *Callee) {
    if (const Stmt *Body = Callee->getBody()) {
      if (Visited.insert(Body).second)
        TraverseStmt(const_cast<Stmt *>(Body));
      return Found;
    }
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

  llvm::SmallPtrSet<const Stmt *, 4> Visited;
};

/// Looks for uses of the block's shape, directly or in the initial values of
/// locals.
class BlockShapeFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return true;
    if (Var->getName() == "blockDim" || Var->getName() == "gridDim")
      return !(Found = true);
    if (Var->hasLocalStorage() && Var->hasInit() && Visited.insert(Var).second)
      return TraverseStmt(const_cast<Expr *>(Var->getInit()));
    return true;
  }
  bool Found = false;

private:
  llvm::SmallPtrSet<const VarDecl *, 4> Visited;
};

} // namespace

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
  BranchFinder Branches;
  Branches.TraverseStmt(const_cast<Stmt *>(Body));
  L.MayUnroll = !Branches.Found && L.WantedUnroll != 1;

  BlockShapeFinder Shape;
  for (const Stmt *Part : L.Statement->children())
    if (Part != Body)
      Shape.TraverseStmt(const_cast<Stmt *>(Part));
  L.HasConstantBounds = !Shape.Found;
}

} // namespace cudaopt
