// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass bank-layout: the machine's bank map chooses for each shared array
/// the layout under which the warps of all instances need fewest wavefronts.
//===----------------------------------------------------------------------===//

#include "LayoutCandidates.h"
#include "LayoutCost.h"
#include "LayoutVariants.h"
#include "Residency.h"
#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Transforms/Passes.h"
#include "cudaopt/Transforms/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace cudaopt;
using llvm::ArrayRef;
using Family = Layout::Family;

/// Patterns that the search for one array may count: some 50 ms.
static constexpr uint64_t Budget = 150'000;
/// A layout must be better by more than rounding errors.
static constexpr double Threshold = 1 - 1e-9;

namespace {

/// Chooses the layout of one array.
class LayoutSearch {
public:
  LayoutSearch(const Kernel &K, ArrayId Id, const Target &T,
               const PassOptions &Options, const Plan &Earlier,
               const BlockNeeds &Needs = BlockNeeds());
  LayoutDecision run();
  std::vector<LayoutDecision> listVariants(const LayoutDecision &Decided);

private:
  /// A candidate that was counted, or none: the array as it is.
  struct Scored {
    std::optional<Candidate> Layout;
    LayoutScore Score;
  };
  using Filter = llvm::function_ref<bool(const Candidate &)>;

  bool isExternKnown() const;
  Blocker findRefusal() const;
  Blocker explainNoRequest() const;
  LayoutDecision countAsItIs();
  void search(LayoutDecision &Decision, Filter IsAllowed);
  void searchFreely(LayoutDecision &Decision, Filter IsAllowed);
  void searchAsAsked(LayoutDecision &Decision);
  std::vector<Candidate> listAsked();
  void take(const Candidate &C, LayoutDecision &Decision);
  Blocker explainNoLayout(ArrayRef<Candidate> Candidates);
  Blocker worseFor(const BlockShape &Block) const;
  Scored identity() const { return {std::nullopt, Judge->identity()}; }
  bool isAtBound(const LayoutScore &Score) const;
  bool isFinal(const LayoutScore &Score) const;
  bool savesWavefronts(const LayoutScore &Score) const;
  Scored findBest(ArrayRef<Candidate> Candidates, Scored Best, Filter IsAllowed,
                  bool MayBeWorseForSome = false);
  Scored findWorthwhile(ArrayRef<Candidate> Candidates, Scored Best,
                        Filter IsAllowed);
  double chargeOf(const Candidate &C);
  double chargeUncounted() const;
  Blocker findDoubt(const Candidate &C);
  std::vector<AddedInstructions> listAdded(const Candidate &C);
  bool hasAssumedShapes(const KernelInstance &I) const;

  Blocker atDeclaration(Reason Why, std::string Detail = "") const {
    return {Why, std::move(Detail), Array.Decl->getLocation()};
  }

  const Kernel &K;
  const ArrayId Id;
  const SharedArray &Array;
  const Target &T;
  const Plan &Earlier; ///< Decisions for other arrays.
  const BlockNeeds Needs;
  LayoutChoice Choice;
  std::vector<ArrayInstance> Instances;
  std::optional<LayoutJudge> Judge;
  std::optional<LayoutCandidates> Lists; ///< Of Judge.
  /// False once something was left out.
  bool IsExhaustive = true;
};

} // namespace

static bool isNone(const Blocker &B) { return B.Why == Reason::None; }

static bool isAllowed(const Candidate &C) { return C.isAllowed(); }

LayoutSearch::LayoutSearch(const Kernel &K, ArrayId Id, const Target &T,
                           const PassOptions &Options, const Plan &Earlier,
                           const BlockNeeds &Needs)
    : K(K), Id(Id), Array(K.Arrays[Id]), T(T), Earlier(Earlier), Needs(Needs),
      Choice(parseLayoutChoice(Array.WantedLayout).value_or(Options.Layout)) {
  for (const std::unique_ptr<KernelInstance> &I : K.Instances)
    if (const ArrayShape &Shape = I->Shapes[Id]; !Shape.Extents.empty())
      Instances.push_back({I.get(), &Shape, {}});
}

/// Collects and counts the patterns.
LayoutDecision LayoutSearch::countAsItIs() {
  LayoutDecision Decision;
  for (ArrayInstance &I : Instances) {
    if (I.Instance->Block.IsUnseen)
      continue;
    I.Accesses = collectPatterns(*I.Instance, Id);
    Decision.IsExact &= I.Accesses.IsExact && !I.Accesses.NumUncounted;
    if (I.Instance->Block.isKnown() || !hasAssumedShapes(*I.Instance))
      Decision.NumUncounted += I.Accesses.NumUncounted;
  }
  Judge.emplace(Instances, T.Shared);
  Lists.reset();
  Decision.Cost = Judge->countAll(Layout());
  Decision.SourceCost = Judge->countAllSource(Layout());
  return Decision;
}

LayoutDecision LayoutSearch::run() {
  if (Blocker Refused = findRefusal(); !isNone(Refused)) {
    LayoutDecision Decision;
    Decision.WhyKept = std::move(Refused);
    return Decision;
  }
  LayoutDecision Decision = countAsItIs();
  if (Judge->patterns().empty()) {
    Decision.WhyKept = explainNoRequest();
  } else if (Decision.Cost.Bound >= Decision.Cost.Before * Threshold) {
    const unsigned N = Decision.NumUncounted;
    Decision.WhyKept =
        N ? atDeclaration(Reason::UncountedAccesses, std::to_string(N))
          : atDeclaration(Reason::NoConflict);
    Decision.Proof = N ? Certificate::None : Certificate::BoundReached;
  } else {
    search(Decision, isAllowed);
  }
  return Decision;
}

/// True if the known launches tell how large the `extern` array is.
bool LayoutSearch::isExternKnown() const {
  const size_t NumKnown = llvm::count_if(
      K.Instances, [](const auto &I) { return !I->Block.IsUnseen; });
  return Instances.size() >= NumKnown &&
         llvm::all_of(Instances, [&](const ArrayInstance &I) {
           return I.Shape->numElements() != 0 &&
                  llvm::any_of(I.Instance->Accesses,
                               [&](const Access &A) { return A.Array == Id; });
         });
}

Blocker LayoutSearch::findRefusal() const {
  if (std::optional<Blocker> Mark = findMark(K, Id, "bank-layout"))
    return *Mark;
  if (!Array.Blockers.empty())
    return Array.Blockers.front();
  if (Array.IsExtern && !isExternKnown())
    return atDeclaration(K.hasParts(Id) ? Reason::Divided
                                        : Reason::ExternArray);
  if (Array.IsExtern && Instances.size() != K.Instances.size())
    return atDeclaration(K.WhyOpen, K.Name);
  if (Instances.empty())
    return atDeclaration(Reason::NotInstantiated);
  if (!Array.WantedLayout.empty() && !parseLayoutChoice(Array.WantedLayout))
    return atDeclaration(Reason::NoSuchLayout, Array.WantedLayout);
  if (Choice == LayoutChoice::Keep)
    return atDeclaration(Reason::AskedToKeep);
  if (llvm::none_of(Instances, [](const ArrayInstance &I) {
        return I.Instance->Block.isKnown() && !I.Instance->Block.IsUnseen;
      }))
    return atDeclaration(Reason::UnknownBlock);
  return {};
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
  return First ? makeBlocker(First->WhyOpaque, *First, Array)
               : atDeclaration(Reason::NoConflict);
}

void LayoutSearch::search(LayoutDecision &Decision, Filter IsAllowed) {
  const bool MayHaveFields = llvm::all_of(
      Instances, [](const auto &I) { return !I.Shape->Fields.empty(); });
  Decision.WhyKept = findAccessOutOfRow(Instances, Id, Array);
  if (!isNone(Decision.WhyKept) && !MayHaveFields)
    return;
  Decision.WhyKept = {};
  if (!Lists)
    Lists.emplace(K, Id, T, Earlier, *Judge);
  if (Choice == LayoutChoice::Auto)
    searchFreely(Decision, IsAllowed);
  else
    searchAsAsked(Decision);

  if (Decision.Cost.After <= Decision.Cost.Bound / Threshold)
    Decision.Proof = Certificate::BoundReached;
  else if (IsExhaustive && Judge->isComplete() && Judge->numAssumed() == 0)
    Decision.Proof = Certificate::Exhausted;
  else
    Decision.Proof = Certificate::BestFound;
}

//===----------------------------------------------------------------------===//
// The order of the families
//===----------------------------------------------------------------------===//

/// Searches the families in the order of their price, as long as there is
/// something to gain.
void LayoutSearch::searchFreely(LayoutDecision &Decision, Filter IsAllowed) {
  std::vector<Candidate> Candidates;
  Scored Best = identity();
  IsExhaustive = true;
  for (size_t I = 0; I < LayoutCandidates::NumSteps; ++I) {
    if (I > 0 && isFinal(Best.Score))
      break;
    const LayoutCandidates::Step &More = Lists->listStep(I);
    IsExhaustive &= More.IsComplete;
    Best = findBest(More.Members, std::move(Best), IsAllowed);
    llvm::append_range(Candidates, More.Members);
  }

  if (!Best.Layout) {
    Decision.WhyKept = explainNoLayout(Candidates);
    return;
  }
  const Candidate First = *Best.Layout;
  const Blocker Doubt = findDoubt(First);
  Best = findWorthwhile(Candidates, std::move(Best), IsAllowed);
  if (Best.Layout)
    take(*Best.Layout, Decision);
  else
    Decision.WhyKept = Doubt;
  Decision.Added = listAdded(Best.Layout.value_or(First));
}

std::vector<Candidate> LayoutSearch::listAsked() {
  IsExhaustive = Lists->isComplete();
  if (Choice == LayoutChoice::Transform)
    return Lists->listTransforms();
  std::vector<Candidate> Candidates = Lists->listCheap(Choice);
  if (Choice == LayoutChoice::Linear)
    llvm::append_range(Candidates, Lists->listLinear(IsExhaustive));
  return Candidates;
}

/// Takes the best layout of the kind that the user wants if it saves
/// wavefronts: what instructions it adds is the user's affair. One that is as
/// good as none would be taken again in each run.
void LayoutSearch::searchAsAsked(LayoutDecision &Decision) {
  const std::vector<Candidate> Candidates = listAsked();
  const Scored Best = findBest(Candidates, Scored(), isAllowed);
  if (Best.Layout && Judge->countAll(Best.Layout->New).After <
                         Decision.Cost.Before * Threshold) {
    take(*Best.Layout, Decision);
    return;
  }
  Decision.WhyKept = explainNoLayout(Candidates);
  if (Decision.WhyKept.Why == Reason::NoGain)
    Decision.WhyKept =
        atDeclaration(Reason::NoSuchLayout, getName(Choice).str());
}

void LayoutSearch::take(const Candidate &C, LayoutDecision &Decision) {
  Decision.New = C.New;
  Decision.Cost = Judge->countAll(C.New);
  Decision.SourceCost = Judge->countAllSource(C.New);
  Decision.Charge = chargeOf(C);
}

/// Why no candidate is taken: what forbids the best of them.
Blocker LayoutSearch::explainNoLayout(ArrayRef<Candidate> Candidates) {
  const Scored Best = findBest(
      Candidates, identity(), [](const Candidate &) { return true; }, true);
  if (!Best.Layout)
    return atDeclaration(Reason::NoGain);
  if (!isAllowed(*Best.Layout))
    return Best.Layout->Obstacle;
  if (!Best.Score.WorseGroup) // A variant was wanted that it is not.
    return atDeclaration(Reason::NoGain);
  return worseFor(Judge->blockOf(Best.Score.WorseGroup));
}

Blocker LayoutSearch::worseFor(const BlockShape &Block) const {
  const auto &[X, Y, Z] = Block.Threads;
  return atDeclaration(Reason::WorseForSomeShape,
                       llvm::formatv("{0} x {1} x {2} threads", X, Y, Z).str());
}

//===----------------------------------------------------------------------===//
// The best candidate
//===----------------------------------------------------------------------===//

bool LayoutSearch::isAtBound(const LayoutScore &Score) const {
  return Score.Ratio * Threshold <= 1;
}

/// True if nothing is left to gain, neither wavefronts nor instructions that
/// access the array.
bool LayoutSearch::isFinal(const LayoutScore &Score) const {
  return isAtBound(Score) &&
         Score.Requests * Threshold <= Judge->identity().Requests;
}

/// What the user asks for need not save any.
bool LayoutSearch::savesWavefronts(const LayoutScore &Score) const {
  return Choice != LayoutChoice::Auto ||
         Score.Ratio < Judge->identity().Ratio * Threshold;
}

/// True if a second run would see an array that it can change once more, as no
/// family has the product of both changes.
static bool isOpenToMore(const Layout &L) {
  return L.Kind == Family::Permute || L.Kind == Family::Rotate;
}

/// Returns the best of \p Candidates, if it is better than \p Best; at equal
/// cost the first.
LayoutSearch::Scored LayoutSearch::findBest(ArrayRef<Candidate> Candidates,
                                            Scored Best, Filter IsAllowed,
                                            bool MayBeWorseForSome) {
  const uint64_t End = Judge->spent() + Budget;
  for (const Candidate &C : Candidates) {
    if (isFinal(Best.Score))
      break;
    if (!IsAllowed(C))
      continue;
    if (Judge->spent() > End) {
      IsExhaustive = false;
      break;
    }
    const LayoutScore Score = Judge->score(C.New, Best.Score);
    if (!Score.isBetterThan(Best.Score) || !savesWavefronts(Score) ||
        (Score.WorseGroup && !MayBeWorseForSome) ||
        (isOpenToMore(C.New) && !isAtBound(Score)))
      continue;
    Best = {C, Score};
  }
  return Best;
}

//===----------------------------------------------------------------------===//
// What a layout is worth
//===----------------------------------------------------------------------===//

/// Returns the instructions that \p C adds to a block.
static double instructionsOf(const Candidate &C, const BlockCost &Before,
                             const BlockCost &After) {
  return C.Price * After.Requests - C.FlatPrice * After.Spelled +
         std::max(0., After.Requests - Before.Requests);
}

/// Wavefronts that could be served while the instructions are executed that
/// \p C adds.
double LayoutSearch::chargeOf(const Candidate &C) {
  double Instructions = 0;
  for (auto [Before, After] :
       llvm::zip_equal(Judge->countBlocks(Layout()), Judge->countBlocks(C.New)))
    Instructions += instructionsOf(C, Before, After);
  return WavefrontsPerInstruction * Instructions;
}

bool LayoutSearch::hasAssumedShapes(const KernelInstance &I) const {
  return llvm::any_of(Instances, [&](const ArrayInstance &Other) {
    return Other.Instance->Block.Origin == ShapeOrigin::Assumed &&
           Other.Instance->Decl == I.Decl;
  });
}

/// One wavefront for each request that cannot be counted. In a block of unknown
/// shape, those of the shapes assumed for it stand for all.
double LayoutSearch::chargeUncounted() const {
  double Charge = 0;
  for (const ArrayInstance &I : Instances) {
    const BlockShape &Block = I.Instance->Block;
    if (Block.IsUnseen || (!Block.isKnown() && hasAssumedShapes(*I.Instance)))
      continue;
    uint32_t Threads = Block.isKnown() ? Block.numThreads() : Block.MaxThreads;
    for (const Access &A : I.Instance->Accesses)
      if (A.Array == Id && (A.isOpaque() || !A.hasWidth()))
        Charge += (Threads + WarpSize - 1) / WarpSize *
                  std::pow(10.0, std::min<size_t>(A.Loops.size(), 4));
  }
  return Charge;
}

/// Returns nothing if \p C adds no instruction.
std::vector<AddedInstructions> LayoutSearch::listAdded(const Candidate &C) {
  std::vector<AddedInstructions> Added;
  double Sum = 0;
  for (auto [I, Before, After] : llvm::zip_equal(
           Instances, Judge->countBlocks(Layout()), Judge->countBlocks(C.New)))
    Sum += Added
               .emplace_back(I.Instance, Before, After,
                             instructionsOf(C, Before, After))
               .Number;
  return Sum > 0 ? Added : std::vector<AddedInstructions>();
}

/// Returns why \p C may cost more than it saves; nothing if it pays.
Blocker LayoutSearch::findDoubt(const Candidate &C) {
  // The search may have looked at the heaviest patterns only.
  const Wavefronts Cost = Judge->countAll(C.New);
  if (Cost.After >= Cost.Before * Threshold ||
      Cost.Before - Cost.After < chargeOf(C) + chargeUncounted())
    return atDeclaration(Reason::UncertainGain);
  const std::vector<AddedInstructions> Added = listAdded(C);
  // Only one of the shapes that are assumed will be launched: each must pay.
  for (const AddedInstructions &Each : Added)
    if (Each.Instance->Block.Origin == ShapeOrigin::Assumed &&
        Each.Before.Wavefronts - Each.After.Wavefronts <
            WavefrontsPerInstruction * Each.Number)
      return worseFor(Each.Instance->Block);
  return findWaiting(K, Id, Added, T, Needs);
}

/// Returns \p Best, or what adds fewer instructions if these are not worth what
/// they save.
LayoutSearch::Scored
LayoutSearch::findWorthwhile(ArrayRef<Candidate> Candidates, Scored Best,
                             Filter IsAllowed) {
  while (Best.Layout && !isNone(findDoubt(*Best.Layout))) {
    const unsigned Limit = Best.Layout->Price;
    Best = findBest(Candidates, identity(), [&](const Candidate &C) {
      return IsAllowed(C) && C.Price < Limit;
    });
  }
  return Best;
}

//===----------------------------------------------------------------------===//
// What else the array could have
//===----------------------------------------------------------------------===//

bool cudaopt::dependsOnMemory(const LayoutDecision &Decided) {
  return Decided.isRewritten() || Decided.WhyKept.Why == Reason::TooLarge ||
         Decided.WhyKept.Why == Reason::LosesOccupancy ||
         Decided.WhyKept.Why == Reason::UncertainGain ||
         Decided.WhyKept.Why == Reason::FewWarps;
}

std::vector<LayoutDecision>
LayoutSearch::listVariants(const LayoutDecision &Decided) {
  std::vector<LayoutDecision> Variants = {Decided};
  // What the user asks for has no alternatives.
  if (Choice != LayoutChoice::Auto || !dependsOnMemory(Decided) ||
      !isNone(findRefusal()))
    return Variants;
  const LayoutDecision AsItIs = countAsItIs();
  auto offer = [&](Filter IsAllowed) {
    LayoutDecision Other = AsItIs;
    search(Other, IsAllowed);
    if (Other.isRewritten() &&
        llvm::none_of(Variants, [&](const LayoutDecision &Known) {
          return Known.New == Other.New;
        }))
      Variants.push_back(std::move(Other));
  };
  offer([](const Candidate &C) { return C.isAllowed() && C.Growth <= 0; });
  offer([](const Candidate &C) { return C.isAllowedInSharedBytes(); });
  if (llvm::all_of(Variants, [](const LayoutDecision &Known) {
        return Known.isRewritten();
      })) {
    LayoutDecision &None = Variants.emplace_back(Decided);
    None.keep(atDeclaration(Reason::LosesOccupancy));
  }
  return Variants;
}

std::vector<LayoutDecision>
cudaopt::listLayoutVariants(const Kernel &K, ArrayId Id, const Target &T,
                            const PassOptions &Options, const Plan &P,
                            const BlockNeeds &Room) {
  const auto Decided = P.Layouts.find(Id);
  if (Decided == P.Layouts.end())
    return {};
  return LayoutSearch(K, Id, T, Options, P, Room).listVariants(Decided->second);
}

void cudaopt::planBankLayout(const Kernel &K, const Target &T,
                             const PassOptions &Options, Plan &P) {
  for (ArrayId Id = 0; Id < K.Arrays.size(); ++Id)
    P.Layouts.insert({Id, LayoutSearch(K, Id, T, Options, P).run()});
}
