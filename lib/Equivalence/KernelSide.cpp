// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Made-up data for a launch: symbols, which stand for all data, or random
/// numbers small enough that they may be indices; and runs on them.
//===----------------------------------------------------------------------===//

#include "KernelSide.h"

#include "cudaopt/Simt/AddressUses.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

using namespace cudaopt;
using namespace cudaopt::simt;
using namespace llvm;

using Allocation = DeviceMemory::Allocation;

/// The alignment of buffers, which is what cudaMalloc promises, and the number
/// of unallocated bytes around them.
static constexpr uint64_t Granularity = 256;

LaunchBuffers::LaunchBuffers(const std::vector<ScalarSlot> &Slots,
                             const LaunchInput &Input, bool Slack) {
  constexpr int64_t LeastSlack = 4096, MaxGap = int64_t(1) << 24;
  for (size_t I = 0; I != Slots.size(); ++I) {
    Buffer &B = Buffers.emplace_back();
    if (!Slots[I].IsPointer)
      continue;
    auto [Begin, End] = Input.Ranges[I];
    if (Slack) {
      End += std::max(End - Begin, LeastSlack);
      // Data may also lead to bytes before those that the dry run touched.
      if (Begin <= MaxGap)
        Begin = std::min<int64_t>(Begin, 0);
    }
    // The pointer stays aligned. A buffer that no thread touches still has one
    // byte, so that it has an address.
    B.Pointer = static_cast<int64_t>(
        alignTo(std::max<int64_t>(-Begin, 0), Granularity));
    if (Begin > 0)
      B.Pointer = -static_cast<int64_t>(alignDown(Begin, Granularity));
    B.Size = std::max<int64_t>(End + B.Pointer, 1);
    B.Owned = std::make_unique<Byte[]>(B.Size + 3 * Granularity);
    auto Address = reinterpret_cast<uintptr_t>(B.Owned.get());
    B.Data =
        B.Owned.get() + (alignTo(Address + Granularity, Granularity) - Address);
  }
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// Returns the tags of \p Size bytes that are input number \p Input, read in
/// elements of \p Width bytes: each element is one symbol, bytes at the end
/// that are no whole element are one each.
static std::vector<uint64_t> makeSymbols(TermTable &Terms, uint32_t Input,
                                         uint64_t Size, uint32_t Width) {
  std::vector<uint64_t> Tags(Size);
  for (uint64_t Offset = 0; Offset != Size;) {
    uint32_t Bytes = Offset + Width <= Size ? Width : 1;
    TermId Symbol = Terms.symbol(Input, Offset, Bytes * 8);
    for (uint32_t I = 0; I != Bytes; ++I)
      Tags[Offset++] = tagOf(Symbol, I);
  }
  return Tags;
}

/// Returns a value in [-2, 2] with three decimals or, for WildSeed, a special
/// value.
static double makeValue(std::minstd_rand &Random, uint64_t Seed) {
  if (Seed != WildSeed)
    return (static_cast<int>(Random() % 4001) - 2000) / 1000.0;
  static constexpr double Wild[] = {0.0,
                                    -0.0,
                                    1.0,
                                    -1.0,
                                    2.5,
                                    std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN()};
  return Wild[Random() / 16 % std::size(Wild)];
}

/// Returns the bits of a floating-point number of \p Width bytes, mostly in
/// [-2, 2].
static uint64_t makeFloat(std::minstd_rand &Random, uint32_t Width,
                          uint64_t Seed) {
  double Value = makeValue(Random, Seed);
  switch (Width) {
  case 4:
    return bit_cast<uint32_t>(static_cast<float>(Value));
  case 8:
    return bit_cast<uint64_t>(Value);
  default: // A half in [1, 2) with any sign: a random fraction, exponent 0.
    return (Random() & 0x83FF) | 0x3C00;
  }
}

/// Returns an integer below 2, 8, 32, ... depending on the seed: small integers
/// can serve as indices, large ones tell elements apart.
static uint64_t makeInteger(std::minstd_rand &Random, uint64_t Seed) {
  static constexpr int64_t Wild[] = {-1, 0, 1, INT32_MIN, INT32_MAX, -100};
  if (Seed == WildSeed)
    return static_cast<uint64_t>(Wild[Random() / 16 % std::size(Wild)]);
  return Random() % (uint64_t(2) << std::min<uint64_t>(2 * Seed, 16));
}

/// Fills \p Bytes with random elements of \p Width bytes, determined by \p Seed
/// and \p Stream. If it is not known whether they are floating-point numbers,
/// they are for every other seed.
static void fillWithNumbers(MutableArrayRef<Byte> Bytes, uint32_t Width,
                            std::optional<bool> IsFloat, uint64_t Seed,
                            unsigned Stream) {
  std::minstd_rand Random(static_cast<unsigned>(Seed * 7919 + Stream + 1));
  bool MakesFloats = IsFloat.value_or(Seed % 2 == 0) && Width > 1;
  for (size_t Offset = 0; Offset < Bytes.size(); Offset += Width) {
    uint64_t Value = MakesFloats ? makeFloat(Random, Width, Seed)
                                 : makeInteger(Random, Seed);
    std::memcpy(&Bytes[Offset], &Value,
                std::min<size_t>(Width, Bytes.size() - Offset));
  }
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

const Finding *cudaopt::findError(const Observations &Seen) {
  for (const Finding &F : Seen.Findings)
    if (isError(F.Kind) && F.Kind != FindingKind::Uninitialised)
      return &F;
  return nullptr;
}

const Finding *cudaopt::findUninitialised(const Observations &Seen) {
  for (const Finding &F : Seen.Findings)
    if (F.Kind == FindingKind::Uninitialised)
      return &F;
  return nullptr;
}

const Finding *cudaopt::findRace(const Observations &Seen) {
  for (const Finding &F : Seen.Findings)
    if (F.Kind == FindingKind::Race || F.Kind == FindingKind::WarpRace)
      return &F;
  return nullptr;
}

bool cudaopt::showsUndefined(const SideResult &Result, const TermTable &Terms) {
  DenseSet<TermId> Seen;
  auto Shows = [&](const Contents &C) {
    return any_of(C.Tags, [&](uint64_t Tag) {
      auto Term = static_cast<TermId>(Tag >> 8);
      return Term && Seen.insert(Term).second && Terms.dependsOnUndefined(Term);
    });
  };
  return any_of(Result.Buffers, Shows) ||
         any_of(make_second_range(Result.Variables), Shows);
}

KernelSide::KernelSide(const Program &P, DeviceMemory &Memory,
                       const EquivalenceOptions &Options,
                       VariableNumbers *Shared)
    : P(P), Memory(Memory), Options(Options), AddressUses(findAddressUses(P)) {
  VariableNumbers Own;
  VariableNumbers &Numbers = Shared ? *Shared : Own;
  for (auto &[Address, A] : Memory.allocations()) {
    std::vector<Byte> Bytes(A.Data, A.Data + A.Size);
    bool IsZero = all_of(Bytes, [](Byte B) { return B == 0; });
    // Static variables of several functions may have the same name.
    std::string Key = A.Name;
    for (unsigned I = 2; Variables.contains(Key); ++I)
      Key = formatv("{0}#{1}", A.Name, I);
    auto [Known, IsNew] = Numbers.try_emplace(Key, Numbers.size());
    Variables[Key] = {Address, std::move(Bytes), Known->second, IsZero,
                      A.IsFixed};
  }
}

bool KernelSide::hasInitialValues() const {
  return any_of(make_second_range(Variables),
                [](const Variable &V) { return !V.IsZero && !V.IsFixed; });
}

void KernelSide::restore() {
  for (auto &[Name, V] : Variables) {
    Allocation *A = Memory.find(V.Address);
    if (!A)
      continue;
    copy(V.Bytes, A->Data);
    A->Tags.clear();
  }
}

void KernelSide::fillVariables(unsigned FirstInput, const DataSource &Data) {
  // Each symbolic byte takes a tag of eight, which larger variables are not
  // worth.
  constexpr size_t MaxBytes = 1 << 20;
  for (auto &[Name, V] : Variables) {
    Allocation *A = Memory.find(V.Address);
    if (!A)
      continue;
    A->TouchedBegin = INT64_MAX;
    A->TouchedEnd = INT64_MIN;
    A->NeededAlignment = 1;
    const uint32_t Input = FirstInput + V.Number;
    if (V.IsFixed || V.Bytes.size() > MaxBytes)
      continue;
    TermTable *Symbols = Data.symbols();
    if (Symbols && (V.IsZero || !Data.KeepsInitialValues))
      A->Tags = makeSymbols(*Symbols, Input, A->Size, 4);
    else if (!Symbols && V.IsZero && Data.Seed)
      fillWithNumbers({A->Data, A->Size}, 4, std::nullopt, Data.Seed, Input);
  }
}

/// Copies what the run left in the variables to \p Result.
void KernelSide::takeVariables(SideResult &Result) {
  for (auto &[Name, V] : Variables) {
    Allocation *A = Memory.find(V.Address);
    if (!A || V.IsFixed)
      continue;
    Contents &C = Result.Variables[Name];
    C = {{A->Data, A->Data + A->Size}, A->Tags};
    C.NeededAlignment = A->NeededAlignment;
    bool IsUsed = A->TouchedBegin < A->TouchedEnd;
    if (IsUsed && A->Tags.empty())
      Result.UsedNumbers = Name;
  }
}

std::vector<PhysMemAddr> KernelSide::adopt(const std::vector<ScalarSlot> &Slots,
                                           LaunchBuffers &Buffers,
                                           const DataSource &Data) {
  std::vector<PhysMemAddr> Addresses(Slots.size());
  for (unsigned I = 0; I != Slots.size(); ++I) {
    LaunchBuffers::Buffer &B = Buffers.Buffers[I];
    if (!B.Data)
      continue;
    Allocation *A =
        Memory.adopt(StateSpace::Global, B.Data, B.Size, Slots[I].Name);
    assert(A && "memory of our own overlaps nothing");
    std::fill_n(B.Data, B.Size, 0);
    uint32_t Width = Slots[I].ElementSize;
    if (TermTable *Symbols = Data.symbols())
      A->Tags = makeSymbols(*Symbols, I, B.Size, Width);
    else
      fillWithNumbers({B.Data, B.Size}, Width, Slots[I].PointsToFloat,
                      Data.Seed, I);
    Addresses[I] = A->Address + B.Pointer;
  }
  return Addresses;
}

/// Makes the floating-point scalars among the arguments symbols, or random
/// numbers.
static void varyFloats(const std::vector<ScalarSlot> &Slots,
                       const DataSource &Data, Launch &L) {
  for (unsigned I = 0; I != Slots.size(); ++I) {
    const ScalarSlot &S = Slots[I];
    if (!S.IsFloat)
      continue;
    simt::Argument &A = L.Arguments[S.Parameter];
    TermTable *Symbols = Data.symbols();
    if (Symbols && S.IsField) {
      A.Tags.resize(A.Bytes.size());
      copy(makeSymbols(*Symbols, I, S.Size, S.Size), A.Tags.begin() + S.Offset);
    } else if (Symbols)
      A.Term = Symbols->symbol(I, 0, S.Size * 8);
    else
      fillWithNumbers(MutableArrayRef(A.Bytes).slice(S.Offset, S.Size), S.Size,
                      true, Data.Seed, I);
  }
}

/// Marks the bytes of \p C, an object at \p Begin, that \p Accesses touch in no
/// order.
static void markUnordered(ArrayRef<UnorderedAccess> Accesses, PhysMemAddr Begin,
                          Contents &C) {
  C.Unordered.resize(C.Bytes.size());
  for (const UnorderedAccess &Each : Accesses)
    if (Each.Address >= Begin && Each.Address - Begin < C.Bytes.size())
      C.Unordered.set(
          Each.Address - Begin,
          std::min<uint64_t>(Each.Address - Begin + Each.Size, C.Bytes.size()));
}

SideResult KernelSide::run(const std::vector<ScalarSlot> &Slots,
                           const LaunchInput &Input, LaunchBuffers &Buffers,
                           const DataSource &Data,
                           uint64_t MaxWarpInstructions) {
  restore();
  fillVariables(Slots.size(), Data);
  std::vector<PhysMemAddr> Addresses = adopt(Slots, Buffers, Data);
  Launch L = makeLaunch(P, Slots, Input, Addresses);
  varyFloats(Slots, Data, L);

  SideResult Result;
  raw_string_ostream Output(Result.Printed);
  ExecutorOptions Executor;
  Executor.CheckRaces = Options.CheckRaces;
  std::vector<UnorderedAccess> Unordered;
  Executor.CheckGlobalRaces =
      Options.CheckGlobalRaces || Data.ChecksGlobalRaces;
  Executor.Unordered = Data.ChecksGlobalRaces ? &Unordered : nullptr;
  Executor.ScheduleSeed = Data.Schedule;
  Executor.MaxWarpInstructions = MaxWarpInstructions;
  Executor.Output = &Output;
  if (Data.Terms)
    Executor.AddressTerms = AddressUses;
  Executor.OnlyAddressesAreTerms = Data.HoldsNumbers;
  Result.Run = simt::run(P, L, Memory, Executor, Data.Terms);

  for (const LaunchBuffers::Buffer &B : Buffers.Buffers) {
    Contents &C = Result.Buffers.emplace_back();
    if (!B.Data)
      continue;
    auto Address =
        static_cast<PhysMemAddr>(reinterpret_cast<uintptr_t>(B.Data));
    C.Bytes.assign(B.Data, B.Data + B.Size);
    C.Tags = std::move(Memory.find(Address)->Tags);
    C.NeededAlignment = Memory.find(Address)->NeededAlignment;
    Memory.release(Address);
    if (Data.ChecksGlobalRaces)
      markUnordered(Unordered, Address, C);
  }
  takeVariables(Result);
  if (Data.ChecksGlobalRaces)
    for (auto &[Name, C] : Result.Variables)
      markUnordered(Unordered, Variables.at(Name).Address, C);
  Result.ReadsUnordered =
      any_of(Unordered, [](const UnorderedAccess &A) { return A.IsRead; });
  return Result;
}
