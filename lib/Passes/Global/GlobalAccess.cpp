// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass global-access: makes the threads of a warp read rows of global
/// memory for each other where each of them walks along a row of its own, so
/// that a request touches as few sectors as its bytes fill.
//===----------------------------------------------------------------------===//

#include "StagedRows.h"
#include "cudaopt/Machine/KernelTime.h"
#include "cudaopt/Model/KernelCode.h"
#include "cudaopt/Passes/KernelAnalyses.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Passes/Residency.h"
#include "cudaopt/Support/Diagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace cudaopt {

/// The bytes of a row in a tile: those of a line, which one request reads.
static constexpr unsigned MaxRowBytes = 128;
/// The columns of a tile: fewer would not pay for their barriers.
static constexpr unsigned MinColumns = 8;
/// A kernel must take at most this part of its time. What is predicted of
/// accesses to global memory is right within some 10%.
static constexpr double MostOfTime = 0.9;

/// What an iteration costs a warp more than its own load: the store of a copied
/// element to the tile, the load from there, and an address; two of these are
/// wavefronts of shared memory.
static constexpr double AddedInstructions = 3, AddedWavefronts = 2;

/// The registers of a thread that a kernel needs beside those of its tiles.
static constexpr unsigned OtherRegisters = 40;

namespace {

/// What the requests of a walk cost in a block.
struct WalkCost {
  double Requests = 0, Sectors = 0, Least = 0;
};

/// A walk, as each instance of the kernel has it.
struct FoundWalk {
  RowWalk Walk; ///< Of all instances together.
  std::vector<RowWalk> OfInstances;
};

/// Plans the staging of the walks of one kernel.
class StagingPlanner {
public:
  StagingPlanner(const PassInput &In, const Plan &Earlier)
      : In(In), Context(In.K.Decl->getASTContext()),
        SM(Context.getSourceManager()), MaxBytes(In.T.SharedPerBlock),
        Needs(findNeeds(In.K, Earlier.Layouts)) {}

  std::vector<RewriteDecision> plan();

private:
  const GlobalAccess *findFar(const Expr &E, const KernelWork &Work) const;
  bool isFar(const Expr &E) const;
  WalkCost costOf(const RowWalk &Walk, const KernelInstance &I) const;
  void findWalks();
  void merge(RowWalk Found);
  std::optional<uint64_t> countTaken() const;
  std::optional<TileShape> chooseTile(const RowWalk &Walk,
                                      uint64_t Taken) const;
  unsigned columnsFor(const RowWalk &Walk, const TileShape &Tile) const;
  std::optional<Refusal> findNoSpeedup(const RowWalk &Walk,
                                       uint64_t Bytes) const;
  std::optional<Refusal> findRefusal(const RowWalk &Walk,
                                     TileShape &Tile) const;
  RewriteDecision decide(FoundWalk Found);

  const PassInput &In;
  ASTContext &Context;
  const SourceManager &SM;
  const uint64_t MaxBytes; ///< Of the shared memory of a block.
  const BlockNeeds Needs;  ///< Of blocks without tiles.
  std::vector<const KernelInstance *> Known; ///< Of known launches.
  std::vector<FoundWalk> Walks;
  std::vector<const ForStmt *> Staged;
  uint64_t TileBytes = 0; ///< Of the loops in Staged.
};

} // namespace

/// Returns true if blocks extend in x only.
static bool isInRow(const BlockShape &Block) {
  return Block.Threads[1] == 1 && Block.Threads[2] == 1;
}

/// Returns the access of \p Work that \p E makes, if its lanes are far apart.
const GlobalAccess *StagingPlanner::findFar(const Expr &E,
                                            const KernelWork &Work) const {
  const SourceLocation Loc = SM.getExpansionLoc(E.getExprLoc());
  const PresumedLoc At = SM.getPresumedLoc(Loc);
  for (const GlobalAccess &Each : Work.GlobalAccesses)
    if (Each.What == GlobalAccess::Load && Each.Lanes.Order == LaneOrder::Far &&
        Each.Requests > 0 && Each.Line == At.getLine() &&
        Each.Column == At.getColumn() &&
        Each.File == llvm::sys::path::filename(At.getFilename()))
      return &Each;
  return nullptr;
}

/// Returns true if the lanes of \p E are far apart in some launch.
bool StagingPlanner::isFar(const Expr &E) const {
  return llvm::any_of(Known, [&](const KernelInstance *I) {
    const std::optional<KernelWork> &Work = In.Analyses.work(*I);
    return Work && findFar(E, *Work);
  });
}

/// Returns what the requests of \p Walk cost in a block of \p I.
WalkCost StagingPlanner::costOf(const RowWalk &Walk,
                                const KernelInstance &I) const {
  WalkCost Cost;
  llvm::SmallPtrSet<const GlobalAccess *, 4> Counted;
  if (const std::optional<KernelWork> &Work = In.Analyses.work(I))
    for (const RowLoad &Load : Walk.Loads)
      if (const GlobalAccess *Access = findFar(*Load.Element, *Work);
          Access && Counted.insert(Access).second) {
        Cost.Requests += Access->Requests;
        Cost.Sectors += Access->Sectors;
        Cost.Least += Access->Least;
      }
  return Cost;
}

/// Adds what another instance of the kernel has found: all share the text, so
/// that it must be right for each.
void StagingPlanner::merge(RowWalk Found) {
  const auto Known = llvm::find_if(Walks, [&](const FoundWalk &Each) {
    return Each.Walk.Loop->getBeginLoc() == Found.Loop->getBeginLoc();
  });
  if (Known == Walks.end()) {
    Walks.push_back({Found, {Found}});
    return;
  }
  RowWalk &All = Known->Walk;
  const auto isSameLoad = [](const RowLoad &A, const RowLoad &B) {
    return A.Row == B.Row &&
           A.Element->getBeginLoc() == B.Element->getBeginLoc();
  };
  if (!All.Refused)
    All.Refused = Found.Refused;
  if (!All.Refused && !llvm::equal(All.Loads, Found.Loads, isSameLoad))
    All.Refused = {Reason::WalkForm,
                   "instances of the template read different elements",
                   All.Loop->getBeginLoc()};
  if (!All.Refused)
    for (auto [Mine, Its] : llvm::zip_equal(All.Loads, Found.Loads)) {
      Mine.MayWrap |= Its.MayWrap;
      Mine.Width = std::max(Mine.Width, Its.Width);
    }
  for (const Expr *Store : Found.Stores)
    if (llvm::none_of(All.Stores, [&](const Expr *Mine) {
          return Mine->getSourceRange() == Store->getSourceRange();
        }))
      All.Stores.push_back(Store);
  Known->OfInstances.push_back(std::move(Found));
}

/// Finds the walks of all instances, those of launches that are not known
/// included.
void StagingPlanner::findWalks() {
  // The kernel tests whether blocks have this shape.
  const uint32_t One = llvm::all_of(
      Known, [](const KernelInstance *I) { return isInRow(I->Block); });
  const std::array<uint32_t, 3> Threads = {0, One, One};
  llvm::SmallPtrSet<const FunctionDecl *, 4> Seen;
  for (const std::unique_ptr<KernelInstance> &I : In.K.Instances)
    if (Seen.insert(I->Decl).second)
      for (RowWalk &Each : findRowWalks(
               I->Decl, Threads, [this](const Expr &E) { return isFar(E); }))
        merge(std::move(Each));
  for (FoundWalk &Each : Walks)
    if (!Each.Walk.Refused && Each.OfInstances.size() != Seen.size())
      Each.Walk.Refused = {Reason::WalkForm,
                           "an instance of the template has no such loop",
                           Each.Walk.Loop->getBeginLoc()};
}

/// Returns the static and dynamic shared memory that a block has without tiles,
/// in bytes, at most; std::nullopt if a launch decides.
std::optional<uint64_t> StagingPlanner::countTaken() const {
  uint64_t Most = 0;
  for (const std::unique_ptr<KernelInstance> &I : In.K.Instances) {
    const ir::Function *F = I->Code ? I->Code->live() : nullptr;
    if (!F || (!I->Block.IsUnseen && !I->Block.DynamicBytes))
      return std::nullopt;
    for (ir::ObjectId Id = 0; Id != F->numObjects(); ++Id)
      if (F->object(Id).What == ir::Object::DynamicShared)
        return std::nullopt;
    Most =
        std::max(Most, Needs.bytesOf(*I) + I->Block.DynamicBytes.value_or(0));
  }
  return Most;
}

/// Returns the most columns for which the threads of the largest block have
/// registers: each element that is on its way takes one or two.
unsigned StagingPlanner::columnsFor(const RowWalk &Walk,
                                    const TileShape &Tile) const {
  uint32_t LargestBlock = 1; // Of the launches of this file.
  for (const std::unique_ptr<KernelInstance> &I : In.K.Instances)
    if (!I->Block.IsUnseen)
      LargestBlock =
          std::max(LargestBlock, I->Block.isKnown() ? I->Block.numThreads()
                                                    : I->Block.MaxThreads);
  const unsigned Left =
      std::min(RegistersPerThread, RegistersPerSM / LargestBlock);
  if (Left <= OtherRegisters)
    return 0;
  const unsigned Words = std::max(1u, Tile.ElementBytes / 4) * Walk.NumRows;
  return std::min({WarpSize, MaxRowBytes / Tile.ElementBytes,
                   llvm::bit_floor((Left - OtherRegisters) / Words)});
}

/// Chooses the widest tile that fits beside \p Taken bytes.
std::optional<TileShape> StagingPlanner::chooseTile(const RowWalk &Walk,
                                                    uint64_t Taken) const {
  TileShape Tile;
  for (const KernelInstance *Each : Known) {
    Tile.MaxThreads =
        std::max(Tile.MaxThreads,
                 unsigned(llvm::alignTo(Each->Block.numThreads(), WarpSize)));
    Tile.IsInRow &= isInRow(Each->Block);
  }
  for (const RowLoad &Load : Walk.Loads)
    Tile.ElementBytes = std::max(Tile.ElementBytes, Load.Width);
  Tile.Columns = columnsFor(Walk, Tile);
  while (Taken + Tile.bytes(Walk.NumRows) > MaxBytes &&
         Tile.Columns >= MinColumns)
    Tile.Columns /= 2;
  return Tile.Columns < MinColumns ? std::nullopt : std::optional(Tile);
}

/// Returns why the kernel does not become faster when the loads of \p Walk are
/// staged in \p Bytes of shared memory.
std::optional<Refusal> StagingPlanner::findNoSpeedup(const RowWalk &Walk,
                                                     uint64_t Bytes) const {
  double Sum = 0;
  unsigned Count = 0;
  for (const KernelInstance *I : Known) {
    std::optional<KernelWork> Work = In.Analyses.work(*I);
    BlockNeeds WithTiles = Needs;
    WithTiles.StaticBytes[I] += Bytes;
    const auto Before = findResidency(In.K, *I, In.T, Needs);
    const auto After = findResidency(In.K, *I, In.T, WithTiles);
    if (!Work || !Before || !After)
      continue;
    const double Old = predictTime(*Work, *Before, *In.T.Speed).Cycles;
    const WalkCost Cost = costOf(Walk, *I);
    // Each sector was in a line of its own; now a request reads one line.
    Work->GlobalLines -= Cost.Sectors - Cost.Requests;
    Work->RequestedSectors -= Cost.Sectors - Cost.Least;
    Work->SharedRequests += AddedWavefronts * Cost.Requests;
    Work->SharedWavefronts += AddedWavefronts * Cost.Requests;
    Work->Instructions.Issued += AddedInstructions * Cost.Requests;
    Sum += predictTime(*Work, *After, *In.T.Speed).Cycles / Old;
    ++Count;
  }
  const double Ratio = Count ? Sum / Count : 1;
  if (Ratio <= MostOfTime)
    return std::nullopt;
  return Refusal{Reason::WalkGain,
                 llvm::formatv("{0:F2} of the time is predicted", Ratio),
                 Walk.Loop->getBeginLoc()};
}

/// Returns why the loads of \p Walk are not staged. Chooses the \p Tile
/// otherwise.
std::optional<Refusal> StagingPlanner::findRefusal(const RowWalk &Walk,
                                                   TileShape &Tile) const {
  const SourceLocation Loc = Walk.Loop->getBeginLoc();
  if (Walk.Refused)
    return Walk.Refused;
  if (llvm::any_of(Staged, [&](const ForStmt *Inner) {
        return SM.isPointWithin(Inner->getBeginLoc(), Loc,
                                Walk.Loop->getEndLoc());
      }))
    return Refusal{Reason::WalkEffect, "a loop inside of it is staged", Loc};
  const std::optional<uint64_t> Others = countTaken();
  if (!Others)
    return Refusal{Reason::TileSpace,
                   "launches decide how much shared memory is left", Loc};
  const uint64_t Taken = std::min(MaxBytes, *Others + TileBytes);
  const std::optional<TileShape> Fitting = chooseTile(Walk, Taken);
  if (!Fitting)
    return Refusal{Reason::TileSpace,
                   std::to_string(MaxBytes - Taken) +
                       " bytes of shared memory are left, and the registers of "
                       "the largest block",
                   Loc};
  Tile = *Fitting;
  return findNoSpeedup(Walk, TileBytes + Tile.bytes(Walk.NumRows));
}

RewriteDecision StagingPlanner::decide(FoundWalk Found) {
  RowWalk &Walk = Found.Walk;
  TileShape Tile;
  std::optional<Refusal> Refused = findRefusal(Walk, Tile);
  WalkCost Cost;
  for (const KernelInstance *I : Known)
    if (Cost.Requests == 0)
      Cost = costOf(Walk, *I);
  const SectorChange Sectors = {Cost.Sectors / Cost.Requests,
                                Cost.Least / Cost.Requests};
  const unsigned Number = Staged.size();
  if (!Refused) {
    Staged.push_back(Walk.Loop);
    TileBytes += Tile.bytes(Walk.NumRows);
  }
  for (RowWalk &Each : Found.OfInstances)
    Each.Stores = Walk.Stores;
  return {std::make_shared<StagedRows>(std::move(Walk),
                                       std::move(Found.OfInstances), Tile,
                                       Number, Sectors),
          std::move(Refused)};
}

std::vector<RewriteDecision> StagingPlanner::plan() {
  for (const std::unique_ptr<KernelInstance> &I : In.K.Instances)
    if (!I->Block.IsUnseen && I->Block.isKnown() &&
        I->Block.Origin != ShapeOrigin::Assumed)
      Known.push_back(I.get());
  // Most kernels have no such access, and are not looked at further.
  if (llvm::any_of(Known, [this](const KernelInstance *I) {
        const std::optional<KernelWork> &Work = In.Analyses.work(*I);
        return Work && llvm::any_of(Work->GlobalAccesses, [](const auto &Each) {
                 return Each.Lanes.Order == LaneOrder::Far;
               });
      }))
    findWalks();
  std::vector<RewriteDecision> Decisions;
  for (FoundWalk &Each : Walks)
    Decisions.push_back(decide(std::move(Each)));
  return Decisions;
}

Plan planGlobalAccess(const PassInput &In, const Plan &Earlier) {
  Plan P = Earlier;
  if (In.K.Decl->hasAttr<CUDAGlobalAttr>())
    llvm::append_range(P.Rewrites, StagingPlanner(In, Earlier).plan());
  return P;
}

} // namespace cudaopt
