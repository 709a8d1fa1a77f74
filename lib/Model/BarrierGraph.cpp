// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BarrierGraph.h"
#include "Induction.h"

#include "cudaopt/IR/Graph.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// Iterations of a loop of unknown length.
static constexpr double UnknownIterations = 64;

/// Where runs go from \p B.
static llvm::ArrayRef<ir::Block *> successorsOf(const ir::Block &B) {
  const llvm::ArrayRef<ir::Block *> All(B.Successors);
  return B.HasVirtualExit ? All.drop_back() : All;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

const TextPlace *BarrierGraph::placeOf(const ir::Anchor &Where) {
  std::optional<TextPlace> Found = Overlay.find(Where);
  if (!Found)
    return nullptr;
  Places.push_back(std::make_unique<TextPlace>(std::move(*Found)));
  return Places.back().get();
}

/// What has no text of its own, as the construction of a default argument,
/// belongs to what is in front of it, or else behind it.
void BarrierGraph::findPlaces() {
  Points.resize(F.blocks().size());
  for (const std::unique_ptr<ir::Block> &B : F.blocks()) {
    std::vector<Point> &Own = Points[B->Id];
    for (auto [Index, O] : llvm::enumerate(B->Operations))
      Own.push_back({B.get(), Index, placeOf(O.Where), 0});
    if (B->Terminator == ir::Block::Branch ||
        B->Terminator == ir::Block::Switch)
      if (const TextPlace *Where = placeOf(B->Where))
        Own.push_back({B.get(), std::nullopt, Where, 0});
    const TextPlace *Known = nullptr;
    for (Point &Each : Own)
      Known = Each.Where = Each.Where ? Each.Where : Known;
    for (Point &Each : llvm::reverse(Own))
      Known = Each.Where = Each.Where ? Each.Where : Known;
    if (Own.empty() || Known)
      continue;
    Places.push_back(std::make_unique<TextPlace>());
    Places.back()->At = {0, F.decl()->getBody()};
    for (Point &Each : Own)
      Each.Where = Places.back().get();
  }
}

void BarrierGraph::findBarriers() {
  LoopsOf.resize(F.blocks().size());
  for (const std::unique_ptr<ir::Block> &B : F.blocks())
    for (const Point &Each : Points[B->Id]) {
      if (!Each.Operation || !Overlay.isBarrier(B->Operations[*Each.Operation]))
        continue;
      for (const PathStatement &S : Each.Where->Around)
        Barriers[{S.Path, S.Statement}].push_back(B.get());
    }
  for (auto [Id, L] : llvm::enumerate(F.loops()))
    if (llvm::any_of(L.Blocks, [&](const ir::Block *B) {
          return !B->Operations.empty() &&
                 Overlay.isBarrier(B->Operations.back());
        }))
      for (const ir::Block *B : L.Blocks)
        LoopsOf[B->Id].push_back(Id);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

StepId BarrierGraph::addStep(Step::Kind What, PathStatement At,
                             const ir::Block &In,
                             llvm::ArrayRef<PathStatement> Inside) {
  const StepId Id = P.Steps.size();
  Step &New = P.Steps.emplace_back();
  New.What = What;
  New.Statement = At.Statement;
  Region &Own = Regions.emplace_back();
  Own.At = At;
  for (unsigned L : LoopsOf[In.Id]) {
    const Stmt *Statement = F.loops()[L].Statement;
    if (llvm::any_of(Inside, [&](const PathStatement &S) {
          return S.Statement == Statement;
        }))
      continue;
    ++New.LoopDepth;
    double Iterations = UnknownIterations;
    for (const Loop &Known : P.Instance->Loops)
      if (Known.Statement == Statement)
        if (std::optional<int64_t> Trips = countTrips(*P.Instance, Known.Id)) {
          Iterations = std::max<int64_t>(*Trips, 1);
          break;
        }
    New.Weight *= Iterations;
    if (Statement)
      Own.Loops.insert(Statement);
  }
  Entries.emplace_back();
  Exits.emplace_back();
  IsInMiddle.push_back(false);
  return Id;
}

StepId BarrierGraph::stepOf(const Point &At) {
  const TextPlace &Where = *At.Where;
  if (At.Operation && Overlay.isBarrier(At.In->Operations[*At.Operation]))
    return addStep(Step::Kind::Barrier, Where.At, *At.In, {});
  unsigned Part = 0; // The number of barriers in front.
  if (Where.IsBesideBarrier) {
    // The tree does not change the graph that it reads.
    if (!Dominance)
      Dominance =
          std::make_unique<ir::Dominators>(const_cast<ir::Function &>(F));
    for (const ir::Block *Barrier :
         Barriers[{Where.At.Path, Where.At.Statement}])
      Part += Barrier != At.In && Dominance->dominates(Barrier, At.In);
  }
  auto [It, IsNew] = Steps.try_emplace(
      Key{Where.At.Path, Where.At.Statement, Part}, P.Steps.size());
  if (IsNew)
    addStep(Step::Kind::Work, Where.At, *At.In, {});
  Regions[It->second].IsBesideBarrier |= Where.IsBesideBarrier;
  return It->second;
}

/// The step in front of \p S, which has barriers inside, and which control
/// enters at \p First.
StepId BarrierGraph::frontOf(const PathStatement &S, const Point &First) {
  auto [It, IsNew] = Fronts.try_emplace({S.Path, S.Statement}, P.Steps.size());
  const auto &Around = First.Where->Around;
  if (IsNew)
    addStep(Step::Kind::Work, S, *First.In,
            llvm::ArrayRef(Around).drop_front(llvm::find(Around, S) -
                                              Around.begin()));
  return It->second;
}

void BarrierGraph::addPoints() {
  for (std::vector<Point> &Own : Points)
    for (Point &Each : Own) {
      // So that steps have the order of the text. A full expression of which
      // a part comes first begins with that.
      llvm::ArrayRef<PathStatement> Around(Each.Where->Around);
      if (Each.Where->IsBesideBarrier && !Around.empty())
        Around = Around.drop_back();
      for (const PathStatement &S : Around)
        if (!Steps.count(Key{S.Path, S.Statement, 0}))
          frontOf(S, Each);
      Each.Step = stepOf(Each);
      Regions[Each.Step].Points.push_back(&Each);
    }
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

void BarrierGraph::link(StepId From, StepId To) {
  if (!llvm::is_contained(P.Steps[From].Successors, To))
    P.Steps[From].Successors.push_back(To);
}

/// Control goes from \p From, or the entry, to \p To, and closes the loops
/// \p Closed on the way.
void BarrierGraph::addEdge(const Point *From, const Point &To,
                           llvm::ArrayRef<const Stmt *> Closed) {
  const auto &Inside = To.Where->Around;
  size_t Common = 0;
  if (From) {
    const auto &Before = From->Where->Around;
    while (Common < Inside.size() && Common < Before.size() &&
           Inside[Common] == Before[Common])
      ++Common;
  }
  // What a loop has inside begins anew in its next iteration.
  bool IsAgain = false;
  for (size_t I = 0; I < Common; ++I)
    if (llvm::is_contained(Closed, Inside[I].Statement)) {
      Common = I + 1;
      IsAgain = true;
    }
  StepId Last = From ? From->Step : SharedProgram::Entry;
  const bool IsBarrier = P.Steps[To.Step].What == Step::Kind::Barrier;
  if (From && Last == To.Step && !IsBarrier && !IsAgain)
    return; // Inside of the step.
  if (From && Last != To.Step)
    Exits[Last].insert(&To);
  for (; Common < Inside.size(); ++Common) {
    if (To.Where->IsBesideBarrier && Common + 1 == Inside.size())
      break; // Its own step begins it.
    const StepId Front = frontOf(Inside[Common], To);
    Entries[Front].insert(&To);
    link(Last, Front);
    Last = Front;
  }
  // A part of its statement is in front of it.
  if (To.Where->IsBesideBarrier && Common == Inside.size() && !IsAgain)
    IsInMiddle[To.Step] = true;
  Entries[To.Step].insert(&To);
  link(Last, To.Step);
}

void BarrierGraph::addExit(const Point *From, const ir::Block &Last) {
  const StepId Step = From ? From->Step : SharedProgram::Entry;
  if (Last.Terminator == ir::Block::Leave && Last.Where.Node)
    P.Steps[Step].Returns.push_back(Last.Where.Node);
  if (From) {
    Exits[Step].insert(nullptr);
    const bool EndsGrid =
        From->Operation &&
        From->In->Operations[*From->Operation].What == ir::Operation::Opaque &&
        From->In->Operations[*From->Operation].Extent >= ir::Scope::Device;
    P.Steps[Step].MayLeave |=
        !EndsGrid && (P.HasPartialBarriers || Meetings->leavesOthers(Last));
  }
  link(Step, SharedProgram::Exit);
}

/// Follows the ways from the end of \p B to the next points.
void BarrierGraph::connectBehind(const Point *From, const ir::Block &B) {
  struct Way {
    const ir::Block *At;
    llvm::SmallVector<const Stmt *, 2> Closed;
  };
  std::vector<Way> Ahead = {{&B, {}}};
  llvm::DenseSet<const ir::Block *> Seen;
  while (!Ahead.empty()) {
    const Way Now = Ahead.back();
    Ahead.pop_back();
    for (const ir::Block *Next : successorsOf(*Now.At)) {
      if (Next == F.exit()) {
        addExit(From, *Now.At);
        continue;
      }
      auto Closed = Now.Closed;
      if (Now.At->ClosedLoop.Node)
        Closed.push_back(Now.At->ClosedLoop.Node);
      if (!Points[Next->Id].empty())
        addEdge(From, Points[Next->Id].front(), Closed);
      else if (Seen.insert(Next).second)
        Ahead.push_back({Next, Closed});
    }
  }
}

void BarrierGraph::connect() {
  const ir::Block &Entry = *F.entry();
  if (Points[Entry.Id].empty())
    connectBehind(nullptr, Entry);
  else
    addEdge(nullptr, Points[Entry.Id].front(), {});
  for (const std::unique_ptr<ir::Block> &B : F.blocks()) {
    const std::vector<Point> &Own = Points[B->Id];
    for (size_t I = 1; I < Own.size(); ++I)
      addEdge(&Own[I - 1], Own[I], {});
    if (!Own.empty())
      connectBehind(&Own.back(), *B);
  }
}

//===----------------------------------------------------------------------===//
// Who goes where
//===----------------------------------------------------------------------===//

/// Refuses barriers under conditions that differ between threads, and notes
/// where threads may not be together.
void BarrierGraph::judge(const BlockUniformity &U) {
  Meetings = std::make_unique<Convergence>(F, U, [&](const ir::Block &B) {
    return !B.Operations.empty() && Overlay.isBarrier(B.Operations.back());
  });
  for (const Parting &Each : Meetings->partings()) {
    const TextPlace *Where = Points[Each.At->Id].empty()
                                 ? nullptr
                                 : Points[Each.At->Id].back().Where;
    // A statement with a barrier inside, at whose condition others leave it for
    // the end of the kernel.
    const bool IsAround = Each.Leaves && Where && !Where->Around.empty() &&
                          isa<Expr>(Where->At.Statement);
    if (Each.Leaves && !IsAround) {
      Apart.push_back({Each.Early, nullptr});
      // Those that leave may do so by the way that the others take later.
      for (unsigned B : Each.Early.set_bits())
        P.HasPartialBarriers |= Each.Alone.test(B) && !Points[B].empty();
    }
    if (!Each.MissesBarrier && !IsAround)
      continue;
    P.HasPartialBarriers = true;
    Apart.push_back({Each.Alone, Where});
    if (Each.Level == Uniformity::Divergent && !P.Refused) {
      const Stmt *Condition = Each.At->Where.Node;
      const auto *E = dyn_cast_or_null<Expr>(Condition);
      P.Refused = Blocker{Reason::DivergentBarrier, "",
                          E           ? E->getExprLoc()
                          : Condition ? Condition->getBeginLoc()
                                      : F.decl()->getLocation()};
    }
  }
}

/// True if all threads that have not left are at \p B together; if \p In is
/// given, in front of it, to which B belongs.
bool BarrierGraph::areTogether(const ir::Block &B,
                               const PathStatement *In) const {
  return llvm::none_of(Apart, [&](const auto &Each) {
    return Each.first.test(B.Id) &&
           !(In && Each.second && llvm::is_contained(Each.second->Around, *In));
  });
}

void BarrierGraph::finishSteps() {
  for (StepId S = 0; S != P.Steps.size(); ++S) {
    Region &Own = Regions[S];
    Own.IsPassed = Entries[S].size() == 1 && Exits[S].size() == 1;
    const bool IsFront = Own.Points.empty();
    if (S == SharedProgram::Entry || S == SharedProgram::Exit ||
        Entries[S].size() != 1 || IsInMiddle[S] ||
        !Overlay.isInSequence(Own.At))
      continue;
    P.Steps[S].MayFollowBarrier =
        areTogether(*Entries[S].front()->In, IsFront ? &Own.At : nullptr);
  }
}

//===----------------------------------------------------------------------===//
// Inside of steps
//===----------------------------------------------------------------------===//

void BarrierGraph::findInnerLoops() {
  for (const ir::Loop &L : F.loops()) {
    std::optional<StepId> Only;
    bool IsInner = true;
    for (const ir::Block *B : L.Blocks)
      for (const Point &Each : Points[B->Id]) {
        IsInner &= !Only || *Only == Each.Step;
        Only = Each.Step;
      }
    StepOfLoop.push_back(IsInner ? Only : std::nullopt);
  }
}

bool BarrierGraph::isInInnerLoop(StepId S, const ir::Block &B) const {
  return llvm::any_of(llvm::enumerate(F.loops()), [&](auto Each) {
    return StepOfLoop[Each.index()] == S &&
           llvm::is_contained(Each.value().Blocks, &B);
  });
}

bool BarrierGraph::isUnconditional(StepId S, const ir::Block &B) const {
  if (Entries[S].size() != 1)
    return false;
  // A way from \p From to the end of the step, or if given of \p Around, that
  // does not pass \p Target.
  const auto mayAvoid = [&](const ir::Block &From, const ir::Block &Target,
                            const ir::Loop *Around) {
    if (&From == &Target)
      return false;
    llvm::DenseSet<const ir::Block *> Seen = {&From};
    std::vector<const ir::Block *> Ahead = {&From};
    while (!Ahead.empty()) {
      const ir::Block *At = Ahead.back();
      Ahead.pop_back();
      // The step ends in the middle of the block.
      const auto &Here = Points[At->Id];
      if (!Around && llvm::any_of(Here, [&](const Point &Each) {
            return Each.Step != S && (At != &From || Here.back().Step != S);
          }))
        return true;
      for (const ir::Block *Next : successorsOf(*At)) {
        if (Around && Next == Around->Header)
          return true;
        if (Around && !llvm::is_contained(Around->Blocks, Next))
          continue;
        if (!Around && Next == F.exit())
          return true;
        if (Next != &Target && Seen.insert(Next).second)
          Ahead.push_back(Next);
      }
    }
    return false;
  };
  const ir::Block *Target = &B;
  // Loops come after those around them.
  for (size_t I = F.loops().size(); I-- > 0;) {
    const ir::Loop &L = F.loops()[I];
    if (StepOfLoop[I] != S || !llvm::is_contained(L.Blocks, Target))
      continue;
    if (mayAvoid(*L.Header, *Target, &L))
      return false;
    Target = L.Header;
  }
  return !mayAvoid(*Entries[S].front()->In, *Target, nullptr);
}

BarrierGraph::BarrierGraph(const ir::Function &F,
                           const StatementOverlay &Overlay,
                           const BlockUniformity &U, SharedProgram &P)
    : F(F), Overlay(Overlay), P(P) {
  P.Steps.resize(2);
  P.Steps[SharedProgram::Entry].What = Step::Kind::Entry;
  P.Steps[SharedProgram::Exit].What = Step::Kind::Exit;
  Regions.resize(2);
  Entries.resize(2);
  Exits.resize(2);
  IsInMiddle.resize(2);
  findPlaces();
  findBarriers();
  judge(U);
  addPoints();
  connect();
  findInnerLoops();
  finishSteps();
}

} // namespace cudaopt
