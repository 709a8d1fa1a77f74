// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks a plan: costs by running every thread and counting its warp's
/// requests.
//===----------------------------------------------------------------------===//

#include "cudaopt/Transforms/Verify.h"

#include "cudaopt/Transforms/KernelInterpreter.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace clang;
using namespace cudaopt;

/// Statements that are interpreted for one kernel, at most: some 0.3 s.
static constexpr uint64_t MaxSteps = 2'000'000;
/// A grid of more blocks, or one that takes more steps, is sampled.
static constexpr uint64_t MaxBlocks = 4096;
static constexpr uint64_t NumSampledBlocks = 64;
static constexpr uint64_t NumSampledSteps = 500'000;

template <typename... Ts>
static llvm::Error makeError(const char *Format, Ts &&...Arguments) {
  return llvm::createStringError(
      llvm::formatv(Format, std::forward<Ts>(Arguments)...).str());
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Returns true if the layout of \p Array changes in \p Instance.
static bool isRewritten(const Plan &P, const KernelInstance &Instance,
                        ArrayId Array) {
  auto Decision = P.Layouts.find(Array);
  return Decision != P.Layouts.end() && Decision->second.isRewritten() &&
         !Instance.Shapes[Array].Extents.empty();
}

static llvm::Error
verifyLayouts(const Kernel &K, const KernelInstance &Instance, const Plan &P) {
  for (const auto &[Array, Decision] : P.Layouts) {
    if (!isRewritten(P, Instance, Array))
      continue;
    std::vector<const Access *> Accesses;
    for (const Access &A : Instance.Accesses)
      if (A.Array == Array)
        Accesses.push_back(&A);
    if (llvm::Error Violated =
            verifyLayout(Decision.New, Instance.Shapes[Array], Accesses,
                         K.Arrays[Array].Name))
      return Violated;
  }
  return llvm::Error::success();
}

/// Checks that a block of \p Instance still gets its shared memory, and where
/// the storage changes with the layouts, that as many fit on a multiprocessor.
/// What an `extern` array has is the launch's affair: it must not grow.
static llvm::Error verifySize(const Kernel &K, const KernelInstance &Instance,
                              const Plan &P, const Target &T,
                              const StoredBlock &Block) {
  uint64_t Bytes = Instance.StaticSharedBytes;
  for (const auto &[Array, Decision] : P.Layouts) {
    if (!isRewritten(P, Instance, Array))
      continue;
    const ArrayShape &Shape = Instance.Shapes[Array];
    uint64_t OldBytes = Shape.ElementSize;
    for (uint64_t Extent : Shape.Extents)
      OldBytes *= Extent;
    uint64_t NewBytes = Decision.New.bytes(Shape);
    if (!K.Arrays[Array].IsExtern)
      Bytes += NewBytes - OldBytes;
    else if (NewBytes > OldBytes)
      return makeError("'{0}' needs {1} bytes, and the launch gives {2}",
                       K.Arrays[Array].Name, NewBytes, OldBytes);
  }
  // Where variables share bytes, a shape that is only assumed says nothing: the
  // instance of unknown shape beside it has the same variables and is checked.
  if (P.Reuse && P.Reuse->placesLayouts() && !Block.Bytes)
    return llvm::Error::success();
  Bytes = Block.Bytes.value_or(Bytes);
  if (Bytes > T.SharedPerBlock && Bytes > Instance.StaticSharedBytes)
    return makeError("a block needs {0} bytes of shared memory, more than the "
                     "{1} that it may have",
                     Bytes, T.SharedPerBlock);
  if (!Block.Bytes || Instance.Block.IsUnseen)
    return llvm::Error::success();
  const uint32_t Threads = Instance.Block.isKnown()
                               ? Instance.Block.numThreads()
                               : Instance.Block.MaxThreads;
  const unsigned Fits = blocksPerSM(T, Threads, Bytes);
  const unsigned FitBefore =
      blocksPerSM(T, Threads, Instance.StaticSharedBytes);
  if (Fits < FitBefore)
    return makeError("{0} blocks fit on a multiprocessor instead of {1}", Fits,
                     FitBefore);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Wavefronts
//===----------------------------------------------------------------------===//

namespace {
/// The wavefronts of one array.
struct Recount {
  double Before = 0, After = 0;
  bool IsExact = true;
  bool IsWhole = true;    ///< False if some references cannot be interpreted.
  bool LeavesRow = false; ///< True if a copy along a row does.

  void add(const Recount &Other) {
    Before += Other.Before;
    After += Other.After;
    IsExact &= Other.IsExact;
    IsWhole &= Other.IsWhole;
    LeavesRow |= Other.LeavesRow;
  }
};
using Recounts = llvm::MapVector<ArrayId, Recount>;

/// Counts the wavefronts of the rewritten arrays in one instance.
class Recounter {
public:
  Recounter(const KernelInstance &Instance, const Plan &P, const Target &T,
            const StoredBlock &Block, ASTContext &Context, uint64_t MaxSteps);

  /// Returns the wavefronts per block.
  Recounts recount();
  uint64_t steps() const { return Interpreter.steps(); }

private:
  /// The lanes of a warp in one execution of a reference.
  struct Request {
    unsigned Reference;
    uint32_t ActiveLanes = 0;
    std::array<uint64_t, WarpSize> Elements = {};
  };

  std::optional<Recounts> runBlock(Dim3 BlockIndex);
  bool runWarp(unsigned FirstThread, Dim3 BlockIndex, Recounts &Sum);
  void addLane(unsigned Lane, const Execution &E, Recounts &Sum);
  void count(const Request &R, Recounts &Sum) const;
  bool leavesRow(const Access &A, uint64_t Element) const;
  Recounts zero() const;
  uint64_t affordable(uint64_t NumBlocks) const;

  const KernelInstance &Instance;
  const Plan &P;
  const Target &T;
  const StoredBlock &Block;
  /// By reference: a `+=` is a read and a write.
  std::vector<llvm::SmallVector<const Access *, 2>> Accesses;
  llvm::SmallDenseSet<ArrayId> Untraced;   ///< With other references.
  std::vector<TracedReference> References; ///< Made together with both.
  KernelInterpreter Interpreter;
  const uint64_t StepLimit;
  uint64_t StepsOfBlock = 0; ///< The most so far.

  // The warp that runs.
  std::vector<Execution> Executions;
  std::vector<Request> Requests;
  llvm::DenseMap<std::pair<unsigned, uint32_t>, unsigned> RequestIds;
};
} // namespace

bool cudaopt::namesElement(const Access &A) {
  // The first element of a fragment is named by all lanes.
  if (A.Run && A.Run->Ldm)
    return false;
  const Expr *Base = A.Ref->IgnoreParenImpCasts();
  size_t NumSubscripts = 0;
  while (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Base)) {
    Base = Subscript->getBase()->IgnoreParenImpCasts();
    ++NumSubscripts;
  }
  const auto *Name = dyn_cast<DeclRefExpr>(Base);
  return Name && !isa<ParmVarDecl>(Name->getDecl()) && !A.IsThroughRowPointer &&
         NumSubscripts == A.Subscripts.size();
}

/// Collects the references to rewritten arrays, for each its accesses, and the
/// arrays with references that cannot be traced.
static std::vector<TracedReference>
findReferences(const KernelInstance &Instance, const Plan &P,
               std::vector<llvm::SmallVector<const Access *, 2>> &Accesses,
               llvm::SmallDenseSet<ArrayId> &Untraced) {
  std::vector<TracedReference> References;
  llvm::DenseMap<const Expr *, unsigned> Ids;
  for (const Access &A : Instance.Accesses) {
    if (!isRewritten(P, Instance, A.Array))
      continue;
    if (!namesElement(A)) {
      Untraced.insert(A.Array);
      continue;
    }
    auto [Id, IsNew] = Ids.try_emplace(A.Ref, References.size());
    if (IsNew) {
      References.push_back(
          {A.Ref, A.Subscripts, Instance.Shapes[A.Array].Extents});
      Accesses.emplace_back();
    }
    Accesses[Id->second].push_back(&A);
  }
  return References;
}

Recounter::Recounter(const KernelInstance &Instance, const Plan &P,
                     const Target &T, const StoredBlock &Block,
                     ASTContext &Context, uint64_t MaxSteps)
    : Instance(Instance), P(P), T(T), Block(Block),
      References(findReferences(Instance, P, Accesses, Untraced)),
      Interpreter(Instance.Decl, Instance.Block.Threads, Instance.Block.Grid,
                  References, Context, MaxSteps),
      StepLimit(MaxSteps) {}

Recounts Recounter::zero() const {
  Recounts Zero;
  for (const auto &[Array, Decision] : P.Layouts)
    if (isRewritten(P, Instance, Array))
      Zero[Array].IsWhole = !Untraced.contains(Array);
  return Zero;
}

/// Adds the wavefronts of \p R before and after.
void Recounter::count(const Request &R, Recounts &Sum) const {
  for (const Access *A : Accesses[R.Reference]) {
    const ArrayShape &Shape = Instance.Shapes[A->Array];
    const Layout &New = P.Layouts.find(A->Array)->second.New;
    Recount &Cost = Sum[A->Array];
    if (!A->hasWidth())
      continue;
    if (!llvm::isPowerOf2_32(A->Width) || A->Width > 16) {
      Cost.IsExact = false;
      continue;
    }
    WarpRequest Before;
    Before.Op = A->Kind == AccessKind::Read    ? MemoryOp::Load
                : A->Kind == AccessKind::Write ? MemoryOp::Store
                                               : MemoryOp::Reduce;
    Before.Width = A->Width;
    Before.ActiveLanes = R.ActiveLanes;
    WarpRequest After = Before;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      Before.Addresses[Lane] = R.Elements[Lane] * Shape.ElementSize + A->Offset;
      After.Addresses[Lane] = Block.Offsets[A->Array] +
                              New.address(R.Elements[Lane], A->Offset, Shape);
    }
    Cost.Before += countWavefronts(T.Shared, Before);
    Cost.After += countWavefronts(T.Shared, After);
  }
}

/// True if \p A copies from \p Element on more than is left of the row.
bool Recounter::leavesRow(const Access &A, uint64_t Element) const {
  if (!A.Run)
    return false;
  const ArrayShape &Shape = Instance.Shapes[A.Array];
  const Layout &New = P.Layouts.find(A.Array)->second.New;
  const uint64_t Row =
      Shape.Extents.size() == 1 ? New.Pitch : Shape.Extents.back();
  const std::optional<int64_t> Bytes = Instance.Values.asConstant(A.Run->Bytes);
  return Row == 0 ||
         (Bytes && Element % Row * Shape.ElementSize + uint64_t(*Bytes) >
                       Row * Shape.ElementSize);
}

/// Puts an execution into the request that it shares with other lanes.
void Recounter::addLane(unsigned Lane, const Execution &E, Recounts &Sum) {
  auto [Id, IsNew] =
      RequestIds.try_emplace({E.Reference, E.Iteration}, Requests.size());
  if (IsNew)
    Requests.push_back({E.Reference});
  Request &R = Requests[Id->second];
  assert(!(R.ActiveLanes >> Lane & 1) && "an iteration runs a reference once");
  if (!E.Element || !E.IsCertain)
    for (const Access *A : Accesses[E.Reference])
      Sum[A->Array].IsExact = false;
  if (!E.Element)
    return;
  for (const Access *A : Accesses[E.Reference])
    Sum[A->Array].LeavesRow |= leavesRow(*A, *E.Element);
  R.ActiveLanes |= 1u << Lane;
  R.Elements[Lane] = *E.Element;
}

/// Adds the wavefronts of a warp; returns false if the budget is spent.
bool Recounter::runWarp(unsigned FirstThread, Dim3 BlockIndex, Recounts &Sum) {
  const auto &Threads = Instance.Block.Threads;
  unsigned End = std::min(FirstThread + WarpSize, Instance.Block.numThreads());
  Requests.clear();
  RequestIds.clear();
  for (unsigned Thread = FirstThread; Thread < End; ++Thread) {
    Executions.clear();
    if (!Interpreter.run({Thread % Threads[0], Thread / Threads[0] % Threads[1],
                          Thread / Threads[0] / Threads[1]},
                         BlockIndex, Executions))
      return false;
    for (const Execution &E : Executions)
      addLane(Thread - FirstThread, E, Sum);
  }
  for (const Request &R : Requests)
    count(R, Sum);
  return true;
}

/// Returns the wavefronts of a block; nothing if the budget is spent.
std::optional<Recounts> Recounter::runBlock(Dim3 BlockIndex) {
  Recounts Sum = zero();
  uint64_t StepsBefore = steps();
  for (unsigned Thread = 0; Thread < Instance.Block.numThreads();
       Thread += WarpSize)
    if (!runWarp(Thread, BlockIndex, Sum))
      return std::nullopt;
  StepsOfBlock = std::max(StepsOfBlock, steps() - StepsBefore);
  return Sum;
}

/// Returns how many blocks there are that differ if the work of a block depends
/// on the \p Dimensions of its index; 0 if the grid is not known.
static uint64_t countBlocks(Dim3 Grid, unsigned Dimensions) {
  uint64_t NumBlocks = 1;
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (Dimensions >> Dim & 1)
      NumBlocks *= Grid[Dim];
  return NumBlocks;
}

/// Returns \p NumChosen of the blocks that countBlocks counts, evenly spread;
/// the first one if the grid is not known.
static std::vector<Dim3> chooseBlocks(Dim3 Grid, unsigned Dimensions,
                                      uint64_t NumChosen) {
  uint64_t NumBlocks = countBlocks(Grid, Dimensions);
  if (NumBlocks == 0)
    return {{0, 0, 0}};
  for (unsigned Dim = 0; Dim < 3; ++Dim)
    if (!(Dimensions >> Dim & 1))
      Grid[Dim] = 1;
  std::vector<Dim3> Blocks;
  for (uint64_t I = 0; I < NumChosen; ++I) {
    uint64_t Block = I * NumBlocks / NumChosen;
    Blocks.push_back({uint32_t(Block % Grid[0]),
                      uint32_t(Block / Grid[0] % Grid[1]),
                      uint32_t(Block / Grid[0] / Grid[1])});
  }
  return Blocks;
}

/// Returns how many of \p NumBlocks blocks to run: all, if the steps suffice.
uint64_t Recounter::affordable(uint64_t NumBlocks) const {
  if (NumBlocks <= MaxBlocks &&
      NumBlocks * StepsOfBlock <= StepLimit - std::min(StepLimit, steps()))
    return NumBlocks;
  return std::clamp<uint64_t>(NumSampledSteps /
                                  std::max<uint64_t>(1, StepsOfBlock),
                              1, std::min(NumBlocks, NumSampledBlocks));
}

Recounts Recounter::recount() {
  const auto &Grid = Instance.Block.Grid;
  Recounts Sum;
  unsigned Dimensions;
  uint64_t NumBlocks, NumRun;
  bool IsCut = false;
  // The first block says on which dimensions its work depends; if other blocks
  // meet more, start over with these.
  do {
    Sum = zero();
    NumRun = 0;
    Dimensions = Interpreter.blockDimensions();
    NumBlocks = countBlocks(Grid, Dimensions);
    for (Dim3 BlockIndex :
         chooseBlocks(Grid, Dimensions, affordable(NumBlocks))) {
      std::optional<Recounts> Block = runBlock(BlockIndex);
      IsCut = !Block;
      if (IsCut)
        break;
      ++NumRun;
      for (const auto &[Array, Cost] : *Block)
        Sum[Array].add(Cost);
    }
  } while (!IsCut && Dimensions != Interpreter.blockDimensions());

  bool IsExact = !IsCut && Interpreter.isComplete() && NumRun == NumBlocks;
  for (auto &[Array, Cost] : Sum) {
    Cost.Before /= std::max<uint64_t>(NumRun, 1);
    Cost.After /= std::max<uint64_t>(NumRun, 1);
    Cost.IsExact &= IsExact;
  }
  return Sum;
}

static std::string text(double Number) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.10g", Number);
  return Text;
}

static bool isNear(double A, double B) {
  return std::abs(A - B) <= 1e-9 * std::max(std::abs(A), std::abs(B));
}

/// Compares what the plan says of array \p Name with the recount.
static llvm::Error verifyCost(const LayoutDecision &Decision,
                              const Recount &Cost, llvm::StringRef Name) {
  const Wavefronts &Planned = Decision.SourceCost;
  if (Cost.LeavesRow)
    return makeError("a copy to or from '{0}' leaves its row", Name);
  if (!Cost.IsWhole)
    return llvm::Error::success();
  const bool IsComparable = Cost.IsExact && Decision.IsExact;
  const bool IsWorse =
      Cost.After > Cost.Before && !isNear(Cost.After, Cost.Before);
  // A layout for wider accesses than the source has may lose without them; then
  // all numbers must be right.
  const bool IsMadeForMerging =
      IsComparable && Decision.Cost.After < Decision.Cost.Before;
  if (IsWorse && !IsMadeForMerging)
    return makeError("wavefronts of '{0}' recounted: {1} before, {2} after",
                     Name, text(Cost.Before), text(Cost.After));
  if (!IsComparable)
    return llvm::Error::success();
  if (!isNear(Cost.Before, Planned.Before))
    return makeError("wavefronts of '{0}' recounted: before {1} (plan says "
                     "{2})",
                     Name, text(Cost.Before), text(Planned.Before));
  if (!isNear(Cost.After, Planned.After))
    return makeError("wavefronts of '{0}' recounted: after {1} (plan says {2})",
                     Name, text(Cost.After), text(Planned.After));
  return llvm::Error::success();
}

llvm::Error cudaopt::verifyPlan(const Kernel &K, const Plan &P, const Target &T,
                                ASTContext &Context) {
  if (llvm::none_of(P.Layouts,
                    [](const auto &L) { return L.second.isRewritten(); }))
    return llvm::Error::success();

  Recounts Sum;
  uint64_t Steps = 0;
  for (const std::unique_ptr<KernelInstance> &Instance : K.Instances) {
    if (llvm::Error Violated = verifyLayouts(K, *Instance, P))
      return Violated;
    llvm::Expected<StoredBlock> Stored = findBlock(K, *Instance, P, Context);
    if (!Stored)
      return Stored.takeError();
    if (llvm::Error Violated = verifySize(K, *Instance, P, T, *Stored))
      return Violated;
    if (llvm::Error Violated = verifyParts(K, *Instance, P, Context))
      return Violated;

    const BlockShape &Block = Instance->Block;
    if (Block.IsUnseen)
      continue; // Nothing is counted for it.
    if (!Block.isKnown() || Block.Origin == ShapeOrigin::Assumed)
      for (const auto &[Array, Decision] : P.Layouts)
        Sum[Array].IsExact = false;
    if (!Block.isKnown())
      continue;
    Recounter Counter(*Instance, P, T, *Stored, Context,
                      MaxSteps - std::min(Steps, MaxSteps));
    for (const auto &[Array, Cost] : Counter.recount())
      Sum[Array].add(Cost);
    Steps += Counter.steps();
  }
  for (const auto &[Array, Cost] : Sum)
    if (llvm::Error Violated = verifyCost(P.Layouts.find(Array)->second, Cost,
                                          K.Arrays[Array].Name))
      return Violated;
  return llvm::Error::success();
}
