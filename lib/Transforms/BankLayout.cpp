// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass bank-layout: chooses for each shared array the layout under which
/// the warps of all instances need the fewest wavefronts. The families are
/// small enough to try all their members; the machine's bank map is the judge.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/BankConflicts.h"
#include "cudaopt/Transforms/Passes.h"
#include "cudaopt/Transforms/Plan.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

using namespace cudaopt;
using llvm::ArrayRef;

/// Patterns that the search looks at; the result is counted over all.
static constexpr size_t MaxSearched = 4096;
static constexpr size_t MaxPitches = 12;
static constexpr double MaxGrowth = 0.25; ///< Of the array's own memory.
/// A layout must be better by more than rounding errors.
static constexpr double Threshold = 1 - 1e-9;

namespace {

/// The array in one instance that declares it.
struct ArrayInstance {
  const KernelInstance *Instance;
  const ArrayShape *Shape;
  AccessPatterns Accesses;
};

/// A pattern and what it costs: wavefronts per block.
struct WeightedRequest {
  const LanePattern *Pattern;
  const ArrayShape *Shape;
  double Before, Bound;
  size_t Number; ///< In the order of first executions.
};

/// A layout that would be correct, and what forbids it nevertheless.
struct Candidate {
  Layout New;
  uint64_t Growth; ///< Bytes, in the instance where it is greatest.
  size_t PitchRank;
  Blocker Obstacle;
};

/// Chooses the layout of one array.
class LayoutSearch {
public:
  LayoutSearch(const Kernel &K, ArrayId Id, const Target &T, const Plan &P);
  LayoutDecision run();

private:
  Blocker findRefusal() const;
  void collectRequests();
  Blocker explainNoRequest() const;
  Blocker findAccessOutOfRow() const;
  void search(LayoutDecision &Decision) const;

  std::vector<Candidate> listCandidates() const;
  std::vector<uint64_t> listPitches() const;
  std::vector<uint64_t> findStrides() const;
  unsigned findMaxPadding() const;
  bool isLegalXor(const Layout &New) const;
  Blocker findObstacle(const Layout &New) const;
  Blocker findMemoryObstacle(const Layout &New, const ArrayInstance &I) const;
  bool addsInstructions(const Layout &New) const;
  bool isWorthwhile(const Candidate &C, double Before) const;
  bool isPermuted() const;
  const Candidate *
  findBest(ArrayRef<Candidate> Candidates,
           llvm::function_ref<bool(const Candidate &)> IsAllowed) const;

  Blocker atDeclaration(Reason Why, std::string Detail = "") const {
    return {Why, std::move(Detail), Array.Decl->getLocation()};
  }
  Blocker atAccess(Reason Why, const Access &A) const;

  const SharedArray &Array;
  const Kernel &K;
  const ArrayId Id;
  const Target &T;
  const Plan &Earlier; ///< Decisions for other arrays.
  std::vector<ArrayInstance> Instances;
  std::vector<WeightedRequest> Requests; ///< Heaviest first.
  bool IsOneDimensional = false;
};

} // namespace

static uint64_t computeGrowth(const Layout &New, const ArrayShape &Shape) {
  return (New.storage(Shape) - Shape.numElements()) * Shape.ElementSize;
}

static WarpRequest placeLanes(const LanePattern &P, const Layout &L,
                              const ArrayShape &Shape) {
  const uint64_t Pitch = L.pitchOf(Shape);
  return P.makeRequest(Shape.ElementSize,
                       [&](uint32_t E) { return L.apply(E, Pitch); });
}

/// Returns the wavefronts of \p Requests under layout \p L; or, as soon as they
/// must reach \p Limit, some number from there on.
static double countUnder(const Layout &L, ArrayRef<WeightedRequest> Requests,
                         const BankMap &Map, double Limit) {
  double Bound = 0, Count = 0;
  for (const WeightedRequest &R : Requests)
    Bound += R.Bound;
  for (const WeightedRequest &R : Requests) {
    Count += R.Pattern->Weight *
             countWavefronts(Map, placeLanes(*R.Pattern, L, *R.Shape));
    Bound -= R.Bound;
    if (Count + Bound * Threshold >= Limit)
      return Limit;
  }
  return Count;
}

LayoutSearch::LayoutSearch(const Kernel &K, ArrayId Id, const Target &T,
                           const Plan &P)
    : Array(K.Arrays[Id]), K(K), Id(Id), T(T), Earlier(P) {
  for (const std::unique_ptr<KernelInstance> &I : K.Instances) {
    const ArrayShape &Shape = I->Shapes[Id];
    if (Shape.Extents.empty())
      continue;
    Instances.push_back({I.get(), &Shape, {}});
    IsOneDimensional = Shape.Extents.size() == 1;
  }
}

LayoutDecision LayoutSearch::run() {
  LayoutDecision Decision;
  Decision.WhyKept = findRefusal();
  if (Decision.WhyKept.Why != Reason::None)
    return Decision;

  collectRequests();
  for (const ArrayInstance &I : Instances)
    Decision.IsExact &= I.Accesses.IsExact && !I.Accesses.NumUncounted;
  for (const WeightedRequest &R : Requests) {
    Decision.Cost.Before += R.Before;
    Decision.Cost.Bound += R.Bound;
  }
  Decision.Cost.After = Decision.Cost.Before;

  if (Requests.empty())
    Decision.WhyKept = explainNoRequest();
  else if (Decision.Cost.Bound >= Decision.Cost.Before * Threshold)
    Decision.WhyKept = atDeclaration(Reason::NoConflict);
  else if (Blocker B = findAccessOutOfRow(); B.Why != Reason::None)
    Decision.WhyKept = B;
  else
    search(Decision);
  return Decision;
}

Blocker LayoutSearch::findRefusal() const {
  if (!Array.Blockers.empty())
    return Array.Blockers.front();
  if (Array.IsExtern)
    return atDeclaration(Reason::ExternArray);
  if (Instances.empty())
    return atDeclaration(Reason::NotInstantiated);
  if (llvm::none_of(Instances, [](const ArrayInstance &I) {
        return I.Instance->Block.isKnown();
      }))
    return atDeclaration(Reason::UnknownBlock);
  return {};
}

void LayoutSearch::collectRequests() {
  for (ArrayInstance &I : Instances)
    I.Accesses = collectPatterns(*I.Instance, Id);
  for (const ArrayInstance &I : Instances)
    for (const LanePattern &P : I.Accesses.Patterns) {
      WarpRequest R = placeLanes(P, Layout(), *I.Shape);
      double Before = P.Weight * countWavefronts(T.Shared, R);
      double Bound = P.Weight * boundWavefronts(T.Shared, R);
      Requests.push_back({&P, I.Shape, Before, Bound, Requests.size()});
    }
  llvm::sort(Requests, [](const WeightedRequest &A, const WeightedRequest &B) {
    return std::pair(-A.Before, A.Number) < std::pair(-B.Before, B.Number);
  });
}

/// Why no access has a pattern: the reason that all of them have in common.
Blocker LayoutSearch::explainNoRequest() const {
  const Access *First = nullptr;
  for (const ArrayInstance &I : Instances)
    for (const Access &A : I.Instance->Accesses) {
      if (A.Array != Id)
        continue;
      if (!First)
        First = &A;
      if (A.WhyOpaque == Reason::None || A.WhyOpaque != First->WhyOpaque)
        return atDeclaration(Reason::NoAnalysableAccess);
    }
  return First ? atAccess(First->WhyOpaque, *First)
               : atDeclaration(Reason::NoConflict);
}

/// Only rows move apart: a subscript that runs over the end of its row would
/// reach another element than before.
Blocker LayoutSearch::findAccessOutOfRow() const {
  if (IsOneDimensional)
    return {};
  for (const ArrayInstance &I : Instances)
    for (const Access &A : I.Instance->Accesses) {
      if (A.Array != Id || A.InnerSubscriptsInBounds)
        continue;
      return atAccess(
          A.WhyOpaque != Reason::None ? A.WhyOpaque : Reason::NotInBounds, A);
    }
  return {};
}

Blocker LayoutSearch::atAccess(Reason Why, const Access &A) const {
  const clang::ASTContext &Context = Array.Decl->getASTContext();
  const clang::SourceManager &SM = Context.getSourceManager();
  auto Range = SM.getExpansionRange(A.Ref->getSourceRange());
  llvm::StringRef Text =
      clang::Lexer::getSourceText(Range, SM, Context.getLangOpts());
  return {Why, Text.str(), A.Ref->getExprLoc()};
}

void LayoutSearch::search(LayoutDecision &Decision) const {
  const std::vector<Candidate> Candidates = listCandidates();
  auto isAllowed = [](const Candidate &C) {
    return C.Obstacle.Why == Reason::None;
  };
  const Candidate *Best = findBest(Candidates, isAllowed);
  if (!Best) {
    Best = findBest(Candidates, [](const Candidate &) { return true; });
    Decision.WhyKept = Best ? Best->Obstacle : atDeclaration(Reason::NoGain);
    return;
  }
  if (!isWorthwhile(*Best, Decision.Cost.Before))
    Best = findBest(Candidates, [&](const Candidate &C) {
      return isAllowed(C) && !addsInstructions(C.New);
    });
  if (!Best || !isWorthwhile(*Best, Decision.Cost.Before)) {
    Decision.WhyKept = atDeclaration(Reason::UncertainGain);
    return;
  }
  Decision.New = Best->New;
  Decision.Cost.After =
      countUnder(Best->New, Requests, T.Shared, Decision.Cost.Before);
}

/// Padding the rows of two dimensions changes a constant; in one dimension,
/// too, if every subscript spells the pitch.
bool LayoutSearch::addsInstructions(const Layout &New) const {
  if (New.Kind != Layout::Family::Pad)
    return true;
  if (!IsOneDimensional)
    return false;
  return llvm::any_of(Instances, [&](const ArrayInstance &I) {
    return llvm::any_of(I.Instance->Accesses, [&](const Access &A) {
      return A.Array == Id && (!A.Split || A.Split->Pitch != New.Pitch);
    });
  });
}

/// True if \p C saves wavefronts, as many as it may cost: one for each request
/// that gets more instructions, and one for each that cannot be counted.
bool LayoutSearch::isWorthwhile(const Candidate &C, double Before) const {
  double Price = 0;
  if (addsInstructions(C.New))
    for (const WeightedRequest &R : Requests)
      Price += R.Pattern->Weight;
  for (const ArrayInstance &I : Instances) {
    const BlockShape &Block = I.Instance->Block;
    uint32_t Threads = Block.isKnown() ? Block.numThreads() : Block.MaxThreads;
    for (const Access &A : I.Instance->Accesses)
      if (A.Array == Id && A.isOpaque())
        Price += (Threads + WarpSize - 1) / WarpSize *
                 std::pow(10.0, std::min<size_t>(A.Loops.size(), 4));
  }
  // The search may have looked at the heaviest patterns only.
  double After = countUnder(C.New, Requests, T.Shared, Before * Threshold);
  return After < Before * Threshold && Before - After >= Price;
}

/// Returns the best of the first candidates that need the fewest wavefronts, if
/// these are fewer than without a change.
const Candidate *LayoutSearch::findBest(
    ArrayRef<Candidate> Candidates,
    llvm::function_ref<bool(const Candidate &)> IsAllowed) const {
  ArrayRef<WeightedRequest> Searched(Requests);
  Searched = Searched.take_front(MaxSearched);
  double Least = 0;
  for (const WeightedRequest &R : Searched)
    Least += R.Before;

  const Candidate *Best = nullptr;
  for (const Candidate &C : Candidates) {
    if (!IsAllowed(C))
      continue;
    const double Limit = Least * Threshold;
    double Count = countUnder(C.New, Searched, T.Shared, Limit);
    if (Count >= Limit)
      continue;
    Least = Count;
    Best = &C;
  }
  return Best;
}

/// True for `a ^ b`, also as a term of a sum.
static bool isPermutation(const clang::Expr *E) {
  const auto *Op =
      llvm::dyn_cast<clang::BinaryOperator>(E->IgnoreParenImpCasts());
  if (!Op || Op->getOpcode() == clang::BO_Xor)
    return Op;
  return Op->isAdditiveOp() &&
         (isPermutation(Op->getLHS()) || isPermutation(Op->getRHS()));
}

/// True if the author, or cuda-opt before, has swizzled the columns: a second
/// permutation would not be understood, and each run would add one.
bool LayoutSearch::isPermuted() const {
  return llvm::any_of(Instances, [&](const ArrayInstance &I) {
    return llvm::any_of(I.Instance->Accesses, [&](const Access &A) {
      return A.Array == Id && !A.Subscripts.empty() &&
             isPermutation(A.Subscripts.back());
    });
  });
}

/// Returns the correct layouts, those to be preferred at equal cost first.
std::vector<Candidate> LayoutSearch::listCandidates() const {
  std::vector<Candidate> Result;
  auto Add = [&](const Layout &New, size_t PitchRank) {
    uint64_t Growth = 0;
    for (const ArrayInstance &I : Instances)
      Growth = std::max(Growth, computeGrowth(New, *I.Shape));
    Result.push_back({New, Growth, PitchRank, findObstacle(New)});
  };

  const bool WasPermuted = isPermuted();
  if (WasPermuted && IsOneDimensional)
    return Result;
  const unsigned MaxPadding = findMaxPadding();
  for (auto [Rank, Pitch] : llvm::enumerate(listPitches())) {
    for (unsigned Padding = 1; Padding <= MaxPadding; ++Padding)
      Add({Layout::Family::Pad, Pitch, Padding}, Rank);
    for (unsigned Bits = 1; Bits <= 5; ++Bits)
      for (unsigned RowShift = 0; RowShift <= 5; ++RowShift)
        for (unsigned Unit = 0; Unit <= 5; ++Unit) {
          Layout Xor{Layout::Family::Xor, Pitch, 0, RowShift, Bits, Unit};
          if (!WasPermuted && isLegalXor(Xor))
            Add(Xor, Rank);
        }
  }
  // Padding changes one line and costs no instruction; xor costs some in every
  // access. The rows that the author wrote come before others.
  llvm::sort(Result, [](const Candidate &A, const Candidate &B) {
    auto Key = [](const Candidate &C) {
      const Layout &L = C.New;
      unsigned NumShifts = (L.RowShift != 0) + (L.Unit != 0);
      return std::tuple(C.PitchRank, L.Kind, C.Growth, NumShifts, L.Bits,
                        L.RowShift, L.Unit, L.Padding);
    };
    return Key(A) < Key(B);
  });
  return Result;
}

/// Returns the row lengths by which the array may be seen, the likeliest first:
/// its own, or for one dimension those that its subscripts suggest.
std::vector<uint64_t> LayoutSearch::listPitches() const {
  if (!IsOneDimensional)
    return {0};
  uint64_t NumElements = std::numeric_limits<uint64_t>::max();
  for (const ArrayInstance &I : Instances)
    NumElements = std::min(NumElements, I.Shape->numElements());

  std::vector<uint64_t> Result;
  auto Add = [&](uint64_t Pitch) {
    if (Pitch > 1 && Pitch < NumElements && Result.size() < MaxPitches &&
        !llvm::is_contained(Result, Pitch))
      Result.push_back(Pitch);
  };
  for (const ArrayInstance &I : Instances)
    for (const Access &A : I.Instance->Accesses)
      if (A.Array == Id && A.Split)
        Add(A.Split->Pitch);
  for (uint64_t Pitch = 16; Pitch <= NumElements / 2; Pitch *= 2)
    Add(Pitch);
  for (uint64_t Stride : findStrides())
    Add(Stride);
  return Result;
}

/// Returns the distances between neighbouring lanes in conflicting patterns,
/// the most frequent first.
std::vector<uint64_t> LayoutSearch::findStrides() const {
  std::map<uint64_t, double> Weights;
  for (const WeightedRequest &R : Requests) {
    if (R.Before <= R.Bound)
      continue;
    const LanePattern &P = *R.Pattern;
    for (unsigned Lane = 0; Lane + 1 < WarpSize; ++Lane) {
      auto [Low, High] = std::minmax(P.Elements[Lane], P.Elements[Lane + 1]);
      if ((P.ActiveLanes >> Lane & 3) == 3 && Low != High)
        Weights[High - Low] += P.Weight;
    }
  }
  std::vector<uint64_t> Strides;
  for (auto [Stride, Weight] : Weights)
    Strides.push_back(Stride);
  llvm::sort(Strides, [&](uint64_t A, uint64_t B) {
    return std::pair(-Weights[A], A) < std::pair(-Weights[B], B);
  });
  return Strides;
}

/// Paddings from there on repeat the banks of a smaller one.
unsigned LayoutSearch::findMaxPadding() const {
  unsigned Max = 0;
  for (const ArrayInstance &I : Instances) {
    const unsigned Size = I.Shape->ElementSize;
    const bool IsUniform = llvm::isPowerOf2_32(Size) && Size <= 16;
    const unsigned RowOfBanks = T.Shared.Banks * T.Shared.Width;
    Max = std::max(Max, (IsUniform ? RowOfBanks / Size : T.Shared.Banks) - 1);
  }
  return Max;
}

/// True if \p New permutes each row of the array in every instance, and if f(r)
/// can be written with the second to last subscript alone.
bool LayoutSearch::isLegalXor(const Layout &New) const {
  const uint64_t Moved = uint64_t{1} << (New.Unit + New.Bits);
  const uint64_t Period = uint64_t{1} << (New.RowShift + New.Bits);
  return llvm::all_of(Instances, [&](const ArrayInstance &I) {
    const auto &Extents = I.Shape->Extents;
    return llvm::isPowerOf2_32(I.Shape->ElementSize) &&
           New.pitchOf(*I.Shape) % Moved == 0 &&
           I.Shape->numElements() % Moved == 0 &&
           (Extents.size() < 3 || Extents[Extents.size() - 2] % Period == 0);
  });
}

Blocker LayoutSearch::findObstacle(const Layout &New) const {
  const bool IsPad = New.Kind == Layout::Family::Pad;
  if (IsPad && Array.DeclarationBlocker)
    return *Array.DeclarationBlocker;
  if ((!IsPad || IsOneDimensional) && Array.SubscriptBlocker)
    return *Array.SubscriptBlocker;
  for (const ArrayInstance &I : Instances)
    if (Blocker B = findMemoryObstacle(New, I); B.Why != Reason::None)
      return B;
  return {};
}

Blocker LayoutSearch::findMemoryObstacle(const Layout &New,
                                         const ArrayInstance &I) const {
  const uint64_t Growth = computeGrowth(New, *I.Shape);
  if (Growth == 0)
    return {};
  if (Growth > MaxGrowth * I.Shape->numElements() * I.Shape->ElementSize)
    return atDeclaration(Reason::MuchMemory);
  // A launch may already ask for all the dynamic memory that is left.
  if (llvm::any_of(K.Arrays, [](const SharedArray &A) { return A.IsExtern; }))
    return atDeclaration(Reason::DynamicMemory);
  const uint64_t Before = I.Instance->StaticSharedBytes;
  uint64_t After = Before + Growth;
  for (const auto &[OtherId, Decision] : Earlier.Layouts)
    if (Decision.isRewritten() && !I.Instance->Shapes[OtherId].Extents.empty())
      After += computeGrowth(Decision.New, I.Instance->Shapes[OtherId]);
  if (After > T.SharedPerBlock)
    return atDeclaration(Reason::TooLarge, std::to_string(After));

  const BlockShape &Block = I.Instance->Block;
  uint32_t Threads = Block.isKnown() ? Block.numThreads() : Block.MaxThreads;
  if (blocksPerSM(T, Threads, After) < blocksPerSM(T, Threads, Before))
    return atDeclaration(Reason::LosesOccupancy);
  return {};
}

void cudaopt::planBankLayout(const Kernel &K, const Target &T, Plan &P) {
  for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id)
    P.Layouts.insert({Id, LayoutSearch(K, Id, T, P).run()});
}
