// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the head of a loop off the condition on which it goes on.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/LoopView.h"

using namespace cudaopt;
using namespace llvm;

ir::ValueId LoopView::skipConversions(ir::ValueId Id) const {
  while (value(Id).What == ir::Value::Convert)
    Id = value(Id).Operands[0];
  return Id;
}

bool LoopView::isCounter(ir::ValueId Id) const {
  return is_contained(Loop->Header->Phis, Id);
}

/// The operand that \p Phi has for ways from inside, or outside, of the loop; 0
/// if they differ.
ir::ValueId LoopView::operandFrom(ir::ValueId Phi, bool IsInside) const {
  ir::ValueId Only = 0;
  for (auto [Before, Incoming] :
       zip_equal(Loop->Header->Predecessors, value(Phi).Operands)) {
    if (contains(*Before) != IsInside)
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

void LoopView::readHead(const clang::Expr *Condition) {
  for (const ir::Block *B : Loop->Blocks) {
    const auto *Asked = dyn_cast_or_null<clang::Expr>(B->Where.Node);
    if (B->Terminator == ir::Block::Branch && Asked && B->Where.Path == 0 &&
        stripTemporaries(Asked) == stripTemporaries(Condition) &&
        contains(*B->Successors[0]) && !contains(*B->Successors[1]))
      Exiting = B;
  }
  if (!Exiting)
    return;
  ir::ValueId Id = skipConversions(Exiting->Condition);
  bool IsNegated = false;
  while (value(Id).What == ir::Value::Unary &&
         value(Id).unary() == clang::UO_LNot) {
    IsNegated = !IsNegated;
    Id = skipConversions(value(Id).Operands[0]);
  }
  const ir::Value &V = value(Id);
  if (V.What != ir::Value::Binary ||
      !clang::BinaryOperator::isComparisonOp(V.binary()))
    return;
  Head.Compare = V.binary();
  if (IsNegated)
    Head.Compare = clang::BinaryOperator::negateComparisonOp(Head.Compare);
  Head.Compared = value(V.Operands[0]).Ty;
  const ir::ValueId Left = skipConversions(V.Operands[0]),
                    Right = skipConversions(V.Operands[1]);
  Head.IsBoundFirst = !isCounter(Left) && isCounter(Right);
  Head.Counter = Head.IsBoundFirst ? Right : Left;
  Head.Bound = V.Operands[Head.IsBoundFirst ? 0 : 1];
  if (Head.IsBoundFirst)
    Head.Compare = mirror(Head.Compare);
  if (!isCounter(Head.Counter)) {
    Head.Counter = 0;
    return;
  }
  Head.First = operandFrom(Head.Counter, /*IsInside=*/false);
  Head.Next = operandFrom(Head.Counter, /*IsInside=*/true);
}
