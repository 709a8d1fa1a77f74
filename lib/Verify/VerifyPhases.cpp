// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks that an array is read and written in separate phases: on every path
/// from a read to a write, and back, there is a barrier. Threads that share an
/// element and write equal values to it (duplicates) then find what each of
/// them would find in an element of its own.
//===----------------------------------------------------------------------===//

#include "cudaopt/Verify/Verify.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;

/// Returns true if no path without a barrier leads from \p From to a step for
/// which \p IsOther holds.
static bool isCutOff(const SharedProgram &P, StepId From,
                     llvm::function_ref<bool(StepId)> IsOther) {
  std::vector<StepId> Stack{From};
  llvm::BitVector Seen(P.Steps.size());
  while (!Stack.empty()) {
    const StepId S = Stack.back();
    Stack.pop_back();
    if (Seen.test(S))
      continue;
    Seen.set(S);
    if (IsOther(S))
      return false;
    if (P.Steps[S].What != Step::Kind::Barrier)
      llvm::append_range(Stack, P.Steps[S].Successors);
  }
  return true;
}

llvm::Error cudaopt::verifyPhases(const SharedProgram &P, VariableId V) {
  llvm::BitVector Reading(P.Steps.size()), Writing(P.Steps.size());
  for (StepId S = 0; S < P.Steps.size(); ++S)
    for (const SharedUse &Use : P.Steps[S].Uses) {
      if (Use.Variable == V && Use.Reads)
        Reading.set(S);
      if (Use.Variable == V && Use.Writes)
        Writing.set(S);
    }
  for (StepId S = 0; S < P.Steps.size(); ++S)
    if (P.Refused ||
        (Reading.test(S) &&
         !isCutOff(P, S, [&](StepId At) { return Writing.test(At); })) ||
        (Writing.test(S) &&
         !isCutOff(P, S, [&](StepId At) { return Reading.test(At); })))
      return llvm::createStringError(
          "'" + P.Variables[V].Name +
          llvm::formatv("' is both read and written, once in step {0}, with no "
                        "barrier between",
                        S)
              .str());
  return llvm::Error::success();
}
