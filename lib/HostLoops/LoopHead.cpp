// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the head of a loop off the condition on which it goes on.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/LoopView.h"
#include "cudaopt/IR/Graph.h"

using namespace cudaopt;
using namespace llvm;

ir::ValueId LoopView::skipConversions(ir::ValueId Id) const {
  while (value(Id).What == ir::Value::Convert)
    Id = value(Id).Operands[0];
  return Id;
}

/// The operand that \p Phi has for ways from inside, or outside, of the loop; 0
/// if they differ.
ir::ValueId LoopView::operandFrom(const ir::Loop &Of, ir::ValueId Phi,
                                  bool IsInside) const {
  ir::ValueId Only = 0;
  for (auto [Before, Incoming] :
       zip_equal(Of.Header->Predecessors, value(Phi).Operands)) {
    if (is_contained(Of.Blocks, Before) != IsInside)
      continue;
    if (Only && Only != Incoming)
      return 0;
    Only = Incoming;
  }
  return Only;
}

static clang::BinaryOperatorKind mirror(clang::BinaryOperatorKind Compare) {
  return Compare == clang::BO_EQ || Compare == clang::BO_NE
             ? Compare
             : clang::BinaryOperator::reverseComparisonOp(Compare);
}

void LoopView::findHead(const clang::Expr *Condition) {
  for (const ir::Block *B : Loop->Blocks) {
    const auto *Asked = dyn_cast_or_null<clang::Expr>(B->Where.Node);
    if (B->Terminator == ir::Block::Branch && Asked && B->Where.Path == 0 &&
        stripTemporaries(Asked) == stripTemporaries(Condition) &&
        contains(*B->Successors[0]) && !contains(*B->Successors[1]))
      Exiting = B;
  }
  if (Exiting)
    Head = readHead(*Loop, Exiting->Condition);
}

/// What \p Of goes on for while \p Condition holds.
LoopHead LoopView::readHead(const ir::Loop &Of, ir::ValueId Condition) const {
  LoopHead Found;
  ir::ValueId Id = skipConversions(Condition);
  bool IsNegated = false;
  while (value(Id).What == ir::Value::Unary &&
         value(Id).unary() == clang::UO_LNot) {
    IsNegated = !IsNegated;
    Id = skipConversions(value(Id).Operands[0]);
  }
  const ir::Value &V = value(Id);
  if (V.What != ir::Value::Binary ||
      !clang::BinaryOperator::isComparisonOp(V.binary()))
    return Found;
  Found.Compare = V.binary();
  if (IsNegated)
    Found.Compare = clang::BinaryOperator::negateComparisonOp(Found.Compare);
  Found.Compared = value(V.Operands[0]).Ty;
  const ir::ValueId Left = skipConversions(V.Operands[0]),
                    Right = skipConversions(V.Operands[1]);
  const ArrayRef<ir::ValueId> Counters = Of.Header->Phis;
  Found.IsBoundFirst =
      !is_contained(Counters, Left) && is_contained(Counters, Right);
  Found.Bound = V.Operands[Found.IsBoundFirst ? 0 : 1];
  if (Found.IsBoundFirst)
    Found.Compare = mirror(Found.Compare);
  const ir::ValueId Counter = Found.IsBoundFirst ? Right : Left;
  if (!is_contained(Counters, Counter))
    return Found;
  Found.Counter = Counter;
  Found.First = operandFrom(Of, Counter, /*IsInside=*/false);
  Found.Next = operandFrom(Of, Counter, /*IsInside=*/true);
  if (Found.Next)
    Found.Step = distance(Counter, Found.Next);
  return Found;
}

//===----------------------------------------------------------------------===//
// Loops further inside
//===----------------------------------------------------------------------===//

/// The loop that begins by asking its condition, and has the phi \p Id; null if
/// there is none.
const ir::Loop *LoopView::innerLoop(ir::ValueId Id) const {
  if (value(Id).What != ir::Value::Phi)
    return nullptr;
  for (const ir::Loop &Each : F->loops())
    if (&Each != Loop && Each.Header->Id == value(Id).Block &&
        contains(*Each.Header) &&
        Each.Header->Terminator == ir::Block::Branch &&
        is_contained(Each.Blocks, Each.Header->Successors[0]) &&
        !is_contained(Each.Blocks, Each.Header->Successors[1]))
      return &Each;
  return nullptr;
}

std::optional<LoopHead> LoopView::innerHead(ir::ValueId Id) const {
  const ir::Loop *Inner = innerLoop(Id);
  if (!Inner)
    return std::nullopt;
  const LoopHead Found = readHead(*Inner, Inner->Header->Condition);
  const bool CountsUp =
      Found.Counter == Id && Found.First && Found.Step &&
      Found.Step->isStrictlyPositive() && value(Id).Ty.Bits >= 32 &&
      (Found.Compare == clang::BO_LT || Found.Compare == clang::BO_LE);
  return CountsUp ? std::optional(Found) : std::nullopt;
}

bool LoopView::goesOnTo(ir::ValueId Id, const ir::Block &B) const {
  const ir::Block *First = innerLoop(Id)->Header->Successors[0];
  return First->Predecessors.size() == 1 && Dominance->dominates(First, &B);
}
