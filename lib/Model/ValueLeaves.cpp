// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Traversals of the value graph.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/ValueLeaves.h"

#include "llvm/ADT/STLExtras.h"

using llvm::ArrayRef;
using llvm::SmallVector;

namespace cudaopt {

std::vector<bool> findNumbers(const ValueGraph &Graph) {
  std::vector<bool> MayHave(Graph.size());
  // Operands precede their users.
  for (ValueId Id = 0; Id < Graph.size(); ++Id) {
    const Value &V = Graph[Id];
    auto Operands = ArrayRef(V.Operands).take_front(V.NumOperands);
    auto HasNumber = [&](ValueId Operand) -> bool { return MayHave[Operand]; };
    if (V.Kind == ValueKind::LogicalAnd || V.Kind == ValueKind::LogicalOr)
      MayHave[Id] = llvm::any_of(Operands, HasNumber);
    else if (V.Kind == ValueKind::Select)
      MayHave[Id] = HasNumber(Operands[0]) &&
                    llvm::any_of(Operands.drop_front(), HasNumber);
    else
      MayHave[Id] =
          V.Kind != ValueKind::Parameter && llvm::all_of(Operands, HasNumber);
  }
  return MayHave;
}

Leaves findLeaves(const ValueGraph &Graph, ArrayRef<ValueId> Roots,
                  const std::vector<bool> *Numbers) {
  Leaves Result;
  std::vector<bool> Seen(Graph.size());
  SmallVector<ValueId, 32> Worklist(Roots.begin(), Roots.end());
  while (!Worklist.empty()) {
    ValueId Id = Worklist.pop_back_val();
    if (Seen[Id] || (Numbers && !(*Numbers)[Id]))
      continue;
    Seen[Id] = true;
    const Value &V = Graph[Id];
    if (V.Kind == ValueKind::BlockIdx)
      Result.Blocks[V.Literal] = true;
    Result.HasThread |= V.Kind == ValueKind::ThreadIdx;
    Result.HasParameter |= V.Kind == ValueKind::Parameter;
    if (V.Kind == ValueKind::Iterator)
      Result.Loops.push_back(V.Literal);
    for (unsigned I = 0; I < V.NumOperands; ++I)
      Worklist.push_back(V.Operands[I]);
  }
  return Result;
}

} // namespace cudaopt
