// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Generates the common parts of kernels, and kernels for layouts.
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"
#include "Generator.h"

#include <algorithm>
#include <cassert>

namespace cudaopt::fuzz {

namespace {

/// The maximum number of elements of an array; twice as many of the largest
/// type still fit.
constexpr unsigned MaxElements = 1024;

bool isPowerOfTwo(unsigned N) { return (N & (N - 1)) == 0; }

} // namespace

using Kind = Statement::Kind;

/// Chooses block, grid and the type of values. Odd shapes such as 20 x 3 and 33
/// x 2 have warps that are not full, and rows that do not fit warps.
void Generator::chooseShape() {
  using Shape = std::array<unsigned, 3>;
  K.Block = R.pick<Shape>({{32, 1, 1},
                           {32, 1, 1},
                           {64, 1, 1},
                           {128, 1, 1},
                           {256, 1, 1},
                           {32, 8, 1},
                           {32, 8, 1},
                           {16, 16, 1},
                           {16, 16, 1},
                           {8, 8, 1},
                           {20, 3, 1},
                           {32, 2, 1},
                           {32, 4, 1},
                           {16, 4, 1},
                           {8, 8, 4},
                           {33, 2, 1},
                           {48, 1, 1}});
  K.Grid = R.chance(25) ? 2 : 1;
  K.Value = R.pick<Element>({Element::Float, Element::Float, Element::Float,
                             Element::Float, Element::Double, Element::Double,
                             Element::Int, Element::Int, Element::Unsigned,
                             Element::LongLong, Element::Short, Element::Char});
  AllowsData = R.chance(8);
}

Element Generator::chooseElement() {
  if (R.chance(75))
    return K.Value;
  if (!holdsFloat(K.Value))
    return R.pick<Element>({Element::Char, Element::Short, Element::Int,
                            Element::Unsigned, Element::LongLong});
  return R.pick<Element>({Element::Int, Element::Float, Element::Double,
                          Element::Float4, Element::Float4, Element::Double2,
                          Element::Mixed});
}

/// Chooses a type and extents. Columns are mostly multiples of 16, which have
/// bank conflicts, and sometimes 17 or 33, which are padded already.
Array Generator::makeArray() {
  Array A;
  A.Type = chooseElement();
  unsigned Columns = R.pick<unsigned>(
      {16, 16, 16, 32, 32, 32, 32, 32, 64, 64, 8, 17, 20, 24, 33, 48, 52});
  unsigned Rows =
      R.pick<unsigned>({8, 8, 16, 16, 16, 16, 32, 32, 32, 12, 20, 7, 4});
  if (R.chance(20)) { // A tile as large as the block.
    Columns = std::max(4u, K.Block[0]);
    Rows = R.chance(50) ? Columns : std::max(4u, K.Block[1]);
  }
  while (Rows * Columns > MaxElements)
    Rows = (Rows + 1) / 2;
  unsigned What = R.below(100);
  if (What < 8) {
    A.Extents = {Rows * Columns};
  } else if (What < 22) {
    unsigned Planes = R.between(2, 4);
    Rows = std::min(std::max(4u, Rows / 2), MaxElements / (Planes * Columns));
    A.Extents = {Planes, std::max(2u, Rows), Columns};
  } else {
    A.Extents = {Rows, Columns};
  }
  A.IsFlat = A.Extents.size() == 2 && R.chance(28);
  return A;
}

/// Chooses how the kernel is written; none of this changes what it computes.
void Generator::chooseWriting() {
  K.Width =
      R.pick<WidthForm>({WidthForm::Number, WidthForm::Number, WidthForm::Macro,
                         WidthForm::Template, WidthForm::Local});
  K.WidthValue = R.pick(K.Arrays).Extents.back();
  K.HasTypeParameter = K.Width == WidthForm::Template && R.chance(50);
  K.HasCount = R.chance(12);
  K.IsRestrict = R.chance(30);
  K.IsUnsigned = R.chance(20);
  K.HasLocals = R.chance(75);
  K.UsesBlockDim = R.chance(20);
  K.Unrolls = R.chance(20);
  K.LaunchesVariable = R.chance(40);
}

/// Chooses which thread writes which element: any assignment in which each
/// element has exactly one thread.
std::vector<Driver> Generator::makeDrivers(const Array &A) {
  size_t N = A.Extents.size();
  std::vector<Driver> Result(N, Driver::Sequence);
  bool IsPlane = N > 1 && K.Block[1] > 1;
  switch (R.below(IsPlane ? 8 : 5)) {
  case 0:
  case 1:
    return {};
  case 2: // Each thread has a column.
    Result[N - 1] = Driver::Tid;
    return Result;
  case 3: // Each thread has a row.
    Result[N > 1 ? N - 2 : 0] = Driver::Tid;
    return Result;
  case 4:
    Result[N - 1] = Driver::Tx;
    break;
  case 5: // Transposed.
    Result[N - 1] = Driver::Ty;
    Result[N - 2] = Driver::Tx;
    break;
  default:
    Result[N - 1] = Driver::Tx;
    Result[N - 2] = Driver::Ty;
  }
  if (N > 2 && K.Block[2] > 1)
    Result[0] = Driver::Tz;
  return Result;
}

/// Mostly there is no guard.
Guard Generator::makeGuard() {
  using Form = Guard::Form;
  if (AllowsData && R.chance(30))
    return {Form::Data, 0};
  if (K.HasCount && R.chance(40))
    return {Form::Count, 0};
  switch (R.below(12)) {
  case 0:
  case 1:
    return {Form::TidBelow, R.between(1, K.numThreads())};
  case 2:
    return {Form::TxBelow, R.between(1, K.Block[0])};
  case 3:
    return {Form::Even, 0};
  case 4:
    return {Form::Modulo, R.between(2, 5)};
  case 5:
    return R.chance(30) ? Guard{Form::Never, 0} : Guard{};
  default:
    return {};
  }
}

/// Returns true if \p V differs between neighbouring lanes.
bool Generator::isFast(Variable V, const Statement &S) const {
  if (V == Variable::Tid || V == Variable::Tx)
    return true;
  if (V < Variable::Plane || V > Variable::Column)
    return false;
  size_t N = K.Arrays[S.Array].Extents.size();
  if (S.Drivers.empty())
    return V == Variable::Column;
  size_t Dimension = N - 1 - (unsigned(Variable::Column) - unsigned(V));
  return S.Drivers[Dimension] == Driver::Tx ||
         S.Drivers[Dimension] == Driver::Tid;
}

/// Chooses a form of subscript that needs no division.
Index Generator::makeFittingIndex(Index I, unsigned Max) {
  switch (R.below(9)) {
  case 0:
    I.Offset = R.below(I.Extent - Max);
    return I;
  case 1:
    I.Shape = Index::Form::Reversed;
    return I;
  case 2:
    I.Shape = R.chance(50) ? Index::Form::Next : Index::Form::Previous;
    return I;
  case 3:
    I.Factor = Max ? std::min((I.Extent - 1) / Max, 4u) : 1;
    I.Factor = R.between(1, std::max(1u, I.Factor));
    return I;
  case 4:
    if (isPowerOfTwo(I.Extent)) {
      I.Shape = Index::Form::Exclusive;
      I.Offset = R.below(I.Extent);
    }
    return I;
  default:
    return I;
  }
}

/// Makes a subscript from variable \p V that stays below \p Extent: without
/// division if the variable fits, otherwise by a quotient or remainder.
Index Generator::makeIndex(unsigned Extent, Range V) {
  Index I{Index::Form::Affine, V.Name, 1, 0, Extent};
  if (AllowsData && R.chance(30)) {
    I.Shape = Index::Form::Data;
    I.Offset = R.below(16);
    return I;
  }
  if (V.Max < Extent && R.chance(80))
    return makeFittingIndex(I, V.Max);
  if (R.chance(25)) {
    I.Shape = Index::Form::Quotient;
    I.Factor = std::max(2u, V.Max / Extent + 1);
    if (R.chance(40) && I.Factor < 16)
      while (!isPowerOfTwo(I.Factor))
        ++I.Factor;
    return I;
  }
  I.Shape = Index::Form::Modular;
  if (isPowerOfTwo(Extent) && R.chance(40))
    I.Shape = Index::Form::Masked;
  else if (R.chance(6))
    I.Shape = Index::Form::Called;
  I.Factor = R.pick<unsigned>({1, 1, 1, 1, 2, 3, 4, 8});
  I.Offset = R.chance(50) ? 0 : R.below(Extent);
  return I;
}

/// Makes an access to \p Array. Often the lanes run down a column, which has
/// the bank conflicts that cuda-opt removes.
Access Generator::makeAccess(unsigned Array, const Statement &S, bool Inside) {
  Access Result;
  Result.Array = Array;
  Result.Shape = R.pick<Access::Form>(
      {Access::Form::Plain, Access::Form::Plain, Access::Form::Plain,
       Access::Form::Plain, Access::Form::Scaled, Access::Form::Called,
       Access::Form::Conditional, Access::Form::Negated});
  std::vector<Range> Fast, Slow;
  for (Range V : variablesOf(K, S, Inside))
    (isFast(V.Name, S) ? Fast : Slow).push_back(V);
  const std::vector<unsigned> &Extents = K.Arrays[Array].Extents;
  bool IsColumn = Extents.size() > 1 && R.chance(K.Arrays.size() > 1 ? 70 : 90);
  for (size_t D = 0; D < Extents.size(); ++D) {
    bool WantsFast = IsColumn ? D + 2 == Extents.size() : R.chance(70);
    if (!WantsFast && (Slow.empty() || R.chance(15))) {
      unsigned Offset = R.below(Extents[D]);
      Result.Subscripts.push_back(
          {Index::Form::Constant, Variable::Tid, 1, Offset, Extents[D]});
      continue;
    }
    Range V = R.pick(WantsFast ? Fast : Slow);
    Result.Subscripts.push_back(makeIndex(Extents[D], V));
  }
  return Result;
}

/// Returns the arrays that are filled and not written in this phase, so that
/// reading them is no race.
std::vector<unsigned> Generator::usableArrays(const PhaseUse &Use) const {
  std::vector<unsigned> Result;
  for (unsigned A = 0; A < K.Arrays.size(); ++A)
    if (IsFilled[A] && !Use.Written[A])
      Result.push_back(A);
  return Result;
}

/// Adds up to \p Count reads of arrays that no statement of this phase writes.
void Generator::addReads(Statement &S, unsigned Count, bool Inside,
                         PhaseUse &Use) {
  bool Writes = S.What == Kind::Store || S.What == Kind::Fill;
  bool IsInteger = !holdsFloat(Writes ? K.Arrays[S.Array].Type : K.Value);
  std::vector<unsigned> Choices;
  for (unsigned A : usableArrays(Use))
    if (!(Writes && A == S.Array) &&
        !(IsInteger && holdsFloat(K.Arrays[A].Type)))
      Choices.push_back(A);
  for (unsigned I = 0; I < Count && !Choices.empty(); ++I) {
    unsigned A = R.pick(Choices);
    S.Reads.push_back(makeAccess(A, S, Inside));
    Use.Read[A] = true;
  }
}

/// Makes a phase in which all threads fill the given arrays from the input.
Phase Generator::makeFills(std::vector<unsigned> Unfilled) {
  Phase P;
  for (unsigned A : Unfilled) {
    Statement S;
    S.Array = A;
    S.Drivers = makeDrivers(K.Arrays[A]);
    S.AddsOffset = R.chance(40);
    S.ReadsInput = true;
    P.Statements.push_back(std::move(S));
  }
  for (unsigned A : Unfilled)
    IsFilled[A] = true;
  return P;
}

/// Makes a store to an array that nobody else uses in this phase, an atomic
/// count, or a sum of reads.
Statement Generator::makeStatement(bool Inside, PhaseUse &Use) {
  Statement S;
  std::vector<unsigned> Free;
  for (unsigned A : usableArrays(Use))
    if (!Use.Read[A])
      Free.push_back(A);
  S.AddsOffset = R.chance(40);
  if (!Free.empty() && R.chance(K.Arrays.size() > 1 ? 50 : 20)) {
    S.What = Kind::Store;
    S.Array = R.pick(Free);
    Use.Written[S.Array] = true;
    S.Drivers = makeDrivers(K.Arrays[S.Array]);
    S.IsAddition = R.chance(30);
    S.ReadsInput = R.chance(25);
    S.Who = makeGuard();
    unsigned Count = R.between(1, 2);
    addReads(S, Count, Inside, Use);
    S.ReadsInput |= S.Reads.empty();
    return S;
  }
  if (!Free.empty() && R.chance(12)) {
    unsigned A = R.pick(Free);
    if (K.Arrays[A].Type == Element::Int) {
      S.What = Kind::Count;
      S.Who = makeGuard();
      S.Reads.push_back(makeAccess(A, S, Inside));
      S.Reads.back().Shape = Access::Form::Plain;
      Use.Written[A] = true;
      return S;
    }
  }
  S.What = Kind::Accumulate;
  S.Steps = R.pick<unsigned>({1, 1, 2, 3, 4, 8, 8, 16});
  S.Who = makeGuard();
  unsigned Count = R.between(1, 2);
  addReads(S, Count, Inside, Use);
  return S;
}

Phase Generator::makePhase(bool Inside) {
  PhaseUse Use;
  Use.Written.resize(K.Arrays.size());
  Use.Read.resize(K.Arrays.size());
  Phase P;
  for (unsigned Count = R.pick<unsigned>({1, 1, 1, 1, 1, 2, 2, 3}); Count;
       --Count) {
    Statement S = makeStatement(Inside, Use);
    if (!S.Reads.empty() || S.ReadsInput)
      P.Statements.push_back(std::move(S));
  }
  return P;
}

/// Copies the arrays to the output, where their contents can be compared.
Phase Generator::makeOutputs() {
  PhaseUse Use;
  Use.Written.resize(K.Arrays.size());
  Use.Read.resize(K.Arrays.size());
  Phase P;
  for (unsigned A = 0; A < K.Arrays.size(); ++A) {
    if (!holdsFloat(K.Value) && holdsFloat(K.Arrays[A].Type))
      continue;
    if (R.chance(20) && !P.Statements.empty())
      continue;
    Statement S;
    S.What = Kind::Output;
    S.Array = A;
    S.Drivers = makeDrivers(K.Arrays[A]);
    S.AddsOffset = R.chance(40);
    S.Who = R.chance(30) ? makeGuard() : Guard();
    if (R.chance(25))
      addReads(S, 1, false, Use);
    P.Statements.push_back(std::move(S));
  }
  return P;
}

/// Reduces the cost of a kernel.
void Generator::trim() {
  if (estimateCost(K) > MaxCost)
    K.Trips = std::min(K.Trips, 2u);
  if (estimateCost(K) > MaxCost)
    K.Grid = 1;
  while (estimateCost(K) > MaxCost && K.LoopEnd > K.LoopBegin + 1) {
    K.Phases.erase(K.Phases.begin() + K.LoopEnd - 1);
    --K.LoopEnd;
  }
  for (Phase &P : K.Phases)
    for (Statement &S : P.Statements)
      if (estimateCost(K) > MaxCost) {
        S.Drivers.clear(); // Nothing takes fewer steps than the flat loop.
        S.Steps = std::min(S.Steps, 4u);
      }
}

void Generator::addArrays(unsigned Count) {
  for (; Count; --Count) {
    Array A = makeArray();
    unsigned Bytes = A.numElements() * sizeOf(A.Type);
    for (const Array &Other : K.Arrays)
      Bytes += Other.numElements() * sizeOf(Other.Type);
    if (Bytes <= MaxBytes)
      K.Arrays.push_back(std::move(A));
  }
}

/// A kernel consists of fills, maybe a second phase of fills, phases of random
/// statements, maybe in a loop, and outputs.
Kernel Generator::run() {
  chooseShape();
  addArrays(R.pick<unsigned>({1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 4}));
  if (R.chance(8)) {
    Array &A = K.Arrays.back();
    A.IsDynamic = true;
    A.IsFlat = A.Extents.size() == 2;
    A.Extents = A.IsFlat ? A.Extents : std::vector{A.numElements()};
  }
  assert(!K.Arrays.empty() && "every first array fits");
  chooseWriting();
  IsFilled.resize(K.Arrays.size());

  std::vector<unsigned> Now, Later;
  for (unsigned A = 0; A < K.Arrays.size(); ++A)
    (A && R.chance(20) ? Later : Now).push_back(A);
  K.Phases.push_back(makeFills(Now));
  if (!Later.empty()) {
    Phase P = makePhase(false);
    Phase Fills = makeFills(Later);
    P.Statements.insert(P.Statements.end(), Fills.Statements.begin(),
                        Fills.Statements.end());
    K.Phases.push_back(std::move(P));
  }
  bool HasLoop = R.chance(25);
  if (HasLoop)
    K.Trips = R.between(2, 4);
  K.LoopBegin = unsigned(K.Phases.size());
  for (unsigned Count = R.pick<unsigned>({1, 1, 1, 1, 1, 2, 2, 3}); Count;
       --Count)
    K.Phases.push_back(makePhase(HasLoop));
  K.LoopEnd = HasLoop ? unsigned(K.Phases.size()) : K.LoopBegin;
  K.Phases.push_back(makeOutputs());
  trim();
  assert(isWellFormed(K) && "a kernel that reads what nobody wrote");
  return std::move(K);
}

/// Requests layouts that would seldom be the best ones. A separate random
/// stream leaves the kernels unchanged otherwise.
static void chooseLayouts(Kernel &K, uint64_t Seed) {
  constexpr uint64_t OfLayouts = 0x6c61796f757473;
  Random R(Seed ^ OfLayouts, K.Number);
  for (Array &A : K.Arrays)
    if (R.chance(50))
      A.Wanted =
          R.pick<WantedLayout>({WantedLayout::Pad, WantedLayout::Xor,
                                WantedLayout::Linear, WantedLayout::Transform});
}

Kernel generateKernel(uint64_t Seed, uint64_t Number) {
  Kernel K = Generator(Seed, Number).run();
  chooseLayouts(K, Seed);
  return K;
}

} // namespace cudaopt::fuzz
