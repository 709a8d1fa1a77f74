// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass bank-layout: chooses for each shared array the layout under which
/// the warps of all instances need the fewest wavefronts, as counted with the
/// machine's bank map. Candidates are tried family by family, in the order of
/// the instructions that they add, until one reaches the lower bound. A layout
/// is taken only if what it saves is worth the instructions that it adds
/// (LayoutWorth.cpp).
///
/// \verbatim
///   __shared__ float tile[32][32];      __shared__ float tile[32][33];
///   ... tile[ty][tx] ...           ->   ... tile[ty][tx] ...
///   ... tile[tx][ty] ...                ... tile[tx][ty] ...
///   1024 + 32 wavefronts                32 + 32
/// \endverbatim
//===----------------------------------------------------------------------===//

#include "LayoutSearch.h"
#include "cudaopt/Model/SourceMarks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace cudaopt;
using llvm::ArrayRef;
using Family = Layout::Family;

/// The number of patterns that one call of findBest may count: some 50 ms.
static constexpr uint64_t Budget = 150'000;
static constexpr double Threshold = LayoutThreshold;

static bool isAllowed(const Candidate &C) { return C.isAllowed(); }

LayoutSearch::LayoutSearch(const PassInput &In, ArrayId Id,
                           const LayoutMap &Earlier, const BlockNeeds &Needs)
    : K(In.K), Id(Id), Array(K.Arrays[Id]), T(In.T), Rules(In.Rules),
      Earlier(Earlier), Needs(Needs), Analyses(In.Analyses),
      ChecksResources(In.Options.ChecksResources),
      Choice(parseLayoutChoice(Array.WantedLayout)
                 .value_or(In.Options.layoutOf(Array.Name))) {
  for (const std::unique_ptr<KernelInstance> &I : K.Instances)
    if (const ArrayShape &Shape = I->Shapes[Id]; !Shape.Extents.empty())
      Instances.push_back({I.get(), &Shape, {}});
}

/// Collects the patterns of all instances, and returns the decision that the
/// array stays as it is, with their cost.
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

/// Returns the best layout that the rules allow. If the text cannot be edited
/// for the best layout, the families that were refused are left out and the
/// search is repeated. A refusal of any new layout (ofArray) ends the search at
/// once.
LayoutDecision LayoutSearch::choose() {
  const LayoutDecision Best = run(isAllowed);
  if (!Best.isRewritten())
    return Best;
  if (std::optional<Refusal> R = Rules.ofArray(Id))
    return Best.kept(std::move(*R));
  llvm::SmallVector<Family, 4> Excluded;
  std::optional<Refusal> First;
  for (LayoutDecision Next = Best; Next.isRewritten();) {
    std::optional<Refusal> R = Rules.ofLayout(Id, Next.New);
    if (!R)
      return Next;
    if (!First)
      First = std::move(R);
    Excluded.push_back(Next.New.Kind);
    Next = run([&](const Candidate &C) {
      return C.isAllowed() && !llvm::is_contained(Excluded, C.New.Kind);
    });
  }
  return Best.kept(std::move(*First));
}

/// Returns the best layout among the candidates that \p IsAllowed accepts,
/// without asking the rules.
LayoutDecision LayoutSearch::run(Filter IsAllowed) {
  if (std::optional<Refusal> Refused = findRefusal()) {
    LayoutDecision Decision;
    Decision.Refused = std::move(Refused);
    return Decision;
  }
  LayoutDecision Decision = countAsItIs();
  if (Judge->patterns().empty()) {
    Decision.Refused = explainNoRequest();
  } else if (Decision.Cost.Bound >= Decision.Cost.Before * Threshold) {
    const unsigned N = Decision.NumUncounted;
    Decision.Refused =
        N ? atDeclaration(Reason::UncountedAccesses, std::to_string(N))
          : atDeclaration(Reason::NoConflict);
    Decision.Proof = N ? Certificate::None : Certificate::BoundReached;
  } else {
    search(Decision, IsAllowed);
  }
  return Decision;
}

/// Returns true if the known launches tell how large the `extern` array is.
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

/// Returns why the array is not searched at all; std::nullopt if it is.
std::optional<Refusal> LayoutSearch::findRefusal() const {
  if (std::optional<Refusal> Mark = findMark(K, Id, "bank-layout"))
    return Mark;
  if (!Array.Refusals.empty())
    return Array.Refusals.front();
  if (Array.IsExtern && !isExternKnown())
    return atDeclaration(K.hasParts(Id) ? Reason::Divided
                                        : Reason::ExternArray);
  if (Array.IsExtern && Instances.size() != K.Instances.size() && K.WhyOpen)
    return atDeclaration(*K.WhyOpen, K.Name);
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
  return std::nullopt;
}

/// Returns why no access has a pattern: the reason that all of them share, or a
/// general one.
Refusal LayoutSearch::explainNoRequest() const {
  const Access *First = nullptr;
  for (const ArrayInstance &I : Instances)
    for (const Access &A : I.Instance->Accesses) {
      if (A.Array != Id)
        continue;
      if (!First)
        First = &A;
      if (!A.WhyOpaque || A.WhyOpaque != First->WhyOpaque)
        return atDeclaration(Reason::NoAnalysableAccess);
    }
  return First ? makeRefusal(*First->WhyOpaque, *First, Array)
               : atDeclaration(Reason::NoConflict);
}

/// Searches the layouts and fills in \p Decision, which comes from
/// countAsItIs().
void LayoutSearch::search(LayoutDecision &Decision, Filter IsAllowed) {
  const bool MayHaveFields = llvm::all_of(
      Instances, [](const auto &I) { return !I.Shape->Fields.empty(); });
  Decision.Refused = findAccessOutOfRow(Instances, Id, Array);
  if (Decision.Refused && !MayHaveFields)
    return;
  Decision.Refused.reset();
  if (!Lists)
    Lists.emplace(K, Id, T, Earlier, *Judge);
  if (Choice == LayoutChoice::Auto)
    searchFreely(Decision, IsAllowed);
  else
    searchAsAsked(Decision, IsAllowed);

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

/// Searches the families in the order of their price, until nothing is left to
/// gain. If the best layout may cost more than it saves, cheaper ones are
/// considered (findWorthwhile).
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

  std::optional<Candidate> First = Best.Layout;
  if (First)
    Decision.Refused = findDoubt(*First);
  else
    Decision.Refused = explainNoLayout(Candidates);
  Best = findWorthwhile(Candidates, std::move(Best), IsAllowed);
  std::optional<BlocksLost> Lost;
  Best = weighBlocks(Candidates, std::move(Best), IsAllowed, Lost);
  if (Best.Layout) {
    First = Best.Layout;
    Decision.Refused.reset();
    take(*First, Decision);
    Decision.Lost = Lost;
  }
  if (First)
    Decision.Effects = listEffects(*First);
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
/// wavefronts; the instructions that it adds are the user's decision. One that
/// saves nothing is not taken, since each further run of the tool would find
/// and take one again.
void LayoutSearch::searchAsAsked(LayoutDecision &Decision, Filter IsAllowed) {
  const std::vector<Candidate> Candidates = listAsked();
  const Scored Best = findBest(Candidates, Scored(), IsAllowed);
  if (Best.Layout && Judge->countAll(Best.Layout->New).After <
                         Decision.Cost.Before * Threshold) {
    take(*Best.Layout, Decision);
    return;
  }
  Decision.Refused = explainNoLayout(Candidates);
  if (Decision.Refused == Reason::NoGain)
    Decision.Refused =
        atDeclaration(Reason::NoSuchLayout, getName(Choice).str());
}

/// Makes \p C the new layout of \p Decision.
void LayoutSearch::take(const Candidate &C, LayoutDecision &Decision) {
  Decision.New = C.New;
  Decision.Cost = Judge->countAll(C.New);
  Decision.SourceCost = Judge->countAllSource(C.New);
  Decision.Charge = chargeOf(C);
}

/// Returns why no candidate is taken: what forbids the best of them.
Refusal LayoutSearch::explainNoLayout(ArrayRef<Candidate> Candidates) {
  const Scored Best = findBest(
      Candidates, identity(), [](const Candidate &) { return true; }, true);
  if (!Best.Layout)
    return atDeclaration(Reason::NoGain);
  if (!Best.Layout->isAllowed())
    return *Best.Layout->Obstacle;
  // Nothing forbids it, but the filter of a variant did not accept it.
  if (!Best.Score.WorseGroup)
    return atDeclaration(Reason::NoGain);
  return worseFor(Judge->blockOf(Best.Score.WorseGroup));
}

Refusal LayoutSearch::worseFor(const BlockShape &Block) const {
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

/// Returns true if nothing is left to gain: the bound is reached, with no more
/// requests than the declared array needs.
bool LayoutSearch::isFinal(const LayoutScore &Score) const {
  return isAtBound(Score) &&
         Score.Requests * Threshold <= Judge->identity().Requests;
}

/// Returns true if \p Score is better than the array as it is. A layout that
/// the user asks for need not be.
bool LayoutSearch::savesWavefronts(const LayoutScore &Score) const {
  return Choice != LayoutChoice::Auto ||
         Score.Ratio < Judge->identity().Ratio * Threshold;
}

/// Returns true if a second run of the tool could change the rewritten array
/// once more: no family contains the product of this change and another one.
/// Such layouts are taken only if they reach the bound, so that a second run
/// finds nothing to do.
static bool isOpenToMore(const Layout &L) {
  return L.Kind == Family::Permute || L.Kind == Family::Rotate;
}

/// Returns the best of the \p Candidates that \p IsAllowed accepts, if it is
/// better than \p Best, else Best. Among equal ones the first wins, so that the
/// order of candidates is the order of preference. Layouts that are worse than
/// the declared one for some assumed shape of the block count only with
/// \p MayBeWorseForSome.
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
// What else the array could have
//===----------------------------------------------------------------------===//

bool cudaopt::dependsOnMemory(const LayoutDecision &Decided) {
  return Decided.isRewritten() || Decided.Refused == Reason::TooLarge ||
         Decided.Refused == Reason::LosesOccupancy ||
         Decided.Refused == Reason::UncertainGain ||
         Decided.Refused == Reason::FewWarps ||
         Decided.Refused == Reason::NoSpeedup;
}

std::vector<LayoutDecision>
LayoutSearch::listVariants(const LayoutDecision &Decided) {
  std::vector<LayoutDecision> Variants = {Decided};
  // A layout that the user asks for has no alternatives.
  if (Choice != LayoutChoice::Auto || !dependsOnMemory(Decided) ||
      findRefusal() || Rules.ofArray(Id))
    return Variants;
  const LayoutDecision AsItIs = countAsItIs();
  auto offer = [&](Filter IsAllowed) {
    LayoutDecision Other = AsItIs;
    search(Other, IsAllowed);
    if (Other.isRewritten() &&
        llvm::none_of(Variants,
                      [&](const LayoutDecision &Known) {
                        return Known.New == Other.New;
                      }) &&
        !Rules.ofLayout(Id, Other.New))
      Variants.push_back(std::move(Other));
  };
  offer([](const Candidate &C) { return C.isAllowed() && C.Growth <= 0; });
  offer([](const Candidate &C) { return C.isAllowedInSharedBytes(); });
  if (llvm::all_of(Variants, [](const LayoutDecision &Known) {
        return Known.isRewritten();
      })) {
    Variants.push_back(Decided.kept(atDeclaration(Reason::LosesOccupancy)));
  }
  return Variants;
}

std::vector<LayoutDecision>
cudaopt::listLayoutVariants(const PassInput &In, ArrayId Id,
                            const LayoutMap &Layouts, const BlockNeeds &Room) {
  const auto Decided = Layouts.find(Id);
  if (Decided == Layouts.end())
    return {};
  return LayoutSearch(In, Id, Layouts, Room).listVariants(Decided->second);
}

Plan cudaopt::planBankLayout(const PassInput &In, const Plan &Earlier) {
  Plan P = Earlier;
  for (ArrayId Id = 0; Id < In.K.Arrays.size(); ++Id)
    P.Layouts.insert({Id, LayoutSearch(In, Id, P.Layouts).choose()});
  return P;
}
