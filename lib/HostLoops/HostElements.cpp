// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Recognises elements of arrays in all their spellings: a[i], a[i][j], *a,
/// *(a + i), and the subscripts of containers.
//===----------------------------------------------------------------------===//

#include "HostLoopBuilder.h"

using namespace clang;

namespace cudaopt {

/// Splits off the last subscript alone: `A[i][j]` becomes Base `A[i]` with [j].
static std::optional<HostElement> getLastSubscript(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return HostElement{Subscript->getBase()->IgnoreParenImpCasts(),
                       {Subscript->getIdx()}};
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E)) {
    const Expr *Base = Call->getArg(0)->IgnoreParenImpCasts();
    if (Call->getOperator() == OO_Subscript && Call->getNumArgs() == 2)
      return HostElement{Base, {Call->getArg(1)}};
    if (Call->getOperator() == OO_Star && Call->getNumArgs() == 1)
      return HostElement{Base, {nullptr}};
    return std::nullopt;
  }
  const auto *Deref = dyn_cast<UnaryOperator>(E);
  if (!Deref || Deref->getOpcode() != UO_Deref)
    return std::nullopt;
  const Expr *Pointer = Deref->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *Sum = dyn_cast<BinaryOperator>(Pointer);
      Sum && Sum->getOpcode() == BO_Add &&
      Sum->getLHS()->IgnoreImpCasts()->getType()->isPointerOrReferenceType())
    return HostElement{Sum->getLHS()->IgnoreParenImpCasts(), {Sum->getRHS()}};
  return HostElement{Pointer, {nullptr}};
}

std::optional<HostElement> getHostElement(const Expr *E) {
  std::optional<HostElement> Whole = getLastSubscript(E);
  while (Whole) {
    std::optional<HostElement> Outer = getLastSubscript(Whole->Base);
    if (!Outer)
      break;
    Whole->Base = Outer->Base;
    Whole->Subscripts.insert(Whole->Subscripts.begin(), Outer->Subscripts[0]);
  }
  return Whole;
}

} // namespace cudaopt
