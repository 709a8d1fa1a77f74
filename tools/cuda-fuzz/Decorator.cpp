// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Adds features to generated kernels, and keeps each addition only if the
/// kernel stays well-formed.
//===----------------------------------------------------------------------===//

#include "Decorator.h"
#include "HostValues.h"
#include "Random.h"

#include <algorithm>
#include <cassert>
#include <functional>

namespace cudaopt::fuzz {

namespace {

using Kind = Statement::Kind;

/// Adds one feature. Each has a random stream of its own, so that disallowing
/// one changes the others as little as possible.
class Decorator {
public:
  Decorator(Kernel &K, uint64_t Seed, Feature Of)
      : K(K), Of(Of), R(Seed ^ (0x6665617475726573 + unsigned(Of)), K.Number) {}
  void run();

private:
  bool addExit();
  bool addReturn();
  bool addWraps();
  bool addStatement();
  bool addPieces();
  bool addTrap();
  bool computeLaunch();
  bool addOtherLaunch();
  bool hideKernel();

  bool fillStatement(Statement &S, size_t At);
  bool canUse(unsigned Array, size_t At, bool Writes) const;
  std::vector<bool> filledBefore(size_t At) const;
  bool isInLoop(size_t At) const { return K.LoopBegin <= At && At < K.LoopEnd; }
  bool isSure(size_t At) const;
  std::vector<size_t> placesOfPieces(unsigned Count);
  Statement makePiece(unsigned Piece, unsigned Array);
  bool keepIfWellFormed(Kernel Changed);

  Kernel &K;
  const Feature Of;
  Random R;
};

} // namespace

/// Takes over \p Changed if it is well-formed; otherwise returns false.
bool Decorator::keepIfWellFormed(Kernel Changed) {
  if (!isWellFormed(Changed))
    return false;
  K = std::move(Changed);
  return true;
}

/// Returns true if all threads execute phase \p At.
bool Decorator::isSure(size_t At) const {
  const size_t End = isInLoop(At) ? K.LoopEnd : At + 1;
  for (size_t I = 0; I < End; ++I)
    if (K.Phases[I].Leaving.Shape != Guard::Form::None)
      return false;
  return K.Phases[At].Shape == Phase::Form::Plain;
}

/// Returns, for each array, whether all of it is surely written before phase
/// \p At.
std::vector<bool> Decorator::filledBefore(size_t At) const {
  std::vector<bool> Result(K.Arrays.size());
  for (size_t I = 0; I < At; ++I) {
    const Phase &P = K.Phases[I];
    if (P.Leaving.Shape != Guard::Form::None)
      return Result;
    if (P.Shape == Phase::Form::Uniform ||
        P.Returning.Shape != Guard::Form::None)
      continue;
    for (const Statement &S : P.Statements)
      if (S.What == Kind::Fill)
        Result[S.Array] = true;
  }
  return Result;
}

/// Returns true if the statements of the phase do not conflict with such a use
/// of the array.
bool Decorator::canUse(unsigned Array, size_t At, bool Writes) const {
  for (const Statement &S : K.Phases[At].Statements) {
    bool Reads = false, IsWritten = false;
    for (const Access &Read : S.Reads)
      Reads |= Read.Array == Array;
    if (S.What == Kind::Special || S.What == Kind::Count)
      IsWritten = Reads && (S.IsWriter || S.What == Kind::Count);
    else if (S.What == Kind::Fill || S.What == Kind::Store)
      IsWritten = S.Array == Array;
    else if (S.What == Kind::Output)
      Reads |= S.Array == Array;
    if (IsWritten || (Writes && Reads))
      return false;
  }
  return true;
}

/// Chooses which threads leave.
static Guard makeExitGuard(const Kernel &K, Random &R) {
  switch (R.below(5)) {
  case 0:
    return {Guard::Form::TidBelow, R.between(1, K.numThreads())};
  case 1:
    return {Guard::Form::Even, 0};
  case 2:
    return {Guard::Form::Modulo, R.between(2, 5)};
  case 3:
    return {Guard::Form::TxBelow, R.between(1, K.Block[0])};
  default:
    if (K.HasCount)
      return {Guard::Form::Count, 0};
    return {Guard::Form::TidBelow, R.between(1, K.numThreads())};
  }
}

/// Lets threads return early from the function of a phase.
bool Decorator::addReturn() {
  std::vector<size_t> Called;
  for (size_t I = 1; I < K.Phases.size(); ++I)
    if (K.Phases[I].Shape == Phase::Form::Called)
      Called.push_back(I);
  if (Called.empty())
    return false;
  Kernel Changed = K;
  Changed.Phases[R.pick(Called)].Returning = makeExitGuard(K, R);
  return keepIfWellFormed(std::move(Changed));
}

/// Lets threads leave the kernel, or changes the way in which they already do.
bool Decorator::addExit() {
  const bool IsPredicated = Of == Feature::PredicatedExit;
  if (!IsPredicated && R.chance(30) && addReturn())
    return true;
  const Exit How = IsPredicated ? Exit::PredicatedAsm : Exit(R.below(NumExits));
  for (Phase &P : K.Phases)
    if (P.Leaving.Shape != Guard::Form::None) {
      P.How = How;
      return true;
    }
  if (K.Phases.size() < 2)
    return false;
  const size_t At = R.between(1, unsigned(K.Phases.size()) - 1);
  Kernel Changed = K;
  if (isInLoop(At))
    Changed.Phases[At].LeavingTrip = R.below(K.Trips);
  Changed.Phases[At].Leaving = makeExitGuard(K, R);
  Changed.Phases[At].How = How;
  return keepIfWellFormed(std::move(Changed));
}

/// Makes subscripts wrap around. They stay below their extents, so that no
/// check is needed.
bool Decorator::addWraps() {
  bool Result = false;
  for (Phase &P : K.Phases)
    for (Statement &S : P.Statements)
      for (Access &Read : S.Reads)
        for (Index &I : Read.Subscripts)
          if (I.Shape != Index::Form::Constant && R.chance(40)) {
            I.Shape = Index::Form::Wrapped;
            I.Factor = R.below(12);
            I.Offset = R.below(60);
            Result = true;
          }
  return Result;
}

/// The text of a writing PointerVariable in which two arrays take turns.
static constexpr unsigned TakeTurns = 4;

/// Returns the number of texts that SpecialText.cpp has.
static unsigned countVariants(Feature Of, bool IsWriter) {
  switch (Of) {
  case Feature::PointerVariable:
    return IsWriter ? 4 : 10; // One more needs two arrays.
  case Feature::Break:
    return IsWriter ? 3 : 7;
  case Feature::Lambda:
    return IsWriter ? 3 : 4;
  case Feature::PartialWrite:
    return 4;
  default:
    return 2;
  }
}

/// Chooses the arrays of a statement in phase \p At, and its text.
bool Decorator::fillStatement(Statement &S, size_t At) {
  const std::vector<bool> IsFilled = filledBefore(At);
  const bool IsPart = Of == Feature::PartialWrite;
  std::vector<unsigned> Choices;
  for (unsigned A = 0; A < K.Arrays.size(); ++A) {
    const Array &Candidate = K.Arrays[A];
    const unsigned Size = sizeOf(Candidate.Type);
    if (!IsFilled[A] || !canUse(A, At, S.IsWriter) ||
        (isRecord(Candidate.Type) && !IsPart) ||
        (!S.IsWriter && holdsFloat(Candidate.Type) && !holdsFloat(K.Value)))
      continue;
    if (Of == Feature::WideAccess &&
        (Candidate.IsDynamic || Candidate.Extents.back() % 4 ||
         !(Size == 4 || Candidate.Type == Element::Double)))
      continue;
    Choices.push_back(A);
  }
  if (Choices.empty())
    return false;
  S.Array = R.pick(Choices);
  S.Reads.push_back({S.Array, Access::Form::Plain, {}});
  S.Salt = R.below(64);
  if (Of == Feature::WideAccess)
    K.Arrays[S.Array].IsAligned = true;
  S.Variant = R.below(countVariants(Of, S.IsWriter));
  if (Of != Feature::PointerVariable)
    return true;
  // Another array of the same type.
  std::erase_if(Choices, [&](unsigned A) {
    return A == S.Array || K.Arrays[A].Type != K.Arrays[S.Array].Type;
  });
  if (Choices.empty())
    return true;
  S.Reads.push_back({R.pick(Choices), Access::Form::Plain, {}});
  if (S.IsWriter && R.chance(50) && isSure(At))
    S.Variant = TakeTurns;
  return true;
}

/// Tries a few times to insert a special statement at a random position.
bool Decorator::addStatement() {
  for (unsigned Try = 0; Try < 4; ++Try) {
    if (K.Phases.size() < 2)
      return false;
    const size_t At = R.between(1, unsigned(K.Phases.size()) - 1);
    Statement S;
    S.What = Kind::Special;
    S.Of = Of;
    S.IsWriter = Of == Feature::PartialWrite || R.chance(45);
    if (!fillStatement(S, At))
      continue;
    const bool HasBarriers =
        S.IsWriter && S.Variant == TakeTurns && Of == Feature::PointerVariable;
    if (!HasBarriers && R.chance(30))
      S.Who = makeExitGuard(K, R);
    Kernel Changed = K;
    auto &Statements = Changed.Phases[At].Statements;
    Statements.insert(Statements.begin() +
                          R.below(unsigned(Statements.size()) + 1),
                      std::move(S));
    if (keepIfWellFormed(std::move(Changed)))
      return true;
  }
  return false;
}

/// Returns increasing phases that are not functions; all threads execute the
/// first one.
std::vector<size_t> Decorator::placesOfPieces(unsigned Count) {
  std::vector<size_t> Choices;
  for (size_t I = 0; I < K.Phases.size(); ++I)
    if (K.Phases[I].Shape != Phase::Form::Called &&
        (!Choices.empty() || isSure(I)))
      Choices.push_back(I);
  std::vector<size_t> Result;
  if (Choices.empty())
    return Result;
  // The first piece comes early, the others anywhere behind it.
  size_t First = R.below(unsigned(std::min<size_t>(2, Choices.size())));
  if (!isSure(Choices[First]))
    First = 0;
  Result.push_back(Choices[First]);
  Choices.erase(Choices.begin(), Choices.begin() + First);
  while (Result.size() < Count)
    Result.push_back(R.pick(Choices));
  std::sort(Result.begin(), Result.end());
  return Result;
}

/// Makes the statement number \p Piece of those that share storage.
Statement Decorator::makePiece(unsigned Piece, unsigned Array) {
  Statement S;
  S.What = Kind::Special;
  S.Of = Of;
  S.Piece = Piece;
  S.Own = unsigned(K.Owned.size()) - 1;
  S.Salt = R.below(64);
  S.Variant = R.below(4);
  if (Of == Feature::PointerBytes) {
    S.Variant = R.below(14);
    if (S.Variant == 5 && (K.numThreads() % 32 || K.OtherBlock))
      S.Variant = 0; // A shuffle needs whole warps.
    S.Array = Array;
    S.Reads.push_back({Array, Access::Form::Plain, {}});
  }
  return S;
}

/// Adds storage of its own to the kernel, and statements in several phases that
/// work on it.
bool Decorator::addPieces() {
  const bool IsPointer = Of == Feature::PointerBytes;
  if (Of == Feature::Contraction && !holdsFloat(K.Value))
    return false;
  const unsigned Count = IsPointer ? 2 : R.between(2, 4);
  const std::vector<size_t> At = placesOfPieces(Count);
  if (At.empty())
    return false;
  unsigned Array = 0;
  if (IsPointer) {
    std::vector<unsigned> Choices;
    const std::vector<bool> IsFilled = filledBefore(At.back());
    for (unsigned A = 0; A < K.Arrays.size(); ++A)
      if (IsFilled[A] && !isRecord(K.Arrays[A].Type) &&
          canUse(A, At.back(), false) &&
          (!holdsFloat(K.Arrays[A].Type) || holdsFloat(K.Value)))
        Choices.push_back(A);
    if (Choices.empty())
      return false;
    Array = R.pick(Choices);
  }
  const Kernel Before = K;
  OwnedArray O;
  O.Of = Of;
  O.Variant = R.below(4);
  O.Count = Of == Feature::Contraction ? 1 : R.between(1, 4);
  K.Owned.push_back(O);
  for (unsigned Piece = 0; Piece < At.size(); ++Piece) {
    const unsigned Last = unsigned(At.size()) - 1;
    unsigned What = IsPointer || Piece == 0 ? Piece : Piece == Last ? 2 : 1;
    Statement S = makePiece(What, Array);
    // The address does not depend on the contents: it may be taken at any time.
    if (IsPointer && Piece == 0)
      S.Reads.front().Subscripts.clear();
    auto &Statements = K.Phases[At[Piece]].Statements;
    if (Piece == 0)
      Statements.insert(Statements.begin(), std::move(S));
    else
      Statements.push_back(std::move(S));
  }
  if (isWellFormed(K))
    return true;
  K = Before;
  return false;
}

/// Adds a trap that no thread reaches, or an assertion that holds.
bool Decorator::addTrap() {
  Statement S;
  S.What = Kind::Special;
  S.Of = Of;
  S.Variant = R.below(8);
  S.Salt = R.below(64);
  if (R.chance(30))
    S.Who = makeExitGuard(K, R);
  Kernel Changed = K;
  auto &Statements =
      Changed.Phases[R.below(unsigned(K.Phases.size()))].Statements;
  Statements.insert(Statements.begin() +
                        R.below(unsigned(Statements.size()) + 1),
                    std::move(S));
  return keepIfWellFormed(std::move(Changed));
}

/// Lets host code compute the extents of the launch.
bool Decorator::computeLaunch() {
  const std::array<unsigned, 3> Block = K.launchedBlock();
  for (unsigned D = 0; D < 3; ++D) {
    if (D && (Block[D] == 1 || R.chance(50)))
      continue;
    HostComputation Made = makeHostValue(Block[D], D, R);
    K.HostText[D] = std::move(Made.Text);
    K.HostValue[D] = std::move(Made.Value);
  }
  return true;
}

/// Adds a launch in another file, of a smaller or a larger block than the one
/// in this file.
bool Decorator::addOtherLaunch() {
  if (K.Block[2] > 1 || K.Width == WidthForm::Template)
    return false;
  std::array<unsigned, 3> Smaller = K.Block;
  const unsigned D = K.Block[1] > 1 && R.chance(40) ? 1 : 0;
  const unsigned Old = K.Block[D];
  Smaller[D] = R.pick<unsigned>({Old / 2, Old / 2, Old / 4, Old * 3 / 4});
  if (!Smaller[D])
    return false;
  K.UsesBlockDim = true;
  K.OtherBlock = Smaller;
  if (R.chance(60)) {
    K.SmallerBlock = Smaller;
    K.OtherBlock = K.Block;
  }
  return true;
}

/// Gives the kernel internal linkage, so that no other file can launch it.
bool Decorator::hideKernel() {
  if (K.OtherBlock)
    return false;
  K.Visibility = R.chance(80) ? Linkage::Static : Linkage::Anonymous;
  return true;
}

void Decorator::run() {
  if (!R.chance(FeaturePercents[unsigned(Of)]))
    return;
  bool (Decorator::*Add)() = nullptr;
  switch (Of) {
  case Feature::Exit:
  case Feature::PredicatedExit:
    Add = &Decorator::addExit;
    break;
  case Feature::Wrap:
    Add = &Decorator::addWraps;
    break;
  case Feature::PointerVariable:
  case Feature::Break:
  case Feature::Lambda:
  case Feature::PartialWrite:
  case Feature::WideAccess:
    Add = &Decorator::addStatement;
    break;
  case Feature::PointerBytes:
  case Feature::Aggregate:
  case Feature::PrivateArray:
  case Feature::Contraction:
    Add = &Decorator::addPieces;
    break;
  case Feature::ComputedLaunch:
    Add = &Decorator::computeLaunch;
    break;
  case Feature::OtherLaunch:
    Add = &Decorator::addOtherLaunch;
    break;
  case Feature::InternalLinkage:
    Add = &Decorator::hideKernel;
    break;
  case Feature::Trap:
    Add = &Decorator::addTrap;
    break;
  }
  if ((this->*Add)())
    K.Features.set(unsigned(Of));
}

void addFeatures(Kernel &K, uint64_t Seed, FeatureSet Allowed) {
  assert(K.Idioms.empty() && "features stand between phases");
  auto Add = [&](Feature Of) {
    if (Allowed.test(unsigned(Of)))
      Decorator(K, Seed, Of).run();
  };
  // First the features that change the shape of the kernel, then those that add
  // statements.
  Add(Feature::OtherLaunch);
  Add(Feature::Exit);
  Add(Feature::PredicatedExit);
  for (unsigned Of = unsigned(Feature::PointerVariable); Of < NumFeatures; ++Of)
    if (Feature(Of) != Feature::OtherLaunch)
      Add(Feature(Of));
}

} // namespace cudaopt::fuzz
