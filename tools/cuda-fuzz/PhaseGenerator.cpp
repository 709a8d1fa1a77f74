// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Generates kernels of many phases whose arrays are live one after the other.
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "KernelGenerator.h"

#include <algorithm>
#include <cassert>

namespace cudaopt::fuzz {

using Kind = Statement::Kind;

/// Adds a statement that writes all of an array anew, from the input and from
/// other arrays.
void Generator::addFill(Phase &P, bool Inside, PhaseUse &Use) {
  std::vector<unsigned> Free;
  for (unsigned A = 0; A < K.Arrays.size(); ++A)
    if (!Use.Written[A] && !Use.Read[A])
      Free.push_back(A);
  if (Free.empty())
    return;
  Statement S;
  S.Array = R.pick(Free);
  Use.Written[S.Array] = true;
  S.Drivers = makeDrivers(K.Arrays[S.Array]);
  S.AddsOffset = R.chance(40);
  S.ReadsInput = R.chance(40);
  addReads(S, R.between(1, 2), Inside, Use);
  S.ReadsInput |= S.Reads.empty();
  P.Statements.push_back(std::move(S));
}

Phase Generator::makeTurn(bool Inside) {
  PhaseUse Use;
  Use.Written.resize(K.Arrays.size());
  Use.Read.resize(K.Arrays.size());
  Phase P;
  for (unsigned Count = R.pick<unsigned>({1, 1, 1, 2, 2, 3}); Count; --Count) {
    if (R.chance(55)) {
      addFill(P, Inside, Use);
      continue;
    }
    Statement S = makeStatement(Inside, Use);
    if (!S.Reads.empty() || S.ReadsInput)
      P.Statements.push_back(std::move(S));
  }
  for (const Statement &S : P.Statements)
    if (S.What == Kind::Fill)
      IsFilled[S.Array] = true;
  return P;
}

/// Makes the last phase: one or two arrays are output, and the others are dead
/// before.
Phase Generator::makeLastPhase() {
  Phase P = makeOutputs();
  while (P.Statements.size() > R.between(1, 2))
    P.Statements.erase(P.Statements.begin() +
                       R.below(unsigned(P.Statements.size())));
  std::erase_if(P.Statements,
                [&](const Statement &S) { return !IsFilled[S.Array]; });
  return P;
}

void Generator::makeCheaper() {
  if (estimateCost(K) > MaxCost)
    K.Trips = std::min(K.Trips, 2u);
  if (estimateCost(K) > MaxCost)
    K.Grid = 1;
  for (Phase &P : K.Phases)
    for (Statement &S : P.Statements)
      if (estimateCost(K) > MaxCost) {
        S.Drivers.clear();
        S.Steps = std::min(S.Steps, 4u);
      }
}

void Generator::keepIfWellFormed(const Kernel &Changed) {
  if (isWellFormed(Changed))
    K = Changed;
}

/// Removes barriers that are not needed, and puts phases into branches and
/// functions or lets threads leave.
void Generator::vary() {
  const bool HasFunctions =
      K.Width == WidthForm::Number || K.Width == WidthForm::Macro;
  for (size_t I = 0; I < K.Phases.size(); ++I) {
    Kernel Changed = K;
    Phase &P = Changed.Phases[I];
    if (R.chance(20))
      P.Shape = Phase::Form::Uniform;
    else if (HasFunctions && R.chance(25))
      P.Shape = Phase::Form::Called;
    P.IsBarrierInside = P.Shape != Phase::Form::Plain && R.chance(50);
    keepIfWellFormed(Changed);
    if (!R.chance(50))
      continue;
    Changed = K;
    Changed.Phases[I].HasBarrier = false;
    keepIfWellFormed(Changed);
  }
  // Threads do not leave inside the loop: clang routes their return through its
  // end, where the interpreter would consider them threads that miss a barrier.
  const unsigned At = R.between(1, unsigned(K.Phases.size()) - 1);
  if (R.chance(50) || (K.LoopBegin <= At && At < K.LoopEnd))
    return;
  Kernel Changed = K;
  Guard &Leaving = Changed.Phases[At].Leaving;
  while (Leaving.Shape == Guard::Form::None)
    Leaving = makeGuard();
  keepIfWellFormed(Changed);
}

Kernel Generator::runPhases() {
  chooseShape();
  addArrays(R.between(2, 6));
  chooseWriting();
  K.HasCount = true;
  IsFilled.resize(K.Arrays.size());
  K.Phases.push_back(makeFills({R.below(unsigned(K.Arrays.size()))}));
  const unsigned Before = R.below(3),
                 Inside = R.chance(45) ? R.between(1, 4) : 0,
                 After = R.between(1, 3);
  for (unsigned I = 0; I < Before; ++I)
    K.Phases.push_back(makeTurn(false));
  K.LoopBegin = K.LoopEnd = unsigned(K.Phases.size());
  if (Inside)
    K.Trips = R.between(2, 4);
  for (unsigned I = 0; I < Inside; ++I)
    K.Phases.push_back(makeTurn(true));
  K.LoopEnd = unsigned(K.Phases.size());
  for (unsigned I = 0; I < After; ++I)
    K.Phases.push_back(makeTurn(false));
  K.Phases.push_back(makeLastPhase());
  makeCheaper();
  vary();
  assert(isWellFormed(K) && "a kernel that reads what nobody wrote");
  return std::move(K);
}

Kernel generatePhases(uint64_t Seed, uint64_t Number) {
  return Generator(Seed, Number).runPhases();
}

} // namespace cudaopt::fuzz
