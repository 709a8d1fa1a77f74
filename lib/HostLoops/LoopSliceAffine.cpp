// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Affine subscripts of host loops, and what isl proves of them: the addresses
/// that the IR has, as polynomials. A subscript `i * n + j` with 0 <= j < n is
/// that of a matrix, [i, j].
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/LoopSlice.h"
#include "cudaopt/HostLoops/LoopView.h"

#include <map>

using namespace clang;

namespace cudaopt {
namespace {

/// A sum of products: the names of the factors, sorted, and a coefficient.
using Polynomial = std::map<std::vector<std::string>, int64_t>;

/// An element that the loop accesses.
struct AffineElement {
  Polynomial Place;
  const ir::Block *In = nullptr; ///< Where it is accessed.
  bool IsWritten = false;

  bool operator==(const AffineElement &) const = default;
};

/// The loop's own iterator is "i", inner ones are "j0" and so on; what does not
/// change is "p0" and so on.
class AffineLoop {
public:
  AffineLoop(const HostLoop &L, const ASTContext &Context)
      : L(L), View(*L.View), Context(Context) {}

  /// The value \p Id; nothing if it is no polynomial, or may wrap around.
  std::optional<Polynomial> evaluate(ir::ValueId Id);
  /// The element of \p A, rows and parts of rows multiplied out.
  std::optional<AffineElement> evaluate(const HostAccess &A);
  /// The values that the iterators have where \p E is accessed as far as \p P
  /// names them, with \p Suffix in their names: "i_a >= 0 and ...".
  std::string domain(const Polynomial &P, const AffineElement &E,
                     llvm::StringRef Suffix);
  /// Of all values that were met.
  std::string dimensions(llvm::StringRef Suffix) const;
  std::string parameters() const;
  /// \p P as text; nothing unless it is affine.
  std::optional<std::string> text(const Polynomial &P,
                                  llvm::StringRef Suffix) const;

private:
  std::optional<Polynomial> evaluateLeaf(ir::ValueId Id);
  std::optional<Polynomial> evaluateBinary(const ir::Value &V);
  /// A range of an iterator, as text, and the values that it depends on.
  struct Bounds {
    std::string Text;
    std::vector<Polynomial> Values;
  };
  Bounds findBounds(llvm::StringRef Name, const ir::Block &At,
                    llvm::StringRef Suffix);
  void addBounds(Bounds &To, llvm::StringRef Name, const LoopHead &Head,
                 bool IsUp, llvm::StringRef Suffix);

  const HostLoop &L;
  const LoopView &View;
  const ASTContext &Context;
  std::vector<ir::ValueId> Parameters, Inner;
};

} // namespace

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

/// \p Letter and the position of \p Id in \p Known, where it is added.
static std::string nameOf(char Letter, ir::ValueId Id, const LoopView &View,
                          std::vector<ir::ValueId> &Known) {
  const auto At = llvm::find_if(
      Known, [&](ir::ValueId Each) { return View.isSame(Each, Id); });
  const size_t Number = At - Known.begin();
  if (Number == Known.size())
    Known.push_back(Id);
  return Letter + std::to_string(Number);
}

std::optional<Polynomial> AffineLoop::evaluateLeaf(ir::ValueId Id) {
  if (Id == View.head().Counter)
    return L.Iterator.Range == HostRange::None
               ? std::optional(Polynomial{{{"i"}, 1}})
               : std::nullopt;
  if (View.isInvariant(Id))
    return Polynomial{{{nameOf('p', Id, View, Parameters)}, 1}};
  if (View.innerHead(Id))
    return Polynomial{{{nameOf('j', Id, View, Inner)}, 1}};
  return std::nullopt;
}

std::optional<Polynomial> AffineLoop::evaluateBinary(const ir::Value &V) {
  if (!V.Ty.IsSigned && V.Ty.Bits < 64)
    return std::nullopt; // It may wrap around.
  std::optional<Polynomial> Left = evaluate(V.Operands[0]),
                            Right = evaluate(V.Operands[1]);
  if (!Left || !Right || !isSmall(*Left) || !isSmall(*Right))
    return std::nullopt;
  switch (V.binary()) {
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

std::optional<Polynomial> AffineLoop::evaluate(ir::ValueId Id) {
  const ir::Value &V = View.value(Id);
  if (V.Ty.What != ir::Type::Integer)
    return std::nullopt;
  switch (V.What) {
  case ir::Value::Literal:
    return V.Integer.isRepresentableByInt64() &&
                   V.Integer.getSignificantBits() <= 32
               ? std::optional(Polynomial{{{}, V.Integer.getExtValue()}})
               : std::nullopt;
  case ir::Value::Binary:
    if (std::optional<Polynomial> P = evaluateBinary(V))
      return P;
    return View.isInvariant(Id) ? evaluateLeaf(Id) : std::nullopt;
  case ir::Value::Unary:
    if (V.unary() == UO_Minus && V.Ty.IsSigned)
      if (std::optional<Polynomial> P = evaluate(V.Operands[0]))
        return add({}, *P, -1);
    return std::nullopt;
  case ir::Value::Convert: {
    const ir::Type From = View.value(V.Operands[0]).Ty;
    const bool Keeps = From.isIntegral() && V.Ty.Bits >= From.Bits &&
                       (V.Ty.IsSigned || V.Ty.Bits == 64) &&
                       (!V.Ty.IsSigned || From.IsSigned ||
                        V.Ty.Bits > From.Bits || V.Ty.Bits == 64);
    if (Keeps && From.What == ir::Type::Integer)
      return evaluate(V.Operands[0]);
    return View.isInvariant(Id) ? evaluateLeaf(Id) : std::nullopt;
  }
  default:
    return evaluateLeaf(Id);
  }
}

/// \p P divided by \p Size, if it leads to the elements themselves, or to one
/// part of each.
static std::optional<Polynomial> divideBy(int64_t Size, const Polynomial &P) {
  Polynomial Result;
  for (const auto &[Product, Coefficient] : P) {
    if (Coefficient % Size != 0 && !(Product.empty() && Coefficient > 0))
      return std::nullopt;
    if (Coefficient / Size != 0)
      Result[Product] = Coefficient / Size;
  }
  return Result;
}

std::optional<AffineElement> AffineLoop::evaluate(const HostAccess &A) {
  const HostArray &Array = L.Arrays[A.Array];
  AffineElement E;
  E.IsWritten = A.Kind != HostAccessKind::Read;
  if (Array.Kind == HostArrayKind::Scalar)
    return E;
  // A container is asked for its elements in front of that.
  const llvm::ArrayRef<LoopAccess> All = View.accessesAt(A.Node);
  const auto *Found = llvm::find_if(All, [](const LoopAccess &Each) {
    return Each.Operation && Each.Operation->Why.empty();
  });
  if (Found == All.end())
    return std::nullopt;
  E.In = Found->In;
  const int64_t Size = Context.getTypeSizeInChars(Array.Element).getQuantity();
  ir::ValueId Address = Found->Operation->Address;
  for (; View.value(Address).What == ir::Value::Offset;
       Address = View.value(Address).Operands[0]) {
    // Bytes are elements, and rows of them, times a size.
    const std::optional<Polynomial> Bytes =
        evaluate(View.value(Address).Operands[1]);
    if (!Bytes || !isSmall(*Bytes))
      return std::nullopt;
    E.Place = add(std::move(E.Place), *Bytes, 1);
  }
  const LoopHead &Head = View.head();
  if (Address == Head.Counter && Head.Step) // To the first element of the row.
    E.Place = add(std::move(E.Place), {{{"i"}, 1}}, Head.Step->getExtValue());
  else if (!View.isInvariant(Address))
    return std::nullopt;
  std::optional<Polynomial> Place = divideBy(Size, E.Place);
  if (!Place || !isSmall(*Place))
    return std::nullopt;
  E.Place = std::move(*Place);
  return E;
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

void AffineLoop::addBounds(Bounds &To, llvm::StringRef Name,
                           const LoopHead &Head, bool IsUp,
                           llvm::StringRef Suffix) {
  auto addBound = [&](ir::ValueId Bound, llvm::StringRef Relation) {
    std::optional<Polynomial> P = Bound ? evaluate(Bound) : std::nullopt;
    std::optional<std::string> Value =
        P && isSmall(*P) ? text(*P, Suffix) : std::nullopt;
    if (!Value)
      return;
    To.Text += (" and " + Name + Suffix + " " + Relation + " " + *Value).str();
    To.Values.push_back(*P);
  };
  // A comparison of unsigned numbers says nothing of the signed ones.
  if (!Head.Compared.IsSigned || !View.value(Head.Counter).Ty.IsSigned)
    return;
  addBound(Head.First, IsUp ? ">=" : "<=");
  if (Head.Compare == BO_NE)
    addBound(Head.Bound, IsUp ? "<" : ">");
  else
    addBound(Head.Bound, BinaryOperator::getOpcodeStr(Head.Compare));
}

AffineLoop::Bounds AffineLoop::findBounds(llvm::StringRef Name,
                                          const ir::Block &At,
                                          llvm::StringRef Suffix) {
  Bounds Result;
  if (Name == "i") {
    if (L.Iterator.Range != HostRange::None)
      Result.Text += (" and i" + Suffix + " >= 0").str();
    else
      addBounds(Result, Name, View.head(), L.Iterator.Step > 0, Suffix);
    return Result;
  }
  unsigned Number = 0;
  if (Name.drop_front().getAsInteger(10, Number))
    return Result;
  // Behind its loop, an iterator has left its range.
  const std::optional<LoopHead> Head = View.innerHead(Inner[Number]);
  if (Head && View.goesOnTo(Inner[Number], At))
    addBounds(Result, Name, *Head, /*IsUp=*/true, Suffix);
  return Result;
}

std::string AffineLoop::domain(const Polynomial &P, const AffineElement &E,
                               llvm::StringRef Suffix) {
  std::vector<std::string> Names = {"i"};
  auto addNames = [&](const Polynomial &Value) {
    for (const auto &[Product, _] : Value)
      for (const std::string &Name : Product)
        if (Name[0] == 'j' && !llvm::is_contained(Names, Name))
          Names.push_back(Name);
  };
  addNames(P);
  std::string Text = "0 = 0";
  for (size_t K = 0; E.In && K != Names.size(); ++K) {
    Bounds Found = findBounds(Names[K], *E.In, Suffix);
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
  for (size_t Id = 0; Id != Parameters.size(); ++Id)
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
  PairProof(AffineLoop &A, const IslContext &Isl) : A(A), Isl(Isl) {}

  /// True if different iterations have different elements.
  bool proves(const AffineElement &X, const AffineElement &Y) const {
    if (provesApart(X, Y, {{X.Place, Y.Place}}))
      return true;
    for (const auto &[Product, _] : X.Place)
      for (const std::string &Factor : Product)
        if (Product.size() == 2 && Factor[0] == 'p')
          return provesRows(X, Y, Factor);
    return false;
  }

private:
  using Equations = std::vector<std::pair<Polynomial, Polynomial>>;

  /// As rows and columns of a matrix whose rows have \p Length elements.
  bool provesRows(const AffineElement &X, const AffineElement &Y,
                  const std::string &Length) const {
    auto [RowX, ColumnX] = divide(X.Place, Length);
    auto [RowY, ColumnY] = divide(Y.Place, Length);
    return staysInRow(ColumnX, X, Length) && staysInRow(ColumnY, Y, Length) &&
           provesApart(X, Y, {{RowX, RowY}, {ColumnX, ColumnY}});
  }
  bool staysInRow(const Polynomial &Column, const AffineElement &At,
                  const std::string &Length) const {
    const std::optional<std::string> Text = A.text(Column, "_a");
    if (!Text)
      return false;
    const std::string Outside = A.domain(Column, At, "_a") + " and (" + *Text +
                                " < 0 or " + *Text + " >= " + Length + ")";
    return isEmpty(A.dimensions("_a"), Outside);
  }
  bool provesApart(const AffineElement &OfA, const AffineElement &OfB,
                   const Equations &Equal) const {
    std::string Text = A.domain(OfA.Place, OfA, "_a") + " and " +
                       A.domain(OfB.Place, OfB, "_b") + " and i_a != i_b";
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

  AffineLoop &A;
  const IslContext &Isl;
};

} // namespace

bool isIndependent(const HostLoop &L, HostArrayId Array,
                   const ASTContext &Context, const IslContext &Isl) {
  AffineLoop Affine(L, Context);
  std::vector<AffineElement> Elements;
  for (const HostAccess &A : L.Accesses) {
    if (A.Array != Array)
      continue;
    std::optional<AffineElement> E = Affine.evaluate(A);
    if (!E)
      return false;
    if (!llvm::is_contained(Elements, *E))
      Elements.push_back(std::move(*E));
  }
  const PairProof Proof(Affine, Isl);
  for (size_t I = 0; I != Elements.size(); ++I)
    for (size_t J = I; J != Elements.size(); ++J)
      if ((Elements[I].IsWritten || Elements[J].IsWritten) &&
          !Proof.proves(Elements[I], Elements[J]))
        return false;
  return true;
}

/// The end of the iterators, as text; nothing if it is no plain one, or if the
/// first one is unknown.
static std::optional<std::string> findLast(const HostLoop &L, int64_t More,
                                           const ASTContext &Context) {
  const HostIterator &I = L.Iterator;
  if (I.Range == HostRange::None) {
    const ir::Value &First = L.View->value(L.View->head().First);
    if (First.What != ir::Value::Literal || First.Integer.isNegative())
      return std::nullopt;
  }
  std::string Text = I.Count;
  if (I.Last) {
    if (std::optional<llvm::APSInt> Number =
            I.Last->getIntegerConstantExpr(Context)) {
      if (!Number->isRepresentableByInt64())
        return std::nullopt;
      return std::to_string(Number->getExtValue() + More);
    }
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
  if (I.Step != 1 || !L.Arrays[Array].Row.empty())
    return std::nullopt;
  AffineLoop Affine(L, Context);
  int64_t Largest = -1;
  bool IsCertain = false;
  for (const HostAccess &A : L.Accesses) {
    if (A.Array != Array)
      continue;
    std::optional<AffineElement> E =
        A.Subscripts.empty() ? std::nullopt : Affine.evaluate(A);
    if (!E)
      return std::nullopt;
    Polynomial Offset = add(E->Place, {{{"i"}, 1}}, -1);
    if (Offset.size() > 1 ||
        (!Offset.empty() && !Offset.begin()->first.empty()))
      return std::nullopt;
    const int64_t Constant = Offset.empty() ? 0 : Offset.begin()->second;
    if (Constant < 0)
      return std::nullopt;
    const bool IsHere = L.View->isInEachIteration(*E->In);
    IsCertain = Constant > Largest
                    ? IsHere
                    : IsCertain || (IsHere && Constant == Largest);
    Largest = std::max(Largest, Constant);
  }
  if (Largest < 0 || !IsCertain)
    return std::nullopt;
  return findLast(L, Largest + I.IncludesLast, Context);
}

} // namespace cudaopt
