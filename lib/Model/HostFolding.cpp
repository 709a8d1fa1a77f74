// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostFolding.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace cudaopt {

bool isHostNumber(QualType Type) {
  if (const auto *Builtin = Type->getAs<BuiltinType>();
      Builtin && Builtin->isFloatingPoint())
    return Builtin->getKind() == BuiltinType::Float ||
           Builtin->getKind() == BuiltinType::Double;
  return Type->isIntegralOrEnumerationType();
}

Expr *makeConstant(const APValue &V, QualType Type, const ASTContext &Context) {
  auto *Placeholder = new (Context)
      OpaqueValueExpr(SourceLocation(), Type.getUnqualifiedType(), VK_PRValue);
  return ConstantExpr::Create(Context, Placeholder, V);
}

std::optional<APValue> fold(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult Result;
  if (!E->EvaluateAsRValue(Result, Context) || Result.HasSideEffects ||
      Result.HasUndefinedBehavior)
    return std::nullopt;
  return Result.Val;
}

namespace {

/// Looks in an expression, and in the functions that it calls, for what two
/// compilers may compute differently.
class DoubtFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitBinaryOperator(BinaryOperator *Op) override {
    return !Op->getType()->isFloatingType() || doubt();
  }
  bool VisitCastExpr(CastExpr *Cast) override {
    const CastKind Kind = Cast->getCastKind();
    return (Kind != CK_IntegralToFloating && Kind != CK_FloatingCast) ||
           doubt();
  }
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) override {
    const QualType Of = E->isArgumentType() ? E->getArgumentType()
                                            : E->getArgumentExpr()->getType();
    const Type *Base = Of->getBaseElementTypeUnsafe();
    return !Base->isSpecificBuiltinType(BuiltinType::LongDouble) || doubt();
  }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->isConstexpr())
      return doubt(); // A builtin, say, that folds here and not there.
    return enter(Callee);
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) override {
    return enter(Construct->getConstructor());
  }
  bool HasDoubt = false;

private:
  bool doubt() { return !(HasDoubt = true); }
  bool enter(const FunctionDecl *Callee) {
    const FunctionDecl *Definition = nullptr;
    if (!Callee->hasBody(Definition) || !Seen.insert(Definition).second)
      return true;
    return TraverseDecl(const_cast<FunctionDecl *>(Definition));
  }
  llvm::DenseSet<const FunctionDecl *> Seen;
};

} // namespace

std::optional<APValue> foldWritten(const Expr *E, const ASTContext &Context) {
  // A literal is rounded by the compiler; so is what must be a constant.
  if (const auto *Constant = dyn_cast<ConstantExpr>(E);
      Constant && Constant->hasAPValueResult())
    return Constant->getAPValueResult();
  std::optional<APValue> V = fold(E, Context);
  if (!V)
    return std::nullopt;
  DoubtFinder Finder;
  Finder.TraverseStmt(const_cast<Expr *>(E));
  return Finder.HasDoubt ? std::nullopt : V;
}

} // namespace cudaopt
