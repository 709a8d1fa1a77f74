// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostConstants.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

static constexpr unsigned MaxDepth = 16;

bool HostConstants::isTracked(const VarDecl *Variable) const {
  return Variable && Variable->hasLocalStorage() &&
         !isa<ParmVarDecl>(Variable) &&
         !Variable->getType().isVolatileQualified() &&
         !HandedOut.contains(Variable->getCanonicalDecl());
}

const VarDecl *HostConstants::getTracked(const Expr *E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return isTracked(Var) ? Var : nullptr;
}

/// Returns the initialiser that a reference to a constant variable stands for.
const Expr *HostConstants::getInit(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var || isa<ParmVarDecl>(Var) || Var->getType().isVolatileQualified() ||
      Changed.contains(Var->getCanonicalDecl()))
    return nullptr;
  // Another file may change what it can name.
  if (!Var->getType().isConstQualified() && !Var->hasLocalStorage() &&
      Var->isExternallyVisible())
    return nullptr;
  return Var->getAnyInitializer();
}

/// Returns what an element of a constant array is initialised with.
const Expr *HostConstants::getElement(const Expr *E, unsigned Depth) {
  const auto *Sub = dyn_cast<ArraySubscriptExpr>(E);
  if (!Sub)
    return nullptr;
  const auto *List = dyn_cast_or_null<InitListExpr>(
      getInit(Sub->getBase()->IgnoreParenImpCasts()));
  std::optional<int64_t> Index = evaluate(Sub->getIdx(), Depth + 1);
  if (!List || !List->isSemanticForm() || !Index || *Index < 0 ||
      *Index >= List->getNumInits() || !List->getType()->isArrayType())
    return nullptr;
  return List->getInit(*Index);
}

std::optional<int64_t> HostConstants::evaluate(const Expr *E, unsigned Depth) {
  Expr::EvalResult Result;
  if (!E || E->isValueDependent() || Depth > MaxDepth)
    return std::nullopt;
  if (auto It = KnownIntegers.find(E); It != KnownIntegers.end())
    return It->second;
  if (const VarDecl *Local = getTracked(E))
    if (auto It = Now.Integers.find(Local); It != Now.Integers.end())
      return It->second;
  if (E->getType()->isIntegralOrEnumerationType() &&
      E->EvaluateAsInt(Result, Context))
    return Result.Val.getInt().getExtValue();
  E = E->IgnoreParenCasts();
  if (const Expr *Init = getInit(E)) {
    // What other variables hold now, they need not have held there.
    llvm::SaveAndRestore<State> There(Now, State());
    return evaluate(Init, Depth + 1);
  }
  if (const Expr *Element = getElement(E, Depth)) {
    llvm::SaveAndRestore<State> There(Now, State());
    return evaluate(Element, Depth + 1);
  }
  // block.x of a constant dim3.
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    StringRef Name = Member->getMemberDecl()->getName();
    auto Dim = evaluateDim3(Member->getBase(), Depth + 1);
    if (!Dim || Name.size() != 1 || Name[0] < 'x' || Name[0] > 'z')
      return std::nullopt;
    return (*Dim)[Name[0] - 'x'];
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op)
    return std::nullopt;
  std::optional<int64_t> L = evaluate(Op->getLHS(), Depth + 1),
                         R = evaluate(Op->getRHS(), Depth + 1);
  if (!L || !R || std::abs(*L) > INT32_MAX || std::abs(*R) > INT32_MAX)
    return std::nullopt;
  switch (Op->getOpcode()) {
  case BO_Add:
    return *L + *R;
  case BO_Sub:
    return *L - *R;
  case BO_Mul:
    return *L * *R;
  case BO_Div:
    return *R ? std::optional(*L / *R) : std::nullopt;
  case BO_Rem:
    return *R ? std::optional(*L % *R) : std::nullopt;
  case BO_Shl:
    return *L >= 0 && *R >= 0 && *R < 31 ? std::optional(*L << *R)
                                         : std::nullopt;
  case BO_Shr:
    return *L >= 0 && *R >= 0 && *R < 63 ? std::optional(*L >> *R)
                                         : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<Dim3Value> HostConstants::evaluateDim3(const Expr *E,
                                                     unsigned Depth) {
  if (!E || Depth > MaxDepth)
    return std::nullopt;
  if (auto It = Known.find(E); It != Known.end())
    return It->second;
  E = E->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  if (const VarDecl *Local = getTracked(E))
    if (auto It = Now.Dims.find(Local); It != Now.Dims.end())
      return It->second;
  if (E->getType()->isIntegralOrEnumerationType()) {
    std::optional<int64_t> N = evaluate(E, Depth + 1);
    if (!N || *N <= 0 || *N > INT32_MAX)
      return std::nullopt;
    return Dim3Value{uint32_t(*N), 1, 1};
  }
  if (const Expr *Init = getInit(E)) {
    llvm::SaveAndRestore<State> There(Now, State());
    return evaluateDim3(Init, Depth + 1);
  }
  const auto *Record = E->getType()->getAsCXXRecordDecl();
  if (!Record || !Record->getIdentifier() || Record->getName() != "dim3")
    return std::nullopt;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getConstructor()->isCopyOrMoveConstructor())
      return evaluateDim3(Construct->getArg(0), Depth + 1);
    return construct({Construct->getArgs(), Construct->getNumArgs()}, Depth);
  }
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return construct(llvm::ArrayRef(List->getInits(), List->getNumInits()),
                     Depth);
  return std::nullopt;
}

std::optional<Dim3Value>
HostConstants::construct(llvm::ArrayRef<const Expr *> Of, unsigned Depth) {
  Dim3Value Result = {1, 1, 1};
  if (Of.size() > Result.size())
    return std::nullopt;
  for (auto [Argument, Member] : llvm::zip(Of, Result)) {
    if (isa<CXXDefaultArgExpr>(Argument))
      continue;
    std::optional<int64_t> N = evaluate(Argument, Depth + 1);
    if (!N || *N <= 0 || *N > INT32_MAX)
      return std::nullopt;
    Member = *N;
  }
  return Result;
}

namespace {
/// Finds host variables that are not constants: assigned, incremented, or
/// handed out by reference or address.
class ChangeFinder : public DynamicRecursiveASTVisitor {
public:
  ChangeFinder(llvm::DenseSet<const VarDecl *> &Changed,
               llvm::DenseSet<const VarDecl *> &HandedOut)
      : Changed(Changed), HandedOut(HandedOut) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() != CK_LValueToRValue)
      return true;
    const Expr *Read = Cast->getSubExpr()->IgnoreParens();
    if (const auto *Member = dyn_cast<MemberExpr>(Read))
      Read = Member->getBase()->IgnoreParenImpCasts();
    else if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(Read))
      Read = Sub->getBase()->IgnoreParenImpCasts();
    Harmless.insert(Read);
    return true;
  }
  /// Only the semantic form says that elements are read.
  bool TraverseInitListExpr(InitListExpr *List) override {
    if (InitListExpr *Semantic = List->getSemanticForm())
      List = Semantic;
    return llvm::all_of(List->children(),
                        [&](Stmt *Child) { return TraverseStmt(Child); });
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) override {
    if (Construct->getConstructor()->isCopyConstructor())
      Harmless.insert(Construct->getArg(0)->IgnoreParenImpCasts());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Op) override {
    if (Op->isAssignmentOp())
      addTarget(Op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      addTarget(Op->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) override {
    if (Call->getOperator() == OO_Equal)
      for (const Expr *Argument : Call->arguments())
        addTarget(Argument);
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    for (auto [Capture, Init] :
         llvm::zip_equal(Lambda->captures(), Lambda->capture_inits()))
      if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByRef)
        if (const auto *Var = dyn_cast<VarDecl>(Capture.getCapturedVar())) {
          HandedOut.insert(Var->getCanonicalDecl());
          // What changes it, if anything, is a use in the body.
          Harmless.insert(Init->IgnoreParenImpCasts());
        }
    return DynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || Harmless.contains(Ref) || Var->getType().isConstQualified())
      return true;
    Changed.insert(Var->getCanonicalDecl());
    if (!Targets.contains(Ref))
      HandedOut.insert(Var->getCanonicalDecl());
    return true;
  }

private:
  void addTarget(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase()->IgnoreParenImpCasts();
    Targets.insert(E);
  }
  llvm::DenseSet<const VarDecl *> &Changed, &HandedOut;
  llvm::DenseSet<const Expr *> Harmless, Targets;
};
} // namespace

void HostConstants::findChanges(Decl *D) {
  ChangeFinder(Changed, HandedOut).TraverseDecl(D);
}

} // namespace cudaopt
