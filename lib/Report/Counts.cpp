// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Counts what is reported about one instance of a kernel: wavefronts, bytes of
/// shared memory, and occupancy. Whatever cannot be counted gets a reason.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/BankConflicts.h"
#include "cudaopt/Plan/BlockCount.h"
#include "cudaopt/Report/Report.h"

#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace cudaopt {

/// Returns true if the block shape is known, or at least assumed: without it,
/// the lanes of a warp have no addresses.
static bool isCountable(const KernelInstance &Instance) {
  return findKnowledge(Instance) != BlockKnowledge::None;
}

/// Returns the best known instance among those that take \p Bytes of static
/// shared memory; null if none does.
static const KernelInstance *findBytes(const Kernel &K, uint64_t Bytes) {
  const KernelInstance *Best = nullptr;
  for (const auto &Instance : K.Instances)
    if (Instance->StaticSharedBytes == Bytes &&
        (!Best || findKnowledge(*Best) < findKnowledge(*Instance)))
      Best = Instance.get();
  return Best;
}

/// Returns true if \p P changes where variables are stored.
static bool isStoredAnew(const Plan &P) {
  return P.Reuse && P.Reuse->isRewritten();
}

/// Returns the first instance of \p K in which some layout of \p P saves
/// wavefronts, so that the report shows the gain that its findings claim; null
/// if there is none.
static const KernelInstance *findGain(const Kernel &K, const Plan &P,
                                      const BankMap &Map) {
  for (const auto &Instance : K.Instances) {
    if (!isCountable(*Instance))
      continue;
    for (const auto &[Array, Decision] : P.Layouts) {
      if (!Decision.isRewritten() || Instance->Shapes[Array].Extents.empty())
        continue;
      const Wavefronts Cost =
          countBlock(*Instance, Array, Decision.New, Map).Cost;
      if (Cost.After < Cost.Before)
        return Instance.get();
    }
  }
  return nullptr;
}

/// The report must describe the instance that the decisions refer to; otherwise
/// it would claim gains that its numbers do not show.
const KernelInstance *chooseInstance(const Kernel &K, const Plan &P,
                                     const Target &T) {
  if (isStoredAnew(P))
    if (const KernelInstance *Found = findBytes(K, P.Reuse->BytesBefore))
      return Found;
  if (K.Instances.size() > 1)
    if (const KernelInstance *Found = findGain(K, P, T.Shared))
      return Found;
  for (BlockKnowledge Least :
       {BlockKnowledge::Seen, BlockKnowledge::Assumed, BlockKnowledge::None})
    for (const auto &Instance : K.Instances)
      if (findKnowledge(*Instance) == Least)
        return Instance.get();
  return nullptr;
}

std::string explainUncounted(const Access &A, const KernelInstance &Instance,
                             StringRef Text) {
  if (A.isOpaque())
    return A.WhyOpaque ? getReasonText(*A.WhyOpaque, Text) : "";
  if (!isCountable(Instance))
    return getReasonText(Reason::UnknownBlock);
  return "its subscripts have no numbers, or leave the array";
}

/// Returns true if \p A may have accesses that the model lacks. \p IsSeen says
/// that the model has some.
static bool hidesAccesses(const SharedArray &A, bool IsSeen) {
  static constexpr Reason Hiding[] = {
      Reason::AddressEscapes,    Reason::PassedToFunction,
      Reason::PointerCast,       Reason::CopiedAsWhole,
      Reason::BoundToReference,  Reason::WholeElement,
      Reason::InlineAssembly,    Reason::UnstructuredControl,
      Reason::RecursiveFunction, Reason::CalledElsewhere,
      Reason::RuntimePart,       Reason::OtherPart,
      Reason::Divided,           Reason::FileScope,
      Reason::ErrorInKernel,     Reason::InDeviceFunction,
      Reason::OverlappingParts,  Reason::MisalignedPart};
  return any_of(A.Refusals, [&](const Refusal &R) {
    return !IsSeen || is_contained(Hiding, R.Why);
  });
}

/// Returns why \p K has no instance.
static std::string explainNoInstance(const Kernel &K) {
  if (!K.Arrays.empty() && !K.Arrays.front().Refusals.empty())
    return K.Arrays.front().Refusals.front().text();
  if (!K.Decl->isTemplated())
    return getReasonText(Reason::ErrorInKernel);
  return K.Arrays.empty() ? "nothing here instantiates it, or clang reports an "
                            "error inside of it"
                          : getReasonText(Reason::NotInstantiated);
}

/// Returns why nothing is known about the accesses to \p Array; std::nullopt if
/// something is.
static std::optional<Refusal> findIgnorance(const Kernel &K, ArrayId Array,
                                            const KernelInstance *Instance) {
  const SharedArray &A = K.Arrays[Array];
  const auto Own = [&](Reason Other) {
    return A.Refusals.empty() ? Refusal{Other, "", {}} : A.Refusals.front();
  };
  if (!Instance)
    return Own(Reason::NotInstantiated);
  if (Instance->Shapes[Array].Extents.empty())
    return Own(A.IsExtern ? Reason::ExternArray : Reason::NotInstantiated);
  if (!isCountable(*Instance))
    return Refusal{Reason::UnknownBlock, "", {}};
  return std::nullopt;
}

/// Returns true if \p Decision already has the counts of the only block that
/// can be counted; counting takes time.
static bool isCounted(const Kernel &K, const LayoutDecision *Decision) {
  return Decision && Decision->Cost.Before > 0 &&
         count_if(K.Instances, [](const auto &Instance) {
           return isCountable(*Instance);
         }) == 1;
}

/// Counts the wavefronts of \p Array, as declared and with its layout in \p P.
static void countArray(const Kernel &K, ArrayId Array, const Plan &P,
                       const KernelInstance *Instance, const Target &T,
                       ArrayReport &Report) {
  Report.Cost.reset();
  Report.IsExact = false;
  if (std::optional<Refusal> R = findIgnorance(K, Array, Instance)) {
    Report.WhyUncounted = R->text();
    return;
  }
  const auto Decided = P.Layouts.find(Array);
  const Layout New =
      Decided == P.Layouts.end() ? Layout() : Decided->second.New;
  const LayoutDecision *Decision =
      Decided == P.Layouts.end() ? nullptr : &Decided->second;
  const BlockCount Count =
      isCounted(K, Decision)
          ? BlockCount{Decision->Cost, true, Decision->NumUncounted,
                       Decision->IsExact}
          : countBlock(*Instance, Array, New, T.Shared);
  const SharedArray &A = K.Arrays[Array];
  const bool IsPartial =
      hidesAccesses(A, any_of(Instance->Accesses, [&](const Access &Each) {
                      return Each.Array == Array;
                    }));
  Report.IsExact = Count.IsExact && !Count.NumUncounted && !IsPartial;
  Report.NumUncounted = Count.NumUncounted;
  if (Count.HasRequests || (!Count.NumUncounted && !IsPartial))
    Report.Cost = Count.Cost;
  // A private array is no longer in shared memory.
  if (Report.Cost && P.Reuse && is_contained(P.Reuse->Private, Array))
    Report.Cost->After = Report.Cost->Bound = 0;
  if (IsPartial) {
    Report.WhyUncounted = A.Refusals.front().text();
    return;
  }
  if (!Count.NumUncounted)
    return;
  for (const Access &Each : Instance->Accesses)
    if (Each.Array == Array &&
        collectPatterns(*Instance, Each).NumUncounted != 0) {
      Report.WhyUncounted = explainUncounted(
          Each, *Instance, getAccessText(Each, K.Decl->getASTContext()));
      return;
    }
}

/// Returns the dynamic shared memory that launches with the shape of
/// \p Instance request; std::nullopt if it is not known.
static std::optional<uint64_t> findDynamicBytes(const Kernel &K,
                                                const KernelInstance &I) {
  if (I.Block.DynamicBytes)
    return I.Block.DynamicBytes;
  const bool MayHave =
      I.Block.Origin == ShapeOrigin::Launch ||
      any_of(K.Arrays, [](const SharedArray &A) { return A.IsExtern; });
  return MayHave ? std::nullopt : std::optional<uint64_t>(0);
}

/// Explains the cost of a kernel without arrays of its own: no accesses, unless
/// it has shared memory all the same.
static void countWithoutArrays(const Kernel &K, const KernelInstance *Instance,
                               KernelReport &Report) {
  if (!Instance) {
    Report.WhyUncounted = explainNoInstance(K);
    return;
  }
  if (!Report.SharedBytes->Before && Report.DynamicBytes == 0) {
    Report.Cost = Wavefronts();
    return;
  }
  append_range(Report.ArraysIn, Instance->SharedOwners);
  Report.WhyUncounted = Report.ArraysIn.empty()
                            ? "its shared memory is no array of its own"
                            : "its shared memory is declared in '" +
                                  join(Report.ArraysIn, "', '") +
                                  "', which it calls";
}

/// Sums the arrays of \p Report.
static void countWavefronts(KernelReport &Report) {
  size_t NumUncounted = 0;
  for (const ArrayReport &A : Report.Arrays) {
    if (A.Cost) {
      if (!Report.Cost)
        Report.Cost = Wavefronts();
      *Report.Cost += *A.Cost;
    }
    if (A.WhyUncounted.empty())
      continue;
    if (!NumUncounted++)
      Report.WhyUncounted = "'" + A.Name + "': " + A.WhyUncounted;
  }
  if (NumUncounted > 1)
    Report.WhyUncounted +=
        " (and " + std::to_string(NumUncounted - 1) +
        (NumUncounted == 2 ? " more array)" : " more arrays)");
}

/// Returns by how many bytes the layouts of \p P enlarge the arrays. The number
/// may be negative, since splitting structs into fields drops their padding.
static int64_t countExtraBytes(const Plan &P, const KernelInstance &I) {
  int64_t Extra = 0;
  for (const auto &[Array, Decision] : P.Layouts)
    if (const ArrayShape &Shape = I.Shapes[Array];
        Decision.isRewritten() && !Shape.Extents.empty())
      Extra += int64_t(Decision.New.bytes(Shape) - Layout().bytes(Shape));
  return Extra;
}

/// Computes the shared memory per block and the occupancy, before and after.
static void countMemory(const Kernel &K, const Plan &P, const Target &T,
                        const KernelInstance *Instance, KernelReport &Report) {
  if (!Instance) {
    Report.WhyNoBytes = Report.WhyNoBlocks = explainNoInstance(K);
    return;
  }
  const uint64_t Bytes = Instance->StaticSharedBytes;
  uint64_t Others = 0; // Of changes that are neither layouts nor storage.
  for (const RewriteDecision &Each : P.Rewrites)
    if (Each.isRewritten())
      Others += Each.Wanted->sharedBytes();
  const uint64_t After =
      Others + (isStoredAnew(P) ? P.Reuse->BytesAfter
                                : Bytes + countExtraBytes(P, *Instance));
  if (!Report.IsKernel) {
    Report.WhyNoBytes = Report.WhyNoBlocks =
        "it is counted with the kernels that call it";
    return;
  }
  Report.SharedBytes = {Bytes, After};
  Report.DynamicBytes = findDynamicBytes(K, *Instance);
  if (!Report.DynamicBytes) {
    Report.WhyNoBlocks =
        "how much dynamic shared memory the launches take is not known";
    return;
  }
  const uint32_t Threads = Report.numThreads();
  auto countBlocks = [&](uint64_t Static) {
    return blocksPerSM(T, Threads, Static + *Report.DynamicBytes);
  };
  Report.BlocksPerSM = {countBlocks(Bytes), countBlocks(After)};
  if (isStoredAnew(P) && !Others)
    Report.BlocksPerSM = {P.Reuse->BlocksBefore, P.Reuse->BlocksAfter};
  auto countCarveOut = [&](unsigned Blocks, uint64_t Static) -> uint64_t {
    return carveOutFor(T, Blocks, Static + *Report.DynamicBytes);
  };
  Report.CarveOut = {countCarveOut(Report.BlocksPerSM->Before, Bytes),
                     countCarveOut(Report.BlocksPerSM->After, After)};
}

/// Fills in costs, memory and occupancy, with a reason wherever one of them is
/// unknown.
void countKernel(const Kernel &K, const Plan &P, const KernelInstance *Instance,
                 KernelReport &Report) {
  if (Instance)
    Report.Block = Instance->Block;
  for (ArrayId Id = 0; Id != K.Arrays.size(); ++Id) {
    ArrayReport &A = Report.Arrays[Id];
    countArray(K, Id, P, Instance, Report.Gpu, A);
    // Only another instance has the array; its cost was counted for the
    // decision.
    if (const auto Decided = P.Layouts.find(Id);
        !A.Cost && Decided != P.Layouts.end() &&
        Decided->second.isRewritten()) {
      A.Cost = Decided->second.Cost;
      A.WhyUncounted.clear();
    }
  }
  countMemory(K, P, Report.Gpu, Instance, Report);
  if (K.Arrays.empty())
    countWithoutArrays(K, Instance, Report);
  else
    countWavefronts(Report);
}

} // namespace cudaopt
