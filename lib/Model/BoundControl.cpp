// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The conditions under which threads reach a block, and the tests of loops.
///
/// A block is reached from its immediate dominator under a condition: none, if
/// every path leads there; that of a branch; or what the paths between say
/// together. Inner loops are passed as if they were one block: how often they
/// run does not matter to what is behind them, unless some threads leave the
/// function, or an outer loop, from inside.
//===----------------------------------------------------------------------===//

#include "BoundFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cudaopt {

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::optional<unsigned> BoundFunction::loopOf(const ir::Block *B) const {
  return Around[B->Id];
}

std::optional<unsigned> BoundFunction::loopAround(const ir::Block *B) const {
  const MaybeLoop L = loopOf(B);
  return L && F.loops()[*L].Header == B ? F.loops()[*L].Parent : L;
}

bool BoundFunction::encloses(MaybeLoop Outer, MaybeLoop Inner) const {
  while (Inner && Inner != Outer)
    Inner = F.loops()[*Inner].Parent;
  return Inner == Outer;
}

/// The test of a loop consists of the blocks that are executed between its
/// header and the branch that its statement makes.
void BoundFunction::findTests() {
  Tests.resize(F.loops().size());
  for (auto [L, T] : llvm::zip_equal(F.loops(), Tests)) {
    const auto Last = llvm::find_if(L.Blocks, [&L = L](const ir::Block *B) {
      return L.Statement && B->TestedLoop == L.Statement &&
             B->Terminator == ir::Block::Branch;
    });
    if (Last == L.Blocks.end() ||
        !llvm::is_contained(L.Blocks, (*Last)->Successors[0]) ||
        llvm::is_contained(L.Blocks, (*Last)->Successors[1]) ||
        (*Last)->Successors[0] == L.Header)
      continue;
    llvm::SmallSetVector<ir::Block *, 4> Found;
    Found.insert(L.Header);
    std::vector<ir::Block *> Ahead = {*Last};
    while (!Ahead.empty()) {
      ir::Block *B = Ahead.back();
      Ahead.pop_back();
      if (Found.insert(B))
        llvm::append_range(Ahead, B->Predecessors);
    }
    T.Blocks.assign(Found.begin(), Found.end());
    T.Body = (*Last)->Successors[0];
  }
}

/// Returns true if nothing but the test ends the loop; for a loop without a
/// test in front, if it is left at the end of an iteration only.
bool BoundFunction::leavesOnlyByTest(unsigned Loop) const {
  const ir::Loop &L = F.loops()[Loop];
  const auto IsLatch = [&](const ir::Block *B) {
    return B->Terminator == ir::Block::Branch &&
           llvm::any_of(B->Successors, [&](const ir::Block *To) {
             return To == L.Header || (To->Operations.empty() &&
                                       To->Terminator == ir::Block::Jump &&
                                       To->Successors[0] == L.Header);
           });
  };
  return llvm::all_of(L.Blocks, [&](ir::Block *B) {
    if (!Tests[Loop].Body && IsLatch(B))
      return true;
    if (llvm::is_contained(Tests[Loop].Blocks, B))
      return B->Terminator != ir::Block::MayLeave;
    const auto Next =
        llvm::ArrayRef(B->Successors).drop_back(B->HasVirtualExit);
    return llvm::all_of(
        Next, [&](ir::Block *To) { return llvm::is_contained(L.Blocks, To); });
  });
}

const ir::Loop *BoundFunction::findLoop(const clang::Stmt *S,
                                        ir::CallPathId Path) const {
  const auto Found = llvm::find_if(F.loops(), [&](const ir::Loop &L) {
    return L.Statement == S && L.Path == Path;
  });
  return Found == F.loops().end() ? nullptr : &*Found;
}

void BoundFunction::bind(const ir::Loop &L, LoopId Id) {
  const unsigned Index = &L - F.loops().data();
  Bound[Index] = Id;
  const Test &T = Tests[Index];
  // An access in the test is executed once more than the body, which the model
  // of a loop cannot express: such a loop gets no condition.
  const bool IsPlain = llvm::all_of(T.Blocks, [&](const ir::Block *B) {
    return llvm::all_of(B->Operations, [&](const ir::Operation &O) {
      return O.What == ir::Operation::Load &&
             llvm::none_of(F.rootsOf(O.Address), [&](ir::ObjectId Root) {
               const ir::Object::Kind Kind = F.object(Root).What;
               return Kind == ir::Object::Shared ||
                      Kind == ir::Object::DynamicShared ||
                      Kind == ir::Object::Unknown;
             });
    });
  });
  if (T.Body && IsPlain)
    Instance.Loops[Id].Condition = pathCondition(L.Header, T.Body);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

ValueId BoundFunction::negation(ValueId V) {
  const Value Old = Instance.Values[V];
  if (Old.Kind == ValueKind::LogicalNot) {
    const ValueKind Inner = Instance.Values[Old.Operands[0]].Kind;
    if (Inner >= ValueKind::Less && Inner <= ValueKind::LogicalNot)
      return Old.Operands[0];
  }
  return Instance.Values.operation(ValueKind::LogicalNot, {}, {V});
}

ValueId BoundFunction::both(ValueId A, ValueId B) {
  if (Instance.Values.asConstant(A) == 1)
    return B;
  if (Instance.Values.asConstant(B) == 1)
    return A;
  return Instance.Values.operation(ValueKind::LogicalAnd, {}, {A, B});
}

/// Returns the disjunction of two conditions. The second may contain the
/// negation of the first, which is dropped: a || (!a && b) is a || b.
ValueId BoundFunction::either(ValueId A, ValueId B) {
  if (A == B)
    return A;
  if (B == negation(A) || A == negation(B))
    return Instance.Values.constant(1);
  const Value Last = Instance.Values[B]; // A copy, since the graph grows below.
  if (Last.Kind == ValueKind::LogicalAnd &&
      (Last.Operands[0] == negation(A) || A == negation(Last.Operands[0])))
    B = Last.Operands[1];
  return Instance.Values.operation(ValueKind::LogicalOr, {}, {A, B});
}

/// Returns the condition on which control goes from \p From to its successor
/// \p To.
std::optional<ValueId> BoundFunction::edge(const ir::Block *From,
                                           const ir::Block *To) {
  ValueGraph &Values = Instance.Values;
  if (From->Terminator == ir::Block::Jump)
    return Values.constant(1);
  if (From->Terminator != ir::Block::Branch &&
      From->Terminator != ir::Block::Switch)
    return std::nullopt;
  const MaybeValue Condition = valueIn(From->Condition, loopOf(From));
  if (!Condition)
    return std::nullopt;
  if (From->Terminator == ir::Block::Branch)
    return From->Successors[0] == To ? *Condition : negation(*Condition);

  const ValueType Type = Values[*Condition].Type;
  // Conditions of the cases that lead to To, and of those that lead elsewhere.
  MaybeValue Here, Elsewhere;
  bool IsDefault = false;
  for (auto [Next, Case] : llvm::zip_equal(From->Successors, From->Cases)) {
    if (!Case) {
      IsDefault |= Next == To;
      continue;
    }
    const ValueId First = Values.constant(Case->first, Type),
                  Last = Values.constant(Case->second, Type);
    const ValueId Holds =
        First == Last
            ? Values.operation(ValueKind::Equal, {}, {*Condition, First})
            : both(Values.operation(ValueKind::LessEqual, {},
                                    {First, *Condition}),
                   Values.operation(ValueKind::LessEqual, {},
                                    {*Condition, Last}));
    MaybeValue &Of = Next == To ? Here : Elsewhere;
    Of = Of ? either(*Of, Holds) : Holds;
  }
  if (!IsDefault)
    return Here;
  return Elsewhere ? negation(*Elsewhere) : Values.constant(1);
}

/// Returns true if control at \p From certainly gets to \p To in the same
/// iteration of the loops around \p To.
bool BoundFunction::isSure(ir::Block *From, ir::Block *To) const {
  if (From == To)
    return true;
  const MaybeLoop In = loopAround(To);
  llvm::SmallPtrSet<ir::Block *, 8> Seen = {From};
  std::vector<ir::Block *> Ahead = {From};
  while (!Ahead.empty()) {
    ir::Block *B = Ahead.back();
    Ahead.pop_back();
    for (ir::Block *Next :
         llvm::ArrayRef(B->Successors).drop_back(B->HasVirtualExit)) {
      if (Next == To)
        continue;
      const bool Leaves = Next == F.exit() || !encloses(In, loopOf(Next)) ||
                          (In && Next == F.loops()[*In].Header);
      if (Leaves)
        return false;
      if (Seen.insert(Next).second)
        Ahead.push_back(Next);
    }
  }
  return true;
}

/// Returns the condition on which control gets from \p From to \p To by way of
/// \p Last, or by leaving a loop that \p Last is in.
std::optional<ValueId>
BoundFunction::wayCondition(ir::Block *From, ir::Block *Last, ir::Block *To) {
  if (!Dominance.dominates(From, Last))
    return std::nullopt;
  const MaybeLoop In = loopAround(To);
  if (loopOf(Last) == In) {
    const MaybeValue Way = pathCondition(From, Last), Step = edge(Last, To);
    return Way && Step ? MaybeValue(both(*Way, *Step)) : std::nullopt;
  }
  ir::Block *Header = F.loops()[*passedLoop(Last, In)].Header;
  if (!Dominance.dominates(From, Header) || !isSure(Header, To))
    return std::nullopt;
  return pathCondition(From, Header);
}

/// Returns the outermost loop around \p B that is not around what is in \p In.
std::optional<unsigned> BoundFunction::passedLoop(const ir::Block *B,
                                                  MaybeLoop In) const {
  MaybeLoop Passed = loopOf(B);
  while (Passed && !encloses(F.loops()[*Passed].Parent, In))
    Passed = F.loops()[*Passed].Parent;
  return Passed;
}

/// Returns the condition on which control gets from \p From to \p To. \p From
/// must dominate \p To and be in the same loops, or be the header of one of
/// them.
std::optional<ValueId> BoundFunction::pathCondition(ir::Block *From,
                                                    ir::Block *To) {
  if (isSure(From, To))
    return Instance.Values.constant(1);
  MaybeValue Result;
  for (ir::Block *Before : To->Predecessors) {
    if (Dominance.dominates(To, Before))
      continue; // A back edge of the loop whose header is To.
    const MaybeValue Way = wayCondition(From, Before, To);
    if (!Way)
      return std::nullopt;
    Result = Result ? either(*Result, *Way) : *Way;
  }
  return Result;
}

/// Adds to \p R the condition on which the immediate dominator of \p B, or the
/// loop around that dominator, leads to \p B. Returns that block, to go on
/// from.
ir::Block *BoundFunction::guard(ir::Block *B, Reach &R) {
  ir::Block *Above = Dominance.getNode(B)->getIDom()->getBlock();
  const MaybeLoop In = loopAround(B);
  if (!encloses(loopOf(Above), In)) {
    // B is behind a loop; by which of its exits the loop is left does not
    // matter.
    ir::Block *Header = F.loops()[*passedLoop(Above, In)].Header;
    R.IsExact &= isSure(Header, B);
    return Header;
  }
  // The test of a loop is in KernelInstance::Loops, not among the guards.
  if (MaybeLoop Own = loopOf(Above); Own && Tests[*Own].Body == B)
    return Above;
  const MaybeValue Condition = pathCondition(Above, B);
  if (!Condition)
    R.IsExact = false;
  else if (Instance.Values.asConstant(*Condition) != 1)
    R.Guards.push_back(*Condition);
  return Above;
}

std::optional<Reach> BoundFunction::reach(const clang::Stmt *S,
                                          ir::CallPathId Path) {
  const std::optional<ir::Evaluation> At = F.evaluationOf(S, Path);
  if (!At)
    return std::nullopt;
  Reach R;
  for (MaybeLoop L = loopOf(At->At); L; L = F.loops()[*L].Parent) {
    R.IsExact &= leavesOnlyByTest(*L);
    if (const auto Id = Bound.find(*L); Id != Bound.end())
      R.Loops.push_back(Id->second);
    else
      R.IsExact = false;
  }
  std::reverse(R.Loops.begin(), R.Loops.end());
  for (ir::Block *B = At->At; B != F.entry();)
    B = guard(B, R);
  std::reverse(R.Guards.begin(), R.Guards.end());
  return R;
}

} // namespace cudaopt
