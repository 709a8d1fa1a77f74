// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Recognises accesses through casts and row pointers, and computes how many
/// low bits of a value are zero, which tells the alignment of such an access.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/ArrayViews.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <bit>

using namespace clang;

namespace cudaopt {

/// The most bytes that one lane can access with one instruction.
static constexpr uint64_t MaxAccess = 16;

/// Returns the operand if \p E is an explicit cast of a pointer to another
/// pointer type; null otherwise.
static const Expr *getCastPointer(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *Implicit = dyn_cast<ImplicitCastExpr>(E)) {
    if (Implicit->getCastKind() != CK_NoOp)
      return nullptr;
    E = Implicit->getSubExpr()->IgnoreParens();
  }
  const auto *Cast = dyn_cast<ExplicitCastExpr>(E);
  if (!Cast || Cast->getCastKind() != CK_BitCast)
    return nullptr;
  return Cast->getSubExpr()->IgnoreParenImpCasts();
}

/// Returns true for the literal 0.
static bool isZero(const Expr *E) {
  const auto *Literal = dyn_cast<IntegerLiteral>(E->IgnoreParenImpCasts());
  return Literal && Literal->getValue() == 0;
}

const Expr *findCastElement(const Expr *E) {
  E = E->IgnoreParens();
  // (T &)A[i]
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
    return Cast->getCastKind() == CK_LValueBitCast
               ? Cast->getSubExpr()->IgnoreParens()
               : nullptr;
  const Expr *Pointer = nullptr;
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Deref)
    Pointer = Op->getSubExpr();
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E);
      Sub && Sub->getBase() == Sub->getLHS() && isZero(Sub->getIdx()))
    Pointer = Sub->getBase();
  if (!Pointer)
    return nullptr;
  if (const auto *Load = dyn_cast<ImplicitCastExpr>(Pointer->IgnoreParens());
      Load && Load->getCastKind() == CK_LValueToRValue)
    return nullptr;
  Pointer = getCastPointer(Pointer);
  const auto *Address = dyn_cast_or_null<UnaryOperator>(Pointer);
  if (!Address || Address->getOpcode() != UO_AddrOf)
    return nullptr;
  return Address->getSubExpr()->IgnoreParens();
}

/// Returns true if each use of \p Pointer in \p Body is a subscript.
static bool isOnlySubscripted(const VarDecl *Pointer, const Stmt *Body) {
  // Outer nodes are visited first, so that the base of a subscript is known
  // when its name comes.
  llvm::DenseSet<const Expr *> Bases;
  bool IsOnly = true;
  auto visit = [&](const DynTypedNode &N) {
    if (const auto *Sub = N.get<ArraySubscriptExpr>();
        Sub && Sub->getBase() == Sub->getLHS())
      Bases.insert(Sub->getBase()->IgnoreParenImpCasts());
    if (const auto *Ref = N.get<DeclRefExpr>())
      IsOnly &= Ref->getDecl() != Pointer || Bases.contains(Ref);
  };
  forEachNode(Body, visit, {.Implicit = true});
  return IsOnly;
}

bool isRowPointer(const VarDecl *Var, const Stmt *Body) {
  const ASTContext &Context = Var->getASTContext();
  const QualType Type = Var->getType();
  const ArrayType *Row =
      Context.getAsArrayType(Var->getInit()->IgnoreParenImpCasts()->getType());
  return Row && Type->isPointerType() && !Type.isVolatileQualified() &&
         Var->hasLocalStorage() &&
         Context.hasSameUnqualifiedType(Type->getPointeeType(),
                                        Row->getElementType()) &&
         isOnlySubscripted(Var, Body);
}

const Expr *takeSubscripts(const Expr *E,
                           llvm::SmallVectorImpl<const Expr *> &Subscripts) {
  const size_t Begin = Subscripts.size();
  E = E->IgnoreParenImpCasts();
  while (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) {
    if (Sub->getBase() != Sub->getLHS())
      return nullptr;
    Subscripts.push_back(Sub->getIdx());
    E = Sub->getBase()->IgnoreParenImpCasts();
  }
  std::reverse(Subscripts.begin() + Begin, Subscripts.end());
  return E;
}

/// Returns \p E without parentheses and implicit conversions; a variable keeps
/// the one that reads it.
static const Expr *ignoreConversions(const Expr *E) {
  while (true) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
    if (const auto *Paren = dyn_cast<ParenExpr>(E))
      E = Paren->getSubExpr();
    else if (Cast && Cast->getCastKind() != CK_LValueToRValue)
      E = Cast->getSubExpr();
    else
      return E;
  }
}

llvm::SmallVector<const Expr *, 2> flattenSum(const Expr *Subscript,
                                              const ASTContext &Context) {
  const Expr *Top = ignoreConversions(Subscript);
  if (!Top->getType()->isIntegralOrEnumerationType())
    return {};
  const uint64_t Bits = Context.getTypeSize(Top->getType());
  llvm::SmallVector<const Expr *, 2> Terms;
  llvm::SmallVector<const Expr *, 4> Open = {Top};
  while (!Open.empty()) {
    const Expr *E = ignoreConversions(Open.pop_back_val());
    const QualType Type = E->getType();
    const bool MayWrap = Type->isUnsignedIntegerOrEnumerationType() &&
                         Context.getTypeSize(Type) < Bits &&
                         !Context.isPromotableIntegerType(Type);
    if (!Type->isIntegralOrEnumerationType() || MayWrap)
      return {};
    const auto *Sum = dyn_cast<BinaryOperator>(E);
    if (Sum && Sum->getOpcode() == BO_Sub)
      return {};
    if (Sum && Sum->getOpcode() == BO_Add)
      Open.append({Sum->getRHS(), Sum->getLHS()});
    else
      Terms.push_back(E);
  }
  return Terms;
}

/// Returns the number of low bits of \p V that are certainly 0. \p Zeros has
/// those of all values before it.
static unsigned countZeroBits(const ValueGraph &Values, const Value &V,
                              llvm::ArrayRef<uint8_t> Zeros) {
  auto Of = [&](unsigned Operand) -> unsigned {
    return Zeros[V.Operands[Operand]];
  };
  switch (V.Kind) {
  case ValueKind::Constant:
    return std::countr_zero(static_cast<uint64_t>(V.Literal));
  case ValueKind::Add:
  case ValueKind::Sub:
  case ValueKind::Or:
  case ValueKind::Xor:
  case ValueKind::Min:
  case ValueKind::Max:
  case ValueKind::Rem:
    return std::min(Of(0), Of(1));
  case ValueKind::Mul:
    return std::min(64u, Of(0) + Of(1));
  case ValueKind::And:
    return std::max(Of(0), Of(1));
  case ValueKind::Shl:
    if (std::optional<int64_t> Amount = Values.asConstant(V.Operands[1]))
      return std::min<uint64_t>(64, Of(0) + std::max<int64_t>(0, *Amount));
    return Of(0);
  case ValueKind::Select:
    return std::min(Of(1), Of(2));
  case ValueKind::Cast:
    return V.Type.Bits == 1 ? 0 : Of(0);
  case ValueKind::Sequence: {
    unsigned Least = 64;
    for (int64_t Entry : Values.sequenceOf(V))
      Least = std::min<unsigned>(
          Least, std::countr_zero(static_cast<uint64_t>(Entry)));
    return Least;
  }
  default:
    return 0;
  }
}

std::vector<uint8_t> listZeroBits(const ValueGraph &Values, size_t Count) {
  std::vector<uint8_t> Zeros; // Operands come before what uses them.
  for (ValueId Each = 0; Each < Count; ++Each)
    Zeros.push_back(countZeroBits(Values, Values[Each], Zeros));
  return Zeros;
}

unsigned countZeroBits(const ValueGraph &Values, ValueId Id) {
  return listZeroBits(Values, Id + 1)[Id];
}

std::optional<unsigned> findChunk(const ValueGraph &Values,
                                  const ArrayShape &Shape,
                                  llvm::ArrayRef<ValueId> Index,
                                  uint64_t Size) {
  if (Index.empty() || Shape.ElementSize == 0 || Size > MaxAccess ||
      Size % Shape.ElementSize)
    return std::nullopt;
  const uint64_t Chunk = Size / Shape.ElementSize;
  if (!llvm::isPowerOf2_64(Chunk) || Shape.Extents.back() % Chunk ||
      countZeroBits(Values, Index.back()) < llvm::Log2_64(Chunk))
    return std::nullopt;
  return static_cast<unsigned>(Chunk);
}

} // namespace cudaopt
