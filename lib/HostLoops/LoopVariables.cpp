// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How a loop and its function use the variables that the loop names.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/LoopView.h"
#include "cudaopt/Source/StatementParts.h"

#include "clang/AST/StmtCXX.h"

using namespace cudaopt;
using namespace llvm;

/// Objects whose address goes where loads and stores do not show it.
void LoopView::findEscapes() {
  DenseSet<ir::ValueId> Seen;
  const auto Escape = [&](ir::ValueId Id) {
    std::vector<ir::ValueId> Ahead = {Id};
    while (!Ahead.empty()) {
      const ir::ValueId Each = Ahead.back();
      Ahead.pop_back();
      if (!Each || !Seen.insert(Each).second)
        continue;
      if (value(Each).What == ir::Value::Address)
        Escaped.insert(value(Each).Object);
      append_range(Ahead, value(Each).Operands);
    }
  };
  for (const std::unique_ptr<ir::Block> &B : F->blocks()) {
    Escape(B->Condition);
    for (ir::ValueId Phi : B->Phis)
      Escape(Phi);
    for (const ir::VariableUse &U : B->Uses)
      if (U.IsStore)
        Escape(U.Held);
    for (const ir::Operation &O : B->Operations) {
      Escape(O.Stored);
      for (ir::ValueId Each : O.Operands)
        Escape(Each);
      for (ir::ObjectId Root :
           O.Address ? F->rootsOf(O.Address) : SmallVector<ir::ObjectId, 2>())
        InMemory.insert(Root);
    }
  }
}

ir::ObjectId LoopView::objectOf(const clang::VarDecl *V) const {
  for (ir::ObjectId Id = 1; Id < F->numObjects(); ++Id)
    if (F->object(Id).Decl == V->getCanonicalDecl() &&
        F->object(Id).What != ir::Object::Pointee)
      return Id;
  return 0;
}

bool LoopView::isValue(const clang::VarDecl *V) const {
  const ir::ObjectId Id = objectOf(V);
  return Id && V->hasLocalStorage() && !InMemory.contains(Id);
}

bool LoopView::isCounterOf(const clang::VarDecl *V) const {
  return any_of(accessesTo(placeOf(V)), [&](const LoopAccess &A) {
    return A.value() == Head.Counter || A.value() == Head.Next;
  });
}

LoopPlace LoopView::placeOf(const clang::VarDecl *V) const {
  return {objectOf(V), 0, 0};
}

bool LoopView::mayBeReached(const clang::VarDecl *V) const {
  const ir::ObjectId Id = objectOf(V);
  return !Id || !V->hasLocalStorage() || Escaped.contains(Id);
}

LoopPlace LoopView::placeOf(const LoopAccess &A) const {
  if (A.Use)
    return {A.Use->Variable, A.Use->Offset, 0};
  if (const std::optional<ir::Place> At = F->placeOf(A.Operation->Address))
    return {At->Object, At->Offset, 0};
  return {0, 0, A.Operation->Address};
}

bool LoopView::areSame(const LoopPlace &A, const LoopPlace &B) const {
  return A.Object == B.Object && A.Offset == B.Offset &&
         isSame(A.Address, B.Address);
}

SmallVector<LoopAccess, 4> LoopView::accessesTo(const LoopPlace &P) const {
  SmallVector<LoopAccess, 4> Result;
  const auto Add = [&](const LoopAccess &A) {
    if (areSame(placeOf(A), P))
      Result.push_back(A);
  };
  for (const ir::Block *B : Loop->Blocks) {
    for (const ir::VariableUse &U : B->Uses)
      Add({B, nullptr, &U});
    for (const ir::Operation &O : B->Operations)
      if (O.Address)
        Add({B, &O, nullptr});
  }
  return Result;
}

std::optional<LoopAccess> LoopView::firstIn(const ir::Block &B,
                                            const LoopPlace &P) const {
  for (const ir::VariableUse &U : B.Uses)
    if (areSame(placeOf({&B, nullptr, &U}), P))
      return LoopAccess{&B, nullptr, &U};
  for (const ir::Operation &O : B.Operations)
    if (O.Address && areSame(placeOf({&B, &O, nullptr}), P))
      return LoopAccess{&B, &O, nullptr};
  return std::nullopt;
}

/// True if \p P may be read, before it is written, on a way from the beginning
/// of a block of \p Ahead; \p StaysInside of the loop, and of one iteration.
bool LoopView::mayRead(SmallVector<const ir::Block *, 4> Ahead,
                       const LoopPlace &P, bool StaysInside) const {
  SmallPtrSet<const ir::Block *, 16> Seen;
  while (!Ahead.empty()) {
    const ir::Block *B = Ahead.pop_back_val();
    if (!Seen.insert(B).second)
      continue;
    if (const std::optional<LoopAccess> A = firstIn(*B, P)) {
      if (!A->isStore())
        return true;
      continue;
    }
    for (const ir::Block *Next : B->Successors)
      if (!StaysInside || (contains(*Next) && Next != Loop->Header))
        Ahead.push_back(Next);
  }
  return false;
}

bool LoopView::isReadFirst(const LoopPlace &P) const {
  return mayRead({Loop->Header}, P, /*StaysInside=*/true);
}

static bool declares(const clang::Stmt *S, const clang::VarDecl *V) {
  if (const auto *D = dyn_cast_or_null<clang::DeclStmt>(S))
    return is_contained(D->decls(), V);
  return S && any_of(S->children(), [&](const clang::Stmt *Part) {
           return declares(Part, V);
         });
}

/// True if \p Loop stands in a try block of \p S that \p V is older than: who
/// handles what is thrown behind the loop may read it.
static bool outlivesTry(const clang::VarDecl *V, const clang::Stmt *Loop,
                        const clang::Stmt *S) {
  if (!contains(S, Loop))
    return false;
  if (const auto *Try = dyn_cast<clang::CXXTryStmt>(S))
    if (contains(Try->getTryBlock(), Loop) && !declares(Try->getTryBlock(), V))
      return true;
  return any_of(S->children(), [&](const clang::Stmt *Part) {
    return outlivesTry(V, Loop, Part);
  });
}

bool LoopView::isLiveOut(const clang::VarDecl *V) const {
  // The graph does not show what runs once a callee has thrown: handlers, and
  // destructors, of what the variable's address was given to.
  if (!isValue(V) || V->getType()->isReferenceType() || mayBeReached(V) ||
      outlivesTry(V, Loop->Statement, F->decl()->getBody()))
    return true;
  SmallVector<const ir::Block *, 4> Behind;
  for (const ir::Block *B : Loop->Blocks)
    for (const ir::Block *Next : B->Successors)
      if (!contains(*Next))
        Behind.push_back(Next);
  return mayRead(std::move(Behind), placeOf(V), /*StaysInside=*/false);
}
