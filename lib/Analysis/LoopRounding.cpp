// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Follows values from products to sums, through the statements of the loop and
/// of the functions that it calls. Through variables and memory all products
/// get to all sums.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/LoopRounding.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

bool isProductLike(const BinaryOperator *E, const ASTContext &Context) {
  const bool IsQuotient =
      E->getOpcode() == BO_Div || E->getOpcode() == BO_DivAssign;
  if (!IsQuotient || E->isValueDependent())
    return false;
  Expr::EvalResult Value;
  const Expr *Divisor = E->getRHS();
  return Divisor->EvaluateAsRValue(Value, Context) && Value.Val.isFloat() &&
         Value.Val.getFloat().getExactInverse(nullptr);
}

/// Functions whose results are the same bits wherever they are computed.
static bool isExactName(StringRef Name) {
  static constexpr llvm::StringLiteral Names[] = {
      "abs",   "ceil",  "fabs",     "floor",     "fma",  "fmod",
      "isnan", "isinf", "isfinite", "labs",      "rint", "llabs",
      "round", "trunc", "copysign", "nearbyint", "sqrt"};
  return llvm::is_contained(Names, Name) ||
         (Name.consume_back("f") && llvm::is_contained(Names, Name));
}

/// Functions that hand a value on: their argument may still be a product for
/// what gets their result.
static bool passesOn(StringRef Name) {
  static constexpr llvm::StringLiteral Names[] = {
      "abs", "fabs", "fabsf", "copysign", "copysignf", "min",
      "max", "fmin", "fmax",  "fminf",    "fmaxf"};
  return llvm::is_contained(Names, Name);
}

static bool isFloat(QualType Type) {
  return Type.getNonReferenceType()->isRealFloatingType();
}

namespace {

/// Where the value of an expression goes.
enum class Way {
  Nowhere, ///< To no sum.
  Sum,     ///< It is an operand of a sum.
  Update,  ///< It is added to an element by an update.
  Kept,    ///< Into a variable, or through a call.
  Stored,  ///< Into an array.
};

class RoundingFinder {
public:
  RoundingFinder(const HostLoop &L, const ASTContext &Context)
      : L(L), Context(Context) {}

  struct Product {
    const BinaryOperator *E;
    Way To;
    bool IsInCallee; ///< Of which there is no text to write.
  };

  void visit(const Stmt *S, Way To);

  std::vector<Product> Products;
  bool HasSums = false, HasUpdates = false;
  const Expr *Arithmetic = nullptr; ///< The first operation of any kind.
  const Expr *Single = nullptr;     ///< The first of single precision.
  const Expr *Wide = nullptr;       ///< Of a type that the device has not.
  const CallExpr *Inexact = nullptr;

private:
  void visitExpr(const Expr *E, Way To);
  void visitBinary(const BinaryOperator *E, Way To);
  void visitAssignment(const BinaryOperator *E);
  void visitCall(const CallExpr *E, Way To);
  bool mayFold(const Expr *E) const;
  void visitChildren(const Stmt *S, Way To) {
    for (const Stmt *Child : S->children())
      if (Child)
        visit(Child, To);
  }
  void note(const Expr *E) {
    if (!Arithmetic)
      Arithmetic = E;
    const QualType Type = E->getType().getCanonicalType();
    if (!Single && Type->isSpecificBuiltinType(BuiltinType::Float))
      Single = E;
  }
  void addProduct(const BinaryOperator *E, Way To) {
    if (To != Way::Nowhere)
      Products.push_back({E, To, Depth != 0 && !IsCopied});
  }

  const HostLoop &L;
  const ASTContext &Context;
  llvm::SmallPtrSet<const FunctionDecl *, 4> Seen;
  unsigned Depth = 0;    ///< Of calls.
  bool IsCopied = false; ///< What is visited has a copy in the struct.
};

} // namespace

void RoundingFinder::visit(const Stmt *S, Way To) {
  if (const auto *E = dyn_cast<Expr>(S))
    return visitExpr(E, To);
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declaration->decls())
      if (const auto *V = dyn_cast<VarDecl>(D); V && V->getInit())
        visit(V->getInit(), Way::Kept);
    return;
  }
  visitChildren(S, isa<ReturnStmt>(S) ? Way::Kept : Way::Nowhere);
}

void RoundingFinder::visitExpr(const Expr *E, Way To) {
  const QualType Type = E->getType();
  if (!Wide && !Type.isNull() && isFloat(Type) &&
      Type.getNonReferenceType().getCanonicalType()->isSpecificBuiltinType(
          BuiltinType::LongDouble))
    Wide = E;
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return visitBinary(Binary, To);
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && !L.findAccess(E))
    return visitCall(Call, To);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    visit(Choice->getCond(), Way::Nowhere);
    visit(Choice->getTrueExpr(), To);
    return visit(Choice->getFalseExpr(), To);
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const bool Converts = Cast->getCastKind() == CK_FloatingCast ||
                          Cast->getCastKind() == CK_IntegralToFloating;
    if (Converts && isFloat(Cast->getSubExpr()->getType()))
      note(E);
    return visit(Cast->getSubExpr(),
                 isFloat(Cast->getSubExpr()->getType()) && isFloat(Type)
                     ? To
                     : Way::Nowhere);
  }
  const auto *Unary = dyn_cast<UnaryOperator>(E);
  if (Unary && Unary->isIncrementDecrementOp() && isFloat(Type)) {
    note(E);
    const HostAccess *A = L.findConflict(Unary->getSubExpr()->IgnoreParens());
    (A && A->Update ? HasUpdates : HasSums) = true;
  }
  const bool HandsOn =
      isa<ParenExpr, FullExpr, MaterializeTemporaryExpr, InitListExpr>(E) ||
      (Unary &&
       (Unary->getOpcode() == UO_Minus || Unary->getOpcode() == UO_Plus));
  visitChildren(E, HandsOn ? To : Way::Nowhere);
}

void RoundingFinder::visitAssignment(const BinaryOperator *E) {
  const Expr *Target = E->getLHS()->IgnoreParens();
  const HostAccess *Access = L.findAccess(Target);
  const bool IsUpdate = Access && Access->Update && L.isConflict(*Access);
  const Way Away = Access ? Way::Stored : Way::Kept;
  visit(E->getLHS(), Way::Nowhere);
  if (E->isCompoundAssignmentOp() && isFloat(Target->getType()))
    note(E);
  switch (E->getOpcode()) {
  case BO_Assign:
    // `x = x + v`
    if (IsUpdate && Access->Update->Operation <= HostOperation::Minus) {
      note(E);
      HasUpdates = true;
      if (Access->Update->Value)
        visit(Access->Update->Value, Way::Update);
      return;
    }
    return visit(E->getRHS(), Away);
  case BO_AddAssign:
  case BO_SubAssign:
    (IsUpdate ? HasUpdates : HasSums) = true;
    return visit(E->getRHS(), IsUpdate ? Way::Update : Way::Sum);
  case BO_MulAssign:
  case BO_DivAssign:
    if (E->getOpcode() == BO_MulAssign || isProductLike(E, Context) ||
        mayFold(E->getRHS()))
      addProduct(E, Away);
    return visit(E->getRHS(), Away);
  default:
    return visit(E->getRHS(), Way::Nowhere);
  }
}

/// False if \p E is an element of an array, or a variable that the loop gets,
/// whose value no compiler of the loop's struct knows.
bool RoundingFinder::mayFold(const Expr *E) const {
  E = E->IgnoreParenCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return !L.findAccess(E) &&
         !(Ref && llvm::any_of(L.Scalars, [&](const HostScalar &S) {
             return S.Path.Root == Ref->getDecl() && S.Path.Fields.empty() &&
                    !S.IsSize;
           }));
}

void RoundingFinder::visitBinary(const BinaryOperator *E, Way To) {
  if (E->isCommaOp()) {
    visit(E->getLHS(), Way::Nowhere);
    return visit(E->getRHS(), To);
  }
  if (E->isAssignmentOp() && isFloat(E->getLHS()->getType()))
    return visitAssignment(E);
  Way Inner = Way::Nowhere;
  if (isFloat(E->getType()) && !E->isAssignmentOp()) {
    note(E);
    if (E->isAdditiveOp()) {
      HasSums = true;
      Inner = Way::Sum;
    } else if (E->getOpcode() == BO_Mul || isProductLike(E, Context) ||
               (E->getOpcode() == BO_Div && mayFold(E->getRHS()))) {
      addProduct(E, To);
      // By 1, or 2, a product is the product that it has for a factor.
      visit(E->getLHS(), mayFold(E->getRHS()) ? To : Way::Nowhere);
      return visit(E->getRHS(), mayFold(E->getLHS()) ? To : Way::Nowhere);
    }
  }
  visit(E->getLHS(), Inner);
  visit(E->getRHS(), Inner);
}

void RoundingFinder::visitCall(const CallExpr *E, Way To) {
  const FunctionDecl *F = E->getDirectCallee();
  const FunctionDecl *Definition = nullptr;
  const bool IsNamed = F && F->getDeclName().isIdentifier();
  const StringRef Name = IsNamed ? F->getName() : "";
  if (F && (!IsNamed || isa<CXXMethodDecl>(F)))
    return visitChildren(E, Way::Nowhere);
  const bool IsOfSystem =
      F && (F->getBuiltinID() != 0 ||
            Context.getSourceManager().isInSystemHeader(F->getLocation()));
  const bool HasFloats =
      isFloat(E->getType()) || llvm::any_of(E->arguments(), [](const Expr *A) {
        return isFloat(A->getType());
      });
  if (IsOfSystem) {
    // Minima of numbers, in one order of the operands, are what `<` says.
    const bool IsChoice =
        L.MinMax.contains(E) ||
        (F->isInStdNamespace() && (Name == "min" || Name == "max"));
    if (HasFloats) {
      note(E);
      if (!IsChoice && !isExactName(Name) && !Inexact)
        Inexact = E;
    }
    for (const Expr *Each : E->arguments())
      visit(Each, passesOn(Name) || IsChoice ? To : Way::Nowhere);
    return;
  }
  for (const Expr *Each : E->arguments())
    visit(Each, isFloat(Each->getType()) ? Way::Kept : Way::Nowhere);
  if (!F || !F->hasBody(Definition) || !Seen.insert(Definition).second)
    return;
  const bool WasCopied = IsCopied;
  IsCopied = llvm::is_contained(L.Copied, Definition);
  ++Depth;
  visit(Definition->getBody(), Way::Nowhere);
  --Depth;
  IsCopied = WasCopied;
}

/// Why the loop stays as it is, whatever products and sums do.
static Blocker findBlocker(const RoundingFinder &Found,
                           const FloatingPoint &Floats) {
  if (Found.Wide)
    return {Reason::LoopType, Found.Wide->getType().getAsString(),
            Found.Wide->getExprLoc()};
  if (Found.Inexact)
    return {Reason::LoopApproximateCall,
            Found.Inexact->getDirectCallee()->getNameAsString(),
            Found.Inexact->getExprLoc()};
  if (Found.Arithmetic && !Floats.HostReassociates.empty())
    return {Reason::LoopReassociates, Floats.HostReassociates,
            Found.Arithmetic->getExprLoc()};
  if (Found.Single && !Floats.DeviceApproximates.empty())
    return {Reason::LoopApproximates, Floats.DeviceApproximates,
            Found.Single->getExprLoc()};
  return {};
}

LoopRounding findLoopRounding(const HostLoop &L, const ASTContext &Context,
                              const FloatingPoint &OfFile) {
  LoopRounding Result;
  if (L.Mark.IsApproximate || L.Mark.IsReassociated)
    return Result;
  const FloatingPoint Floats = forFunction(OfFile, L.Function);
  RoundingFinder Found(L, Context);
  Found.visit(L.Body, Way::Nowhere);
  Result.WhyNot = findBlocker(Found, Floats);
  const bool ReadsConflicts =
      llvm::any_of(L.Accesses, [&](const HostAccess &A) {
        return L.isConflict(A) && A.Kind == HostAccessKind::Read;
      });
  const Expr *OnHost = nullptr, *InCallee = nullptr;
  for (const auto &[E, To, IsInCallee] : Found.Products) {
    // The runtime rounds what its updates add, and what they are added to.
    const bool IsAnywhere =
        To == Way::Kept || (To == Way::Stored && ReadsConflicts);
    const bool OnDevice = To == Way::Sum || (IsAnywhere && Found.HasSums);
    const bool IsAdded = To == Way::Update || To == Way::Stored || IsAnywhere;
    if (!OnHost && (OnDevice || (IsAdded && Found.HasUpdates)))
      OnHost = E;
    if (!OnDevice || !Floats.DeviceContracts)
      continue;
    Result.Products.insert(E->getOperatorLoc());
    if (IsInCallee)
      InCallee = E;
  }
  Result.MeetsSums = OnHost && !Floats.HostNeverContracts;
  if (Result.WhyNot.Why != Reason::None)
    return Result;
  if (OnHost && !Floats.HostContracts.empty())
    Result.WhyNot = {Reason::LoopContracts, Floats.HostContracts,
                     OnHost->getExprLoc()};
  else if (InCallee)
    Result.WhyNot = {Reason::LoopContractsInCall, "", InCallee->getExprLoc()};
  return Result;
}

} // namespace cudaopt
