// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Follows the values of products to sums, through the expressions of the loop
/// and of the functions that it calls. The analysis is flow-insensitive: a
/// product that is kept in a variable, is passed to or returned from a
/// function, or is stored to an array that is read, may reach every sum.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/LoopRounding.h"

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

/// Returns true for functions of the standard library whose results have the
/// same bits on the host and on the device: they are exact, or correctly
/// rounded.
static bool isExactName(StringRef Name) {
  static constexpr llvm::StringLiteral Names[] = {
      "abs",   "ceil",  "fabs",     "floor",     "fma",  "fmod",
      "isnan", "isinf", "isfinite", "labs",      "rint", "llabs",
      "round", "trunc", "copysign", "nearbyint", "sqrt"};
  return llvm::is_contained(Names, Name) ||
         (Name.consume_back("f") && llvm::is_contained(Names, Name));
}

/// Returns true for functions that pass an argument's value on: if it is an
/// unrounded product, so may be their result.
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

/// How the value of an expression is used.
enum class Way {
  Nowhere, ///< It cannot reach a sum.
  Sum,     ///< It is an operand of a sum.
  Update,  ///< It is added to an element by an update `x[i] += v`.
  Kept,    ///< It goes into a variable, or into or out of a call.
  Stored,  ///< It is stored to an array.
};

/// Collects the products of a loop with their uses, and other operations that
/// matter to its rounding.
class RoundingFinder {
public:
  RoundingFinder(const HostLoop &L, const ASTContext &Context)
      : L(L), Context(Context) {}

  struct Product {
    const BinaryOperator *E;
    Way To;
    /// True if it stands in a called function of which the generated code has
    /// no copy, so that its text cannot be changed.
    bool IsInCallee;
  };

  /// Visits \p S; \p To says how its value, if it has one, is used.
  void visit(const Stmt *S, Way To);

  std::vector<Product> Products;
  bool HasSums = false, HasUpdates = false;
  const Expr *Arithmetic = nullptr; ///< The first floating-point operation.
  const Expr *Single = nullptr;     ///< The first one of single precision.
  /// The first expression of type long double, which the device lacks.
  const Expr *Wide = nullptr;
  /// The first call whose result may differ between host and device.
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
  unsigned Depth = 0; ///< The nesting depth of calls.
  /// True if the function being visited is copied into the generated struct.
  bool IsCopied = false;
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

/// Visits an assignment to a floating-point variable or element. An update of a
/// conflict array (`x[i] += v`) is no sum of the loop's own code, since the
/// runtime executes it.
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

/// Returns true if the compiler of the generated struct may know the value of
/// \p E and fold an operation on it. It cannot know the elements of arrays and
/// the scalars that are passed to the loop.
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
      // The factor of a product is itself a product that may reach what this
      // one reaches, if the other factor folds: `(a * b) * 1` is `a * b`, and a
      // factor of 2 is exact.
      visit(E->getLHS(), mayFold(E->getRHS()) ? To : Way::Nowhere);
      return visit(E->getRHS(), mayFold(E->getLHS()) ? To : Way::Nowhere);
    }
  }
  visit(E->getLHS(), Inner);
  visit(E->getRHS(), Inner);
}

/// Visits a call. What goes into a function of the user, or comes out of it, is
/// Kept; its body is visited once. Functions of the system are known by name.
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
    // std::min and std::max are comparisons with `<`, and as such exact.
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

/// Returns the reason, beside products and sums, why the device would compute
/// other bits; std::nullopt if there is none.
static std::optional<Refusal> findRefusal(const RoundingFinder &Found,
                                          const FloatingPoint &Floats) {
  if (Found.Wide)
    return Refusal{Reason::LoopType, Found.Wide->getType().getAsString(),
                   Found.Wide->getExprLoc()};
  if (Found.Inexact)
    return Refusal{Reason::LoopApproximateCall,
                   Found.Inexact->getDirectCallee()->getNameAsString(),
                   Found.Inexact->getExprLoc()};
  if (Found.Arithmetic && !Floats.HostReassociates.empty())
    return Refusal{Reason::LoopReassociates, Floats.HostReassociates,
                   Found.Arithmetic->getExprLoc()};
  if (Found.Single && !Floats.DeviceApproximates.empty())
    return Refusal{Reason::LoopApproximates, Floats.DeviceApproximates,
                   Found.Single->getExprLoc()};
  return std::nullopt;
}

LoopRounding findLoopRounding(const HostLoop &L, const ASTContext &Context,
                              const FloatingPoint &OfFile) {
  LoopRounding Result;
  if (L.Mark.IsApproximate || L.Mark.IsReassociated)
    return Result;
  const FloatingPoint Floats = forFunction(OfFile, L.Function);
  RoundingFinder Found(L, Context);
  Found.visit(L.Body, Way::Nowhere);
  Result.Refused = findRefusal(Found, Floats);
  const bool ReadsConflicts =
      llvm::any_of(L.Accesses, [&](const HostAccess &A) {
        return L.isConflict(A) && A.Kind == HostAccessKind::Read;
      });
  // The first product that a compiler of the host may fuse, and the first one
  // that must be rounded but has no text to be edited.
  const Expr *OnHost = nullptr, *InCallee = nullptr;
  for (const auto &[E, To, IsInCallee] : Found.Products) {
    // On the device, updates are executed by the runtime, which adds values
    // that are rounded already; only on the host may they be fused.
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
  if (Result.Refused)
    return Result;
  if (OnHost && !Floats.HostContracts.empty())
    Result.Refused = {Reason::LoopContracts, Floats.HostContracts,
                      OnHost->getExprLoc()};
  else if (InCallee)
    Result.Refused = {Reason::LoopContractsInCall, "", InCallee->getExprLoc()};
  return Result;
}

} // namespace cudaopt
