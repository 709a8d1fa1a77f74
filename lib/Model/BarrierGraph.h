// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The steps of a kernel, built from the blocks of its IR: the operations of
/// one statement without a barrier inside are one step, each barrier is one,
/// and control goes from step to step where it goes from block to block. Step
/// and SharedProgram are described in cudaopt/Model/SharedProgram.h.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_BARRIERGRAPH_H
#define CUDAOPT_LIB_MODEL_BARRIERGRAPH_H

#include "StatementOverlay.h"
#include "cudaopt/IR/Convergence.h"
#include "cudaopt/IR/Graph.h"
#include "cudaopt/Model/SharedProgram.h"

#include "llvm/ADT/SetVector.h"
#include <map>
#include <tuple>

namespace cudaopt {

class BarrierGraph {
public:
  /// An operation, or the end of a block that branches.
  struct Point {
    const ir::Block *In = nullptr;
    /// Index into the block's operations; std::nullopt for the block's end.
    std::optional<size_t> Operation;
    const TextPlace *Where = nullptr;
    StepId Step = 0;
  };
  /// The points that a step consists of.
  struct Region {
    PathStatement At;
    /// True if the step is a part of a full expression that contains a barrier.
    bool IsBesideBarrier = false;
    std::vector<const Point *> Points;
    /// True if the step has a single entry and a single exit: every thread that
    /// takes it begins at one point and leaves to one point.
    bool IsPassed = false;
    /// The loops around it that have barriers inside.
    llvm::DenseSet<const clang::Stmt *> Loops;
  };

  /// Adds the steps to \p P, without their uses.
  BarrierGraph(const ir::Function &F, const StatementOverlay &Overlay,
               const BlockUniformity &U, SharedProgram &P);

  /// Indexed by step. Steps without points have no uses.
  llvm::ArrayRef<Region> regions() const { return Regions; }
  llvm::ArrayRef<Point> pointsOf(const ir::Block &B) const {
    return Points[B.Id];
  }

  /// Returns true if a thread that takes step \p S executes \p B there, as
  /// often as the loops around B inside of the step say.
  bool isUnconditional(StepId S, const ir::Block &B) const;
  /// Returns true if a loop inside of step \p S is around \p B.
  bool isInInnerLoop(StepId S, const ir::Block &B) const;

private:
  using Key = std::tuple<ir::CallPathId, const clang::Stmt *, unsigned>;

  /// The phases of the construction, in their order.
  void findPlaces();
  const TextPlace *placeOf(const ir::Anchor &Where);
  void findBarriers();
  void addPoints();
  StepId addStep(Step::Kind What, PathStatement At, const ir::Block &In,
                 llvm::ArrayRef<PathStatement> Inside);
  StepId stepOf(const Point &At);
  StepId frontOf(const PathStatement &S, const Point &First);

  void connect();
  void connectBehind(const Point *From, const ir::Block &B);
  void addEdge(const Point *From, const Point &To,
               llvm::ArrayRef<const clang::Stmt *> Closed);
  void addExit(const Point *From, const ir::Block &Last);
  void link(StepId From, StepId To);

  void judge(const BlockUniformity &U);
  bool areTogether(const ir::Block &B, const PathStatement *In) const;
  void finishSteps();

  void findInnerLoops();

  const ir::Function &F;
  const StatementOverlay &Overlay;
  SharedProgram &P;

  std::vector<std::unique_ptr<TextPlace>> Places;
  std::vector<std::vector<Point>> Points; ///< Indexed by block, in order.
  /// The barriers of each full expression that has some, also in its calls.
  std::map<std::pair<ir::CallPathId, const clang::Stmt *>,
           std::vector<const ir::Block *>>
      Barriers;
  std::vector<Region> Regions;
  std::map<Key, StepId> Steps;
  /// The step in front of each statement with barriers inside.
  std::map<std::pair<ir::CallPathId, const clang::Stmt *>, StepId> Fronts;
  /// Indexed by step: the points at which control comes in from other steps,
  /// and those it goes to. A null exit is the end of the kernel.
  std::vector<llvm::SetVector<const Point *>> Entries, Exits;
  /// Indexed by step: true if other steps of the same statement lead to it.
  std::vector<bool> IsInMiddle;
  /// Indexed by loop: the step that contains it; std::nullopt if it has several
  /// steps inside.
  std::vector<std::optional<StepId>> StepOfLoop;
  /// Indexed by block: the loops around it that have barriers inside.
  std::vector<llvm::SmallVector<unsigned, 4>> LoopsOf;
  /// Sets of blocks in which the threads may not be together, each with the
  /// place of the condition that separates them, if that is known.
  std::vector<std::pair<llvm::BitVector, const TextPlace *>> Apart;
  std::unique_ptr<Convergence> Meetings;
  std::unique_ptr<ir::Dominators> Dominance; ///< Built when it is first needed.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_BARRIERGRAPH_H
