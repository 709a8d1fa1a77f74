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
    Whole.first = std::min(Whole.first, Known->second.first);
    Whole.second = std::max(Whole.second, Known->second.second);
  }
  for (const clang::Stmt *Child : S->children())
    extend(Whole, Child);
}

bool Lowering::isOrderOpen(ArrayRef<const clang::Expr *> Arguments) const {
  // What each argument touches, and whether it writes that.
  SmallVector<SmallMapVector<ObjectId, bool, 4>, 6> Roots;
  for (const clang::Expr *Each : Arguments) {
    Span Whole = {Touched.size(), 0};
    extend(Whole, Each);
    if (Whole.first >= Whole.second)
      continue;
    auto &Own = Roots.emplace_back();
    for (size_t I = Whole.first; I < Whole.second; ++I)
      for (ObjectId Root : Touched[I].first
                               ? Builder.function().rootsOf(Touched[I].first)
                               : SmallVector<ObjectId, 2>{0})
        Own[Root] |= Touched[I].second;
  }
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

ValueId Lowering::opaqueOrder(const clang::Expr *E,
                              ArrayRef<const clang::Expr *> Arguments) {
  SmallSetVector<const clang::VarDecl *, 8> Names;
  SmallVector<ValueId, 8> Operands;
  for (const clang::Expr *Each : Arguments) {
    if (const ValueId V = get(Each))
      Operands.push_back(V);
    addNames(Each, Names);
  }
  for (const clang::VarDecl *D : Names)
    Operands.push_back(addressOf(D));
  if (Now->This)
    Operands.push_back(Now->This);
  return opaque(E, "order of evaluation", Operands,
                isa<clang::CXXConstructExpr>(E) ? Context.VoidTy
                                                : E->getType());
}
