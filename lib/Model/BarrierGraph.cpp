// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the steps of a kernel from the blocks of its IR.
///
/// Each operation, and each branch at the end of a block, is a point. The
/// points of one statement without a barrier inside form one step; a statement
/// with barriers inside gets a step in front of it, so that a barrier can be
/// inserted there, and steps for its parts. Edges follow the control flow from
/// point to point. Convergence then tells where all threads of the block are
/// together.
//===----------------------------------------------------------------------===//

#include "BarrierGraph.h"
#include "Induction.h"

#include "cudaopt/IR/Graph.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// The iterations assumed for a loop of unknown length.
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

/// Collects the points of each block. An operation without text of its own,
/// like the construction of a default argument, counts to the point in front of
/// it, or else to the one behind it.
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

/// Notes the barriers of each full expression, and the loops with barriers
/// inside.
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

/// Adds a step for \p At, whose loop depth and weight are those of block \p In,
/// without the loops that are among the statements \p Inside.
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

/// Returns the step of point \p At. In a full expression with barriers, points
/// are told apart by the number of barriers in front of them.
StepId BarrierGraph::stepOf(const Point &At) {
  const TextPlace &Where = *At.Where;
  if (At.Operation && Overlay.isBarrier(At.In->Operations[*At.Operation]))
    return addStep(Step::Kind::Barrier, Where.At, *At.In, {});
  // The number of the expression's barriers in front of the point.
  unsigned Part = 0;
  if (Where.IsBesideBarrier) {
    // Building the dominator tree does not change the graph.
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

/// Returns the step in front of \p S, a statement with barriers inside that
/// control enters at \p First.
StepId BarrierGraph::frontOf(const PathStatement &S, const Point &First) {
  auto [It, IsNew] = Fronts.try_emplace({S.Path, S.Statement}, P.Steps.size());
  const auto &Around = First.Where->Around;
  if (IsNew)
    addStep(Step::Kind::Work, S, *First.In,
            llvm::ArrayRef(Around).drop_front(llvm::find(Around, S) -
                                              Around.begin()));
  return It->second;
}

/// Assigns each point to a step, making the steps on the way.
void BarrierGraph::addPoints() {
  for (std::vector<Point> &Own : Points)
    for (Point &Each : Own) {
      // Front steps are made first, so that steps have the order of the text. A
      // full expression whose first part has no barrier begins with the step of
      // that part instead.
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

/// Adds the steps' edges for control that goes from \p From, or the entry if
/// that is null, to \p To, and on the way closes the iteration of the loops
/// \p Closed.
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
  // In the next iteration of a loop, the statements inside of it are entered
  // anew.
  bool IsAgain = false;
  for (size_t I = 0; I < Common; ++I)
    if (llvm::is_contained(Closed, Inside[I].Statement)) {
      Common = I + 1;
      IsAgain = true;
    }
  StepId Last = From ? From->Step : SharedProgram::Entry;
  const bool IsBarrier = P.Steps[To.Step].What == Step::Kind::Barrier;
  if (From && Last == To.Step && !IsBarrier && !IsAgain)
    return; // The edge stays inside of the step.
  if (From && Last != To.Step)
    Exits[Last].insert(&To);
  for (; Common < Inside.size(); ++Common) {
    if (To.Where->IsBesideBarrier && Common + 1 == Inside.size())
      break; // The expression begins with the step of To itself.
    const StepId Front = frontOf(Inside[Common], To);
    Entries[Front].insert(&To);
    link(Last, Front);
    Last = Front;
  }
  // Another part of the same statement is in front of this step.
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

/// Follows the control flow from the end of \p B, through blocks without
/// points, to the next points.
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

/// Adds an edge for every pair of points of which control may go from the first
/// to the second directly.
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

/// Refuses barriers under conditions that differ between threads, and notes the
/// blocks in which the threads may not be together.
void BarrierGraph::judge(const BlockUniformity &U) {
  Meetings = std::make_unique<Convergence>(F, U, [&](const ir::Block &B) {
    return !B.Operations.empty() && Overlay.isBarrier(B.Operations.back());
  });
  for (const Parting &Each : Meetings->partings()) {
    const TextPlace *Where = Points[Each.At->Id].empty()
                                 ? nullptr
                                 : Points[Each.At->Id].back().Where;
    // A statement with a barrier inside, at whose condition other threads leave
    // it for the end of the kernel: these have returned, and the barrier does
    // not wait for them.
    const bool IsAround = Each.Leaves && Where && !Where->Around.empty() &&
                          isa<Expr>(Where->At.Statement);
    if (Each.Leaves && !IsAround) {
      Apart.push_back({Each.Early, nullptr});
      // The leaving threads may take a path with operations that the others
      // take later.
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
      P.Refused = Refusal{Reason::DivergentBarrier, "",
                          E           ? E->getExprLoc()
                          : Condition ? Condition->getBeginLoc()
                                      : F.decl()->getLocation()};
    }
  }
}

/// Returns true if all threads that have not left are at \p B together. With
/// \p In, asks about the place in front of that statement, to which B belongs:
/// a condition inside of it does not matter then.
bool BarrierGraph::areTogether(const ir::Block &B,
                               const PathStatement *In) const {
  return llvm::none_of(Apart, [&](const auto &Each) {
    return Each.first.test(B.Id) &&
           !(In && Each.second && llvm::is_contained(Each.second->Around, *In));
  });
}

/// Decides what depends on all edges: whether a step is passed as a whole, and
/// whether a barrier may go in front of it.
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

/// Finds the loops that are part of a single step.
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
  // Returns true if there is a path from \p From to the end of the step, or to
  // the end of the iteration of \p Around if that is given, that does not pass
  // \p Target.
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
  // Innermost loops first (they come after those around them): each iteration
  // must reach the target; then the loop's header becomes the target.
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
