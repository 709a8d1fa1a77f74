// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Arguments whose order matters. C++ leaves the order of a call's arguments
/// open, and that of most operators' operands, and evaluates the right side of
/// an overloaded assignment first, where clang::CFG has them from left to
/// right. As long as no argument writes what another one touches, every order
/// has the same meaning.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "llvm/ADT/SetVector.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Notes what \p O touches, and which addresses it lets out.
void Lowering::note(const Operation &O) {
  const auto Add = [&](ValueId Address, bool Writes) {
    Touched.push_back({Address, Writes});
  };
  const auto LetOut = [&](ValueId V) {
    if (V)
      for (ObjectId Root : Builder.function().rootsOf(V))
        Escaped.insert(Root);
  };
  switch (O.What) {
  case Operation::Load:
    return Add(O.Address, O.IsVolatile);
  case Operation::Store:
    LetOut(O.Stored);
    return Add(O.Address, true);
  case Operation::Copy:
    Add(O.Stored, O.IsVolatile);
    return Add(O.Address, true);
  case Operation::Atomic:
    for (ValueId V : O.Operands)
      LetOut(V);
    return Add(O.Address, true);
  case Operation::Shuffle:
    for (ValueId V : O.Operands)
      LetOut(V);
    return;
  case Operation::Sample:
    return;
  default:
    break;
  }
  for (ValueId V : O.Operands)
    LetOut(V);
  for (const Touch &T : O.Touches)
    Add(T.Address, T.Writes);
  if (O.What != Operation::Known)
    Add(0, true);
}

/// Whether two objects may share memory; 0 is everything that has escaped.
bool Lowering::mayOverlap(ObjectId A, ObjectId B) const {
  const auto IsVisible = [&](ObjectId Root) {
    const Object::Kind Kind = Builder.object(Root).What;
    return !Root || Escaped.contains(Root) ||
           (Kind != Object::Local && Kind != Object::Temporary);
  };
  const auto IsOpen = [&](ObjectId Root) {
    return !Root || Builder.object(Root).What == Object::Pointee;
  };
  return A == B || ((IsOpen(A) || IsOpen(B)) && IsVisible(A) && IsVisible(B));
}

/// Adds to \p Span what was touched in \p S and below.
void Lowering::extend(Span &Whole, const clang::Stmt *S) const {
  if (!S)
    return;
  if (const auto Known = Now->Spans.find(S); Known != Now->Spans.end()) {
    const Span &Part = Known->second;
    Whole.Begin = std::min(Whole.Begin, Part.Begin);
    Whole.End = std::max(Whole.End, Part.End);
    Whole.FirstObject = std::min(Whole.FirstObject, Part.FirstObject);
    Whole.EndObject = std::max(Whole.EndObject, Part.EndObject);
  }
  for (const clang::Stmt *Child : S->children())
    extend(Whole, Child);
}

/// What \p E touches, and whether it writes that. Temporary objects that it
/// makes are its own: who finds one from elsewhere reads what \p E writes.
Lowering::TouchedObjects Lowering::touchedBy(const clang::Expr *E) const {
  Span Whole = {Touched.size(), 0, ObjectId(Builder.function().numObjects()),
                0};
  extend(Whole, E);
  const auto IsOwn = [&](ObjectId Root) {
    return Root >= Whole.FirstObject && Root < Whole.EndObject &&
           Builder.object(Root).What == Object::Temporary;
  };
  TouchedObjects Result;
  for (size_t I = Whole.Begin; I < Whole.End; ++I)
    for (ObjectId Root : Touched[I].first
                             ? Builder.function().rootsOf(Touched[I].first)
                             : SmallVector<ObjectId, 2>{0})
      if (!IsOwn(Root))
        Result[Root] |= Touched[I].second;
  return Result;
}

bool Lowering::isOrderOpen(ArrayRef<const clang::Expr *> Arguments) const {
  SmallVector<TouchedObjects, 6> Roots;
  for (const clang::Expr *Each : Arguments)
    Roots.push_back(touchedBy(Each));
  for (size_t I = 0; I < Roots.size(); ++I)
    for (size_t J = I + 1; J < Roots.size(); ++J)
      for (auto [A, WritesA] : Roots[I])
        for (auto [B, WritesB] : Roots[J])
          if ((WritesA || WritesB) && mayOverlap(A, B))
            return true;
  return false;
}

/// The variables that \p S names.
static void addNames(const clang::Stmt *S,
                     SmallSetVector<const clang::VarDecl *, 8> &Names) {
  if (!S)
    return;
  if (const auto *Name = dyn_cast<clang::DeclRefExpr>(S))
    if (const auto *D = dyn_cast<clang::VarDecl>(Name->getDecl());
        D && !Name->refersToEnclosingVariableOrCapture())
      Names.insert(D);
  for (const clang::Stmt *Child : S->children())
    addNames(Child, Names);
}

/// In every order, the arguments touch what they name and what the functions
/// that they call touch. A variable that none of them writes has one value:
/// only what it points to is touched.
ValueId Lowering::opaqueOrder(const clang::Expr *E,
                              ArrayRef<const clang::Expr *> Arguments) {
  SmallSetVector<const clang::VarDecl *, 8> Names;
  SmallVector<ValueId, 8> Operands;
  SmallVector<ObjectId, 8> Written;
  for (const clang::Expr *Each : Arguments) {
    if (const ValueId V = get(Each))
      Operands.push_back(V);
    addNames(Each, Names);
    for (auto [Root, Writes] : touchedBy(Each)) {
      if (Writes)
        Written.push_back(Root);
      if (Root && Builder.object(Root).What != Object::Local)
        Operands.push_back(Builder.address(Root));
    }
  }
  for (const clang::VarDecl *D : Names) {
    const ValueId Address = addressOf(D);
    const auto Roots = Builder.function().rootsOf(Address);
    const bool IsConstant =
        D->getType()->isScalarType() && all_of(Roots, [&](ObjectId Root) {
          return Builder.object(Root).What == Object::Local &&
                 none_of(Written, [&](ObjectId Other) {
                   return mayOverlap(Root, Other);
                 });
        });
    if (!IsConstant)
      Operands.push_back(Address);
    else if (D->getType()->isPointerType())
      Operands.push_back(load(nullptr, Address, D->getType()));
  }
  if (Now->This)
    Operands.push_back(Now->This);
  return opaque(E, "order of evaluation", Operands,
                isa<clang::CXXConstructExpr>(E) ? Context.VoidTy
                                                : E->getType());
}
