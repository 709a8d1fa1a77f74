// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the expressions of a kernel are: found once, as every thread meets
/// them.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/KernelInterpreter.h"

#include "clang/AST/APValue.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace cudaopt;

/// Returns what constant \p Variable holds, if it is one.
KernelInterpreter::Integer
KernelInterpreter::constantOf(const VarDecl *Variable) const {
  if (!Variable || !integerType(Variable->getType()))
    return {};
  if (Variable->isUsableInConstantExpressions(Context))
    if (const APValue *Value = Variable->evaluateValue();
        Value && Value->isInt())
      return {Value->getInt().getExtValue()};
  if (!Variable->hasLocalStorage() && Variable->getName() == "warpSize")
    return {32};
  return {};
}

KernelInterpreter::Operand
KernelInterpreter::resolveName(const DeclRefExpr *Name) const {
  if (auto *Enumerator = dyn_cast<EnumConstantDecl>(Name->getDecl()))
    return {Operand::Constant, {Enumerator->getInitVal().getExtValue()}};
  auto *Variable = dyn_cast<VarDecl>(Name->getDecl());
  if (auto Slot = Slots.find(Variable);
      Slot != Slots.end() && !Aliased.contains(Variable))
    return {Operand::Local, {}, Slot->second};
  return {Operand::Constant, constantOf(Variable)};
}

/// Resolves member \p Member of threadIdx, blockIdx, blockDim or gridDim, if
/// \p Base is one of them.
std::optional<KernelInterpreter::Operand>
KernelInterpreter::resolveBuiltin(const Expr *Base,
                                  const NamedDecl *Member) const {
  // The base of a property is evaluated once, and kept as an opaque value.
  if (auto *Opaque = dyn_cast<OpaqueValueExpr>(Base->IgnoreParenImpCasts()))
    Base = Opaque->getSourceExpr();
  auto *Name = dyn_cast<DeclRefExpr>(Base->IgnoreParenImpCasts());
  auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  llvm::StringRef MemberName =
      Member->getIdentifier() ? Member->getName() : llvm::StringRef();
  unsigned Dimension = llvm::StringSwitch<unsigned>(MemberName)
                           .Case("x", 0)
                           .Case("y", 1)
                           .Case("z", 2)
                           .Default(3);
  if (!Variable || !Variable->isFileVarDecl() || Dimension == 3)
    return std::nullopt;
  llvm::StringRef Which = Variable->getName();
  if (Which == "threadIdx")
    return Operand{Operand::ThreadIdx, {}, Dimension};
  if (Which == "blockIdx")
    return Operand{Operand::BlockIdx, {}, Dimension};
  if (Which == "blockDim")
    return Operand{Operand::Constant, {Block[Dimension]}};
  if (Which == "gridDim" && Grid[Dimension] != 0)
    return Operand{Operand::Constant, {Grid[Dimension]}};
  return std::nullopt;
}

/// Resolves \p E if it has no operands; else it is an operation.
KernelInterpreter::Operand KernelInterpreter::resolveLeaf(const Expr *E) const {
  switch (E->getStmtClass()) {
  case Stmt::IntegerLiteralClass: {
    const llvm::APInt &Literal = cast<IntegerLiteral>(E)->getValue();
    if (Literal.getActiveBits() > 64)
      return {Operand::Constant, {}};
    return {Operand::Constant, {Literal.getZExtValue()}};
  }
  case Stmt::CXXBoolLiteralExprClass:
    return {Operand::Constant, {cast<CXXBoolLiteralExpr>(E)->getValue()}};
  case Stmt::CharacterLiteralClass:
    return {Operand::Constant,
            convert({cast<CharacterLiteral>(E)->getValue()}, E->getType())};
  case Stmt::UnaryExprOrTypeTraitExprClass: {
    Expr::EvalResult Result;
    if (!E->EvaluateAsInt(Result, Context))
      return {Operand::Constant, {}};
    return {Operand::Constant, {Result.Val.getInt().getExtValue()}};
  }
  case Stmt::DeclRefExprClass:
    return resolveName(cast<DeclRefExpr>(E));
  case Stmt::MemberExprClass: {
    auto *Member = cast<MemberExpr>(E);
    return resolveBuiltin(Member->getBase(), Member->getMemberDecl())
        .value_or(Operand{Operand::Operation, {}});
  }
  case Stmt::MSPropertyRefExprClass: {
    auto *Property = cast<MSPropertyRefExpr>(E);
    return resolveBuiltin(Property->getBaseExpr(), Property->getPropertyDecl())
        .value_or(Operand{Operand::Constant, {}});
  }
  default:
    return {Operand::Operation, {}};
  }
}

/// Returns the operand of \p E if its value is that of \p E, or null.
const Expr *KernelInterpreter::skipOne(const Expr *E) const {
  if (auto *Full = dyn_cast<FullExpr>(E))
    return Full->getSubExpr();
  if (auto *Constant = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return Constant->getReplacement();
  if (auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return Pseudo->getSyntacticForm();
  if (auto *List = dyn_cast<InitListExpr>(E))
    return List->getNumInits() == 1 && integerType(E->getType())
               ? List->getInit(0)
               : nullptr;
  if (auto *Cast = dyn_cast<CastExpr>(E))
    return Cast->getCastKind() == CK_LValueToRValue ||
                   Cast->getCastKind() == CK_NoOp
               ? Cast->getSubExpr()
               : nullptr;
  return nullptr;
}

/// Returns what \p E is. The answer is the same each time.
KernelInterpreter::Operand KernelInterpreter::resolve(const Expr *E) {
  auto [Known, IsNew] = Operands.try_emplace(E);
  if (!IsNew)
    return Known->second;
  const Expr *Inner = E->IgnoreParens();
  while (!ReferenceIds.contains(Inner)) {
    const Expr *Next = skipOne(Inner);
    if (!Next)
      break;
    Inner = Next->IgnoreParens();
  }
  auto Reference = ReferenceIds.find(Inner);
  Operand &Result = Known->second;
  Result = Reference == ReferenceIds.end()
               ? resolveLeaf(Inner)
               : Operand{Operand::Reference, {}, Reference->second};
  Result.E = Inner;
  return Result;
}

/// Returns where the value of local \p E is kept, or null.
KernelInterpreter::Integer *KernelInterpreter::findLocal(const Expr *E) {
  Operand Found = resolve(E);
  return Found.What == Operand::Local ? &Values[Found.Number] : nullptr;
}
