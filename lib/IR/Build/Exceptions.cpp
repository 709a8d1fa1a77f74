// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Models exceptions that are caught.
///
/// Any call in a `try` block may throw. One edge stands for all of them: from
/// the beginning of the block to its handlers. It is taken before the block has
/// done anything, so the handlers begin with opaque operations that may change
/// whatever the block may have changed. That covers every place from which it
/// can be left.
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Members.h"

using namespace cudaopt::ir;
using namespace llvm;

/// Returns the `try` statements of \p Graph; inner ones, which have fewer
/// statements, come before outer ones.
std::vector<Lowering::Try> Lowering::findTries(const clang::CFG &Graph) {
  std::vector<Try> Tries;
  for (const clang::CFGBlock *B : Graph) {
    const auto *S = dyn_cast_or_null<clang::CXXTryStmt>(B->getTerminatorStmt());
    if (!S)
      continue;
    Try &T = Tries.emplace_back();
    T.Handlers = B;
    std::vector<const clang::Stmt *> Ahead = {S->getTryBlock()};
    while (!Ahead.empty()) {
      const clang::Stmt *Each = Ahead.back();
      Ahead.pop_back();
      if (Each && T.Body.insert(Each).second)
        append_range(Ahead, Each->children());
    }
  }
  sort(Tries, [](const Try &A, const Try &B) {
    return std::pair(A.Body.size(), A.Handlers->getBlockID()) <
           std::pair(B.Body.size(), B.Handlers->getBlockID());
  });
  return Tries;
}

/// Makes the edge to the handlers where \p S is the first statement to be
/// lowered of a `try` block.
void Lowering::enterTries(const clang::Stmt *S) {
  for (Try &T : reverse(Now->Tries)) {
    if (T.IsEntered || !T.Body.contains(S))
      continue;
    T.IsEntered = true;
    Block *Next = Builder.addBlock();
    Builder.branch(Here, Builder.undefined(Type::boolean()),
                   Now->Starts.lookup(T.Handlers), Next, {});
    Here = Next;
  }
}

/// Returns the statement of the current frame to which \p O belongs: its own,
/// or the call through which it was spliced in. Returns null if there is none.
const clang::Stmt *Lowering::placeHere(const Operation &O) const {
  if (O.Where.Path == Now->Path)
    return O.Where.Node;
  const auto Outer = Builder.function().callsOf(Now->Path);
  const auto Calls = Builder.function().callsOf(O.Where.Path);
  return Calls.size() > Outer.size() &&
                 std::equal(Outer.begin(), Outer.end(), Calls.begin())
             ? Calls[Outer.size()]
             : nullptr;
}

/// Returns the objects that the block of \p T may have changed and that its
/// handlers can still see: those that are not declared in the block and not
/// local to a function that it calls. If the block has opaque operations or
/// writes through unknown pointers, any object may have changed whose address
/// is known to others.
SmallVector<ObjectId, 8> Lowering::listChanged(const Try &T) const {
  const Function &F = Builder.function();
  SmallDenseSet<ObjectId, 16> Changed, LetOut;
  bool ChangesAny = false;
  const auto AddRoots = [&](ValueId Pointer, SmallDenseSet<ObjectId, 16> &To) {
    if (Pointer && Builder.value(Pointer).Ty == Type::pointer())
      for (ObjectId Root : F.rootsOf(Pointer))
        To.insert(Root);
  };
  for (const std::unique_ptr<Block> &B : Builder.blocks())
    for (const Operation &O : B->Operations) {
      if (O.What != Operation::Copy)
        AddRoots(O.Stored, LetOut);
      for (ValueId Each : O.Operands)
        AddRoots(Each, LetOut);
      const clang::Stmt *At = placeHere(O);
      const bool IsInside =
          At ? T.Body.contains(At)
             : O.Where.Path == Now->Path && O.What == Operation::Opaque;
      if (!IsInside || O.What == Operation::Load)
        continue;
      ChangesAny |= O.What == Operation::Opaque;
      AddRoots(O.Address, Changed);
      for (ObjectId Each : O.Mentions)
        Changed.insert(Each);
    }
  ChangesAny |= Changed.contains(0);
  SmallDenseSet<const void *, 16> Declared;
  for (const clang::Stmt *S : T.Body)
    if (const auto *D = dyn_cast<clang::DeclStmt>(S))
      for (const clang::Decl *Each : D->decls())
        Declared.insert(Each->getCanonicalDecl());
  SmallVector<ObjectId, 8> Result;
  const auto Ours = F.callsOf(Now->Path);
  const auto Add = [&](const void *Of, CallPathId Path, ObjectId Id) {
    const auto Outer = F.callsOf(Path);
    const bool IsOfCaller =
        Outer.size() <= Ours.size() &&
        std::equal(Outer.begin(), Outer.end(), Ours.begin());
    const bool IsInner = Declared.contains(Of) ||
                         T.Body.contains(static_cast<const clang::Stmt *>(Of));
    if (!IsInner && IsOfCaller && !is_contained(Result, Id) &&
        (Changed.contains(Id) || (ChangesAny && LetOut.contains(Id))))
      Result.push_back(Id);
  };
  for (const auto &[Of, Id] : Objects)
    Add(Of.first, Of.second, Id);
  for (const auto &[Of, At] : Places)
    for (ObjectId Id : F.rootsOf(At))
      Add(Of.first, static_cast<CallPathId>(Of.second), Id);
  sort(Result);
  return Result;
}

/// Stores an unknown value to each scalar of the object \p Id, so that it can
/// still be promoted. Returns false, and does nothing, if \p Id does not
/// consist of scalars or is no object of the thread.
bool Lowering::forget(ObjectId Id, const clang::Stmt *At) {
  const Object &Of = Builder.object(Id);
  const clang::QualType T = Of.SourceType;
  if (Of.What != Object::Local && Of.What != Object::Temporary)
    return false;
  const auto Members = membersOf(T, Context);
  if (!Members)
    return false;
  for (const Member &M : *Members) {
    Operation Unknown;
    Unknown.Why = "exception";
    Unknown.Where = anchor(At);
    const ValueId V = Unknown.Result = Builder.result(M.Ty);
    appendOpaque(std::move(Unknown));
    Operation Store;
    Store.What = Operation::Store;
    Store.Width = M.Width;
    Store.Address =
        Builder.offset(Builder.address(Id),
                       Builder.literal(M.Offset, Type::integer(true, 64)));
    Store.Stored = V;
    append(std::move(Store));
  }
  return true;
}

/// If \p B dispatches to handlers, forgets what their `try` block may have
/// changed.
void Lowering::lowerHandlers(const clang::CFGBlock &B) {
  for (const Try &T : Now->Tries) {
    if (T.Handlers != &B)
      continue;
    Operation O;
    O.Why = "exception";
    O.Where = anchor(B.getTerminatorStmt());
    for (ObjectId Each : listChanged(T))
      if (!forget(Each, B.getTerminatorStmt()))
        O.Operands.push_back(Builder.address(Each));
    appendOpaque(std::move(O));
  }
}
