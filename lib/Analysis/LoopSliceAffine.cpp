// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Affine subscripts of host loops, and what isl proves of them. A subscript
/// `i * n + j` with 0 <= j < n is that of a matrix, [i, j].
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/LoopSlice.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include <map>

using namespace clang;

namespace cudaopt {
namespace {

/// A sum of products: the names of the factors, sorted, and a coefficient.
using Polynomial = std::map<std::vector<std::string>, int64_t>;

/// The loop's own iterator is "i", inner ones are "j0" and so on; what does not
/// change is "p0" and so on.
class AffineLoop {
public:
  AffineLoop(const HostLoop &L, const ASTContext &Context)
      : L(L), Context(Context) {
    collect(L.Body);
  }

  /// The value of \p E; nothing if it is no polynomial, or may wrap around.
  std::optional<Polynomial> evaluate(const Expr *E) const;
  /// The place of the element, rows and parts of rows multiplied out.
  std::optional<Polynomial> evaluate(const HostAccess &A) const;
  /// The values that the iterators have where \p P is evaluated, with \p Suffix
  /// in their names: "i_a >= 0 and ...". Loops around other code say nothing.
  std::string domain(const Polynomial &P, llvm::StringRef Suffix) const;
  std::string dimensions(llvm::StringRef Suffix) const;
  std::string parameters() const;
  /// \p P as text; nothing unless it is affine.
  std::optional<std::string> text(const Polynomial &P,
                                  llvm::StringRef Suffix) const;

private:
  struct InnerLoop {
    const ForStmt *Loop;
    const VarDecl *Variable;
  };
  void collect(const Stmt *S);
  std::optional<Polynomial> evaluateVariable(const Expr *E) const;
  /// A range of an iterator, as text, and the iterators that it depends on.
  struct Bounds {
    std::string Text;
    std::vector<Polynomial> Values;
  };
  Bounds findBounds(llvm::StringRef Name, llvm::StringRef Suffix) const;

  const HostLoop &L;
  const ASTContext &Context;
  std::vector<InnerLoop> Inner;
  llvm::SmallPtrSet<const VarDecl *, 8> Assigned; ///< Besides by loop heads.
};

} // namespace

static const VarDecl *getVariable(const Expr *E) {
  const auto *Use = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Use ? dyn_cast<VarDecl>(Use->getDecl()) : nullptr;
}

/// The iterator of `for (V = ...; V < ...; ++V)`, or null.
static const VarDecl *getIterator(const ForStmt *S) {
  const VarDecl *V = nullptr;
  if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(S->getInit())) {
    if (Declaration->isSingleDecl())
      V = dyn_cast<VarDecl>(Declaration->getSingleDecl());
  } else if (const auto *E = dyn_cast_or_null<BinaryOperator>(S->getInit())) {
    if (E->getOpcode() == BO_Assign)
      V = getVariable(E->getLHS());
  }
  const auto *Step = dyn_cast_or_null<UnaryOperator>(S->getInc());
  const auto *Bound = dyn_cast_or_null<BinaryOperator>(S->getCond());
  const bool IsCanonical =
      V && Step && Step->isIncrementOp() && Bound &&
      getVariable(Step->getSubExpr()) == V &&
      (Bound->getOpcode() == BO_LT || Bound->getOpcode() == BO_LE) &&
      getVariable(Bound->getLHS()) == V && V->getType()->isIntegerType();
  return IsCanonical ? V : nullptr;
}

void AffineLoop::collect(const Stmt *S) {
  if (const auto *E = dyn_cast<BinaryOperator>(S);
      E && E->isAssignmentOp() && getVariable(E->getLHS()))
    Assigned.insert(getVariable(E->getLHS()));
  if (const auto *E = dyn_cast<UnaryOperator>(S);
      E && E->isIncrementDecrementOp() && getVariable(E->getSubExpr()))
    Assigned.insert(getVariable(E->getSubExpr()));
  if (const auto *For = dyn_cast<ForStmt>(S))
    if (const VarDecl *V = getIterator(For);
        V && L.isPrivate(V) && llvm::none_of(Inner, [&](const InnerLoop &I) {
          return I.Variable == V; // Two ranges: none.
        })) {
      Inner.push_back({For, V});
      collect(For->getBody());
      return;
    }
  for (const Stmt *Child : S->children())
    if (Child)
      collect(Child);
}

static Polynomial add(Polynomial A, const Polynomial &B, int64_t Factor) {
  for (const auto &[Product, Coefficient] : B)
    if ((A[Product] += Factor * Coefficient) == 0)
      A.erase(Product);
  return A;
}

static Polynomial multiply(const Polynomial &A, const Polynomial &B) {
  Polynomial Result;
  for (const auto &[Left, X] : A)
    for (const auto &[Right, Y] : B) {
      std::vector<std::string> Product = Left;
      Product.insert(Product.end(), Right.begin(), Right.end());
      llvm::sort(Product);
      Result = add(std::move(Result), {{Product, 1}}, X * Y);
    }
  return Result;
}

/// True if no coefficient is near the end of its type.
static bool isSmall(const Polynomial &P) {
  return P.size() <= 16 && llvm::all_of(P, [](const auto &Term) {
           return Term.second < (1LL << 31) && Term.second > -(1LL << 31);
         });
}

static bool contains(const Stmt *S, const Stmt *Part) {
  return S == Part || llvm::any_of(S->children(), [&](const Stmt *Child) {
           return Child && contains(Child, Part);
         });
}

std::optional<Polynomial> AffineLoop::evaluateVariable(const Expr *E) const {
  if (auto Scalar = L.ScalarOf.find(E); Scalar != L.ScalarOf.end())
    return Polynomial{{{"p" + std::to_string(Scalar->second)}, 1}};
  const VarDecl *V = getVariable(E);
  if (!V)
    return std::nullopt;
  if (V == L.Iterator.Variable)
    return L.Iterator.Range == HostRange::None
               ? std::optional(Polynomial{{{"i"}, 1}})
               : std::nullopt;
  if (Assigned.contains(V))
    return std::nullopt;
  // In the head of its loop, and behind it, an iterator may be out of range.
  for (size_t I = 0; I != Inner.size(); ++I)
    if (Inner[I].Variable == V && contains(Inner[I].Loop->getBody(), E))
      return Polynomial{{{"j" + std::to_string(I)}, 1}};
  if (L.Locals.contains(V) && V->getInit() &&
      V->getType()->isSignedIntegerType())
    return evaluate(V->getInit());
  return std::nullopt;
}

std::optional<Polynomial> AffineLoop::evaluate(const Expr *E) const {
  E = E->IgnoreParens();
  if (L.Numbers.contains(E))
    return Polynomial{{{"i"}, 1}};
  if (!E->getType()->isIntegerType())
    return std::nullopt;
  if (std::optional<llvm::APSInt> Value = E->getIntegerConstantExpr(Context))
    return Value->getSignificantBits() <= 32
               ? std::optional(Polynomial{{{}, Value->getExtValue()}})
               : std::nullopt;
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Inner = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_LValueToRValue ||
        Cast->getCastKind() == CK_NoOp)
      return evaluate(Inner);
    const uint64_t From = Context.getTypeSize(Inner->getType()),
                   To = Context.getTypeSize(E->getType());
    if (Cast->getCastKind() != CK_IntegralCast || To < From ||
        (!E->getType()->isSignedIntegerType() && To < 64))
      return std::nullopt;
    return evaluate(Inner);
  }
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (!Binary)
    return evaluateVariable(E);
  if (!E->getType()->isSignedIntegerType() &&
      Context.getTypeSize(E->getType()) < 64)
    return std::nullopt; // It may wrap around.
  std::optional<Polynomial> Left = evaluate(Binary->getLHS()),
                            Right = evaluate(Binary->getRHS());
  if (!Left || !Right || !isSmall(*Left) || !isSmall(*Right))
    return std::nullopt;
  switch (Binary->getOpcode()) {
  case BO_Add:
    return add(*Left, *Right, 1);
  case BO_Sub:
    return add(*Left, *Right, -1);
  case BO_Mul:
    return multiply(*Left, *Right);
  default:
    return std::nullopt;
  }
}

std::optional<Polynomial> AffineLoop::evaluate(const HostAccess &A) const {
  const HostArray &Array = L.Arrays[A.Array];
  Polynomial Place;
  for (size_t Number = 0; Number != A.Subscripts.size(); ++Number) {
    const uint64_t Size = Array.partSize(Number + 1);
    if (Size >= (1ULL << 31))
      return std::nullopt;
    std::optional<Polynomial> P;
    if (A.Subscripts[Number] && !(P = evaluate(A.Subscripts[Number])))
      return std::nullopt;
    if (A.IsAtIteration && Number == 0)
      P = add(P.value_or(Polynomial()), {{{"i"}, 1}}, 1);
    if (P && !isSmall(*P))
      return std::nullopt;
    if (P)
      Place = add(std::move(Place), *P, int64_t(Size));
  }
  return isSmall(Place) ? std::optional(Place) : std::nullopt;
}

std::optional<std::string> AffineLoop::text(const Polynomial &P,
                                            llvm::StringRef Suffix) const {
  std::string Text = "0";
  for (const auto &[Product, Coefficient] : P) {
    if (Product.size() > 1)
      return std::nullopt;
    Text += " + " + std::to_string(Coefficient);
    if (!Product.empty())
      Text += " * " + Product[0] + (Product[0][0] == 'p' ? "" : Suffix.str());
  }
  return Text;
}

AffineLoop::Bounds AffineLoop::findBounds(llvm::StringRef Name,
                                          llvm::StringRef Suffix) const {
  Bounds Result;
  auto addBound = [&](const Expr *Bound, llvm::StringRef Relation) {
    std::optional<Polynomial> P = Bound ? evaluate(Bound) : std::nullopt;
    std::optional<std::string> Value =
        P && isSmall(*P) ? text(*P, Suffix) : std::nullopt;
    if (!Value)
      return;
    Result.Text +=
        (" and " + Name + Suffix + " " + Relation + " " + *Value).str();
    Result.Values.push_back(*P);
  };
  if (Name == "i") {
    const HostIterator &I = L.Iterator;
    if (I.Range != HostRange::None)
      Result.Text += (" and i" + Suffix + " >= 0").str();
    // A comparison of unsigned numbers says nothing of the signed ones.
    if (!I.Comparison->isSignedIntegerType())
      return Result;
    addBound(I.First, I.Step > 0 ? ">=" : "<=");
    addBound(I.Last, I.Step > 0 ? (I.IncludesLast ? "<=" : "<")
                                : (I.IncludesLast ? ">=" : ">"));
    return Result;
  }
  unsigned Number = 0;
  if (Name.drop_front().getAsInteger(10, Number))
    return Result;
  const auto &[Loop, V] = Inner[Number];
  const auto *Bound = cast<BinaryOperator>(Loop->getCond());
  const Expr *First = V->getInit();
  if (const auto *E = dyn_cast<BinaryOperator>(Loop->getInit()))
    First = E->getRHS();
  if (!Bound->getLHS()->getType()->isSignedIntegerType())
    return Result;
  addBound(First, ">=");
  addBound(Bound->getRHS(), Bound->getOpcode() == BO_LE ? "<=" : "<");
  return Result;
}

std::string AffineLoop::domain(const Polynomial &P,
                               llvm::StringRef Suffix) const {
  std::vector<std::string> Names = {"i"};
  auto addNames = [&](const Polynomial &Value) {
    for (const auto &[Product, _] : Value)
      for (const std::string &Name : Product)
        if (Name[0] == 'j' && !llvm::is_contained(Names, Name))
          Names.push_back(Name);
  };
  addNames(P);
  std::string Text = "0 = 0";
  for (size_t K = 0; K != Names.size(); ++K) {
    const std::string Name = Names[K];
    Bounds Found = findBounds(Name, Suffix);
    Text += Found.Text;
    for (const Polynomial &Value : Found.Values)
      addNames(Value);
  }
  return Text;
}

std::string AffineLoop::dimensions(llvm::StringRef Suffix) const {
  std::string Text = ("i" + Suffix).str();
  for (size_t Number = 0; Number != Inner.size(); ++Number)
    Text += (", j" + std::to_string(Number) + Suffix).str();
  return Text;
}

std::string AffineLoop::parameters() const {
  std::string Text;
  for (size_t Id = 0; Id != L.Scalars.size(); ++Id)
    Text += (Id ? ", p" : "p") + std::to_string(Id);
  return "[" + Text + "] -> ";
}

/// Splits \p P into Factor * Quotient + Rest.
static std::pair<Polynomial, Polynomial> divide(const Polynomial &P,
                                                const std::string &Factor) {
  Polynomial Quotient, Rest;
  for (const auto &[Product, Coefficient] : P) {
    std::vector<std::string> Others = Product;
    auto Found = llvm::find(Others, Factor);
    if (Found == Others.end()) {
      Rest[Product] = Coefficient;
      continue;
    }
    Others.erase(Found);
    Quotient[Others] = Coefficient;
  }
  return {Quotient, Rest};
}

namespace {

/// The subscripts of two accesses, of iterations "_a" and "_b".
class PairProof {
public:
  PairProof(const AffineLoop &A, const IslContext &Isl) : A(A), Isl(Isl) {}

  /// True if different iterations have different elements.
  bool proves(const Polynomial &X, const Polynomial &Y) const {
    if (provesApart(X, Y, {{X, Y}}))
      return true;
    for (const auto &[Product, _] : X)
      for (const std::string &Factor : Product)
        if (Product.size() == 2 && Factor[0] == 'p')
          return provesRows(X, Y, Factor);
    return false;
  }

private:
  using Equations = std::vector<std::pair<Polynomial, Polynomial>>;

  /// As rows and columns of a matrix whose rows have \p Length elements.
  bool provesRows(const Polynomial &X, const Polynomial &Y,
                  const std::string &Length) const {
    auto [RowX, ColumnX] = divide(X, Length);
    auto [RowY, ColumnY] = divide(Y, Length);
    return staysInRow(ColumnX, Length) && staysInRow(ColumnY, Length) &&
           provesApart(X, Y, {{RowX, RowY}, {ColumnX, ColumnY}});
  }
  bool staysInRow(const Polynomial &Column, const std::string &Length) const {
    std::optional<std::string> Text = A.text(Column, "_a");
    return Text && isEmpty(A.dimensions("_a"),
                           A.domain(Column, "_a") + " and (" + *Text +
                               " < 0 or " + *Text + " >= " + Length + ")");
  }
  bool provesApart(const Polynomial &OfA, const Polynomial &OfB,
                   const Equations &Equal) const {
    std::string Text =
        A.domain(OfA, "_a") + " and " + A.domain(OfB, "_b") + " and i_a != i_b";
    for (const auto &[X, Y] : Equal) {
      std::optional<std::string> Left = A.text(X, "_a"),
                                 Right = A.text(Y, "_b");
      if (!Left || !Right)
        return false;
      Text += " and " + *Left + " = " + *Right;
    }
    return isEmpty(A.dimensions("_a") + ", " + A.dimensions("_b"), Text);
  }
  bool isEmpty(const std::string &Dimensions, const std::string &Text) const {
    return Isl.proves([&] {
      return isl::set(Isl.get(), A.parameters() + "{ [" + Dimensions +
                                     "] : " + Text + " }")
          .is_empty();
    });
  }

  const AffineLoop &A;
  const IslContext &Isl;
};

} // namespace

bool isIndependent(const HostLoop &L, HostArrayId Array,
                   const ASTContext &Context, const IslContext &Isl) {
  AffineLoop Affine(L, Context);
  PairProof Proof(Affine, Isl);
  std::vector<std::pair<Polynomial, bool>> Elements; // And whether written.
  for (const HostAccess &A : L.Accesses) {
    if (A.Array != Array)
      continue;
    std::optional<Polynomial> P = Affine.evaluate(A);
    if (!P)
      return false;
    const bool IsWritten = A.Kind != HostAccessKind::Read;
    if (!llvm::is_contained(Elements, std::pair(*P, IsWritten)))
      Elements.push_back({*P, IsWritten});
  }
  for (size_t I = 0; I != Elements.size(); ++I)
    for (size_t J = I; J != Elements.size(); ++J)
      if ((Elements[I].second || Elements[J].second) &&
          !Proof.proves(Elements[I].first, Elements[J].first))
        return false;
  return true;
}

/// True if every iteration gets to \p Ref, an expression of \p S.
static bool isUnconditional(const Stmt *S, const Expr *Ref) {
  if (S == Ref)
    return true;
  if (const auto *If = dyn_cast<IfStmt>(S))
    return isUnconditional(If->getCond(), Ref);
  if (const auto *For = dyn_cast<ForStmt>(S))
    return (For->getInit() && isUnconditional(For->getInit(), Ref)) ||
           (For->getCond() && isUnconditional(For->getCond(), Ref));
  if (isa<WhileStmt, DoStmt>(S))
    return false;
  if (const auto *Choice = dyn_cast<ConditionalOperator>(S))
    return isUnconditional(Choice->getCond(), Ref);
  if (const auto *Logical = dyn_cast<BinaryOperator>(S);
      Logical && Logical->isLogicalOp())
    return isUnconditional(Logical->getLHS(), Ref);
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && isUnconditional(Child, Ref);
  });
}

static bool hasJump(const Stmt *S) {
  return isa<ContinueStmt>(S) ||
         llvm::any_of(S->children(), [](const Stmt *Child) {
           return Child && hasJump(Child);
         });
}

/// The end of the iterators, as text; nothing if it is no plain one, or if the
/// first one is unknown.
static std::optional<std::string> findLast(const HostIterator &I, int64_t More,
                                           const ASTContext &Context) {
  if (I.Range == HostRange::None) {
    std::optional<llvm::APSInt> First =
        I.First->getIntegerConstantExpr(Context);
    if (!First || First->isNegative())
      return std::nullopt;
  }
  std::string Text = I.Count;
  if (I.Last) {
    if (std::optional<llvm::APSInt> Number =
            I.Last->getIntegerConstantExpr(Context))
      return std::to_string(Number->getExtValue() + More);
    std::optional<HostPath> Path = getHostPath(I.Last);
    if (!Path)
      return std::nullopt;
    Text = Path->text();
  }
  return More == 0 ? Text : Text + " + " + std::to_string(More);
}

std::optional<std::string> inferExtent(const HostLoop &L, HostArrayId Array,
                                       const ASTContext &Context) {
  const HostIterator &I = L.Iterator;
  if (I.Step != 1 || !L.Arrays[Array].Row.empty() || hasJump(L.Body))
    return std::nullopt;
  AffineLoop Affine(L, Context);
  int64_t Largest = -1;
  bool IsCertain = false;
  for (const HostAccess &A : L.Accesses) {
    if (A.Array != Array)
      continue;
    std::optional<Polynomial> P =
        A.Subscripts.empty() ? std::nullopt : Affine.evaluate(A);
    if (!P)
      return std::nullopt;
    Polynomial Offset = add(*P, {{{"i"}, 1}}, -1);
    if (Offset.size() > 1 ||
        (!Offset.empty() && !Offset.begin()->first.empty()))
      return std::nullopt;
    const int64_t Constant = Offset.empty() ? 0 : Offset.begin()->second;
    if (Constant < 0)
      return std::nullopt;
    const bool IsHere = isUnconditional(L.Body, A.Ref);
    IsCertain = Constant > Largest
                    ? IsHere
                    : IsCertain || (IsHere && Constant == Largest);
    Largest = std::max(Largest, Constant);
  }
  if (Largest < 0 || !IsCertain)
    return std::nullopt;
  return findLast(I, Largest + I.IncludesLast, Context);
}

} // namespace cudaopt
