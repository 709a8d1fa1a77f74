// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds operands whose order of evaluation matters.
///
/// C++ leaves open in which order the arguments of a call and the operands of
/// most operators are evaluated, and compilers differ; clang::CFG has them from
/// left to right. (Of an overloaded assignment, C++ evaluates the right side
/// first.) As long as no operand writes what another one accesses, every order
/// has the same meaning, and that of the graph will do:
///
///   f(a[i], b[i])     any order
///   f(i, i++)         the order matters: the call is opaque
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "llvm/ADT/SetVector.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Records which addresses \p O accesses, and which objects escape by it.
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

/// Returns whether two objects may share memory. 0, which stands for everything
/// that has escaped, and pointees may overlap each object whose address others
/// can know.
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

/// Extends \p Whole by what was accessed by \p S and by expressions below it.
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

/// Returns the objects that \p E accesses, and whether it writes them.
/// Temporaries that it makes itself are left out: no other operand can access
/// one but through a pointer that \p E has written somewhere, and that access
/// counts.
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

/// Adds the variables that are named in \p S, apart from captured ones.
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

/// Makes \p E, whose result depends on the order of \p Arguments, opaque. In
/// every order, they access no more than the objects that they name and that
/// the functions they call access, so these are the operands. A scalar variable
/// that none of them writes has the same value in each order: it is left out,
/// and only what it points to is an operand.
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
