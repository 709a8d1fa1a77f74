// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass global-access: makes the threads of a warp read rows of global
/// memory for each other where each of them walks along a row of its own, so
/// that a request touches as few sectors as its bytes fill.
//===----------------------------------------------------------------------===//

#include "StagedRows.h"
#include "cudaopt/Machine/KernelTime.h"
#include "cudaopt/Passes/KernelAnalyses.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Passes/Residency.h"
#include "cudaopt/Support/Diagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace cudaopt {

/// The shared memory that a block may have without asking for more.
static constexpr uint64_t MaxSharedBytes = 48 << 10;
/// The bytes of a row in a tile: those of a line, which one request reads.
static constexpr unsigned MaxRowBytes = 128;
/// The columns of a tile: fewer would not pay for their barriers.
static constexpr unsigned MinColumns = 8;
/// A kernel must take at most this part of its time. What is predicted of
/// accesses to global memory is right within some 10%.
static constexpr double MostOfTime = 0.9;

/// What an iteration costs a warp in place of a request of its own: a load and
/// a store of a copied element, and a load of it from the tile.
static constexpr double AddedInstructions = 3, AddedWavefronts = 2;

namespace {

/// A walk, with what its requests cost.
struct CountedWalk {
  RowWalk Walk;
  double Requests = 0, Sectors = 0, Least = 0; ///< Of a block.
};

/// Plans the staging of the walks of one kernel.
class StagingPlanner {
public:
  StagingPlanner(const PassInput &In, const Plan &Earlier)
      : In(In), Earlier(Earlier), Context(In.K.Decl->getASTContext()),
        SM(Context.getSourceManager()) {}

  std::vector<RewriteDecision> plan();

private:
  const GlobalAccess *findFar(const Expr &E, const KernelWork &Work) const;
  std::vector<CountedWalk> findWalks(const KernelInstance &I) const;
  void merge(std::vector<CountedWalk> Others);
  std::optional<uint64_t> countTaken() const;
  std::optional<TileShape> chooseTile(const RowWalk &Walk,
                                      uint64_t Taken) const;
  std::optional<Refusal> findNoSpeedup(const CountedWalk &Walk,
                                       uint64_t Bytes) const;
  RewriteDecision decide(CountedWalk Walk);

  const PassInput &In;
  const Plan &Earlier;
  ASTContext &Context;
  const SourceManager &SM;
  std::vector<const KernelInstance *> Known; ///< Of known launches.
  std::vector<CountedWalk> Walks;
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

/// Finds the walks of \p I, and what their requests cost.
std::vector<CountedWalk>
StagingPlanner::findWalks(const KernelInstance &I) const {
  const std::optional<KernelWork> &Work = In.Analyses.work(I);
  if (!Work || llvm::none_of(Work->GlobalAccesses, [](const auto &Each) {
        return Each.Lanes.Order == LaneOrder::Far;
      }))
    return {};
  // The kernel tests whether blocks have this shape.
  const uint32_t One = isInRow(I.Block);
  const std::array<uint32_t, 3> Threads = {0, One, One};
  std::vector<CountedWalk> Found;
  for (RowWalk &Each : findRowWalks(I.Decl, Threads, [&](const Expr &E) {
         return findFar(E, *Work) != nullptr;
       })) {
    CountedWalk Counted;
    for (const RowLoad &Load : Each.Loads)
      if (const GlobalAccess *Access = findFar(*Load.Element, *Work)) {
        Counted.Requests += Access->Requests;
        Counted.Sectors += Access->Sectors;
        Counted.Least += Access->Least;
      }
    Counted.Walk = std::move(Each);
    Found.push_back(std::move(Counted));
  }
  return Found;
}

/// Takes over the walks of another instance: what is refused in one instance is
/// refused, as all share the text, and what one of them lacks is dropped.
void StagingPlanner::merge(std::vector<CountedWalk> Others) {
  llvm::erase_if(Walks, [&](CountedWalk &Each) {
    const auto Same = llvm::find_if(Others, [&](const CountedWalk &Other) {
      return Other.Walk.Loop->getBeginLoc() == Each.Walk.Loop->getBeginLoc() &&
             llvm::equal(Other.Walk.Loads, Each.Walk.Loads,
                         [](const RowLoad &A, const RowLoad &B) {
                           return A.Row == B.Row &&
                                  A.Element->getBeginLoc() ==
                                      B.Element->getBeginLoc();
                         });
    });
    if (Same == Others.end())
      return true;
    if (!Each.Walk.Refused)
      Each.Walk.Refused = Same->Walk.Refused;
    for (auto [Mine, Its] :
         llvm::zip_equal(Each.Walk.Loads, Same->Walk.Loads)) {
      Mine.MayWrap |= Its.MayWrap;
      Mine.Width = std::max(Mine.Width, Its.Width);
    }
    // A store that is known to be apart in one instance may not be in another.
    if (Same->Walk.Stores.size() > Each.Walk.Stores.size())
      Each.Walk.Stores = Same->Walk.Stores;
    return false;
  });
}

/// Returns the static and dynamic shared memory that a block has without tiles,
/// in bytes, at most; std::nullopt if a launch decides.
std::optional<uint64_t> StagingPlanner::countTaken() const {
  uint64_t Most = 0;
  if (llvm::any_of(In.K.Arrays,
                   [](const SharedArray &A) { return A.IsExtern; }))
    return std::nullopt;
  const BlockNeeds Needs = findNeeds(In.K, Earlier.Layouts);
  for (const KernelInstance *I : Known)
    Most = std::max(Most,
                    Needs.bytesOf(*I) + I->Block.DynamicBytes.value_or(0));
  return Most;
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
  Tile.Columns = std::min(WarpSize, MaxRowBytes / Tile.ElementBytes);
  while (Taken + Tile.bytes(Walk.NumRows) > MaxSharedBytes &&
         Tile.Columns >= MinColumns)
    Tile.Columns /= 2;
  return Tile.Columns < MinColumns ? std::nullopt : std::optional(Tile);
}

/// Returns why the kernel does not become faster when the loads of \p Walk are
/// staged in \p Bytes of shared memory.
std::optional<Refusal> StagingPlanner::findNoSpeedup(const CountedWalk &Walk,
                                                     uint64_t Bytes) const {
  double Sum = 0;
  unsigned Count = 0;
  for (const KernelInstance *I : Known) {
    std::optional<KernelWork> Work = In.Analyses.work(*I);
    BlockNeeds Needs = findNeeds(In.K, Earlier.Layouts);
    const auto Before = findResidency(In.K, *I, In.T, Needs);
    Needs.StaticBytes[I] += Bytes;
    const auto After = findResidency(In.K, *I, In.T, Needs);
    if (!Work || !Before || !After)
      continue;
    const double Old = predictTime(*Work, *Before, *In.T.Speed).Cycles;
    // Each sector was in a line of its own.
    Work->GlobalLines -= Walk.Sectors - Walk.Requests;
    Work->RequestedSectors -= Walk.Sectors - Walk.Least;
    Work->SharedRequests += AddedWavefronts * Walk.Requests;
    Work->SharedWavefronts += AddedWavefronts * Walk.Requests;
    Work->Instructions.Issued += AddedInstructions * Walk.Requests;
    Sum += predictTime(*Work, *After, *In.T.Speed).Cycles / Old;
    ++Count;
  }
  const double Ratio = Count ? Sum / Count : 1;
  if (Ratio <= MostOfTime)
    return std::nullopt;
  return Refusal{Reason::WalkGain,
                 llvm::formatv("{0:F2} of the time is predicted", Ratio),
                 Walk.Walk.Loop->getBeginLoc()};
}

RewriteDecision StagingPlanner::decide(CountedWalk Counted) {
  RowWalk &Walk = Counted.Walk;
  const SourceLocation Loc = Walk.Loop->getBeginLoc();
  TileShape Tile;
  const auto findRefusal = [&]() -> std::optional<Refusal> {
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
    const std::optional<TileShape> Fitting =
        chooseTile(Walk, *Others + TileBytes);
    if (!Fitting)
      return Refusal{
          Reason::TileSpace,
          std::to_string(MaxSharedBytes -
                         std::min(MaxSharedBytes, *Others + TileBytes)) +
              " bytes of shared memory are left",
          Loc};
    Tile = *Fitting;
    return findNoSpeedup(Counted, TileBytes + Tile.bytes(Walk.NumRows));
  };
  std::optional<Refusal> Refused = findRefusal();
  const SectorChange Sectors = {Counted.Sectors / Counted.Requests,
                                Counted.Least / Counted.Requests};
  const unsigned Number = Staged.size();
  if (!Refused) {
    Staged.push_back(Walk.Loop);
    TileBytes += Tile.bytes(Walk.NumRows);
  }
  return {std::make_shared<StagedRows>(std::move(Walk), Tile, Number, Sectors),
          std::move(Refused)};
}

std::vector<RewriteDecision> StagingPlanner::plan() {
  for (const std::unique_ptr<KernelInstance> &I : In.K.Instances)
    if (!I->Block.IsUnseen && I->Block.isKnown() &&
        I->Block.Origin != ShapeOrigin::Assumed)
      Known.push_back(I.get());
  for (const KernelInstance *I : Known) {
    std::vector<CountedWalk> Found = findWalks(*I);
    if (I == Known.front())
      Walks = std::move(Found);
    else
      merge(std::move(Found));
  }
  std::vector<RewriteDecision> Decisions;
  for (CountedWalk &Each : Walks)
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
