// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The steps of a kernel, from the blocks of its IR: operations of one
/// statement without a barrier inside are one step, each barrier is one, and
/// control goes from step to step where it goes from block to block.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_BARRIERGRAPH_H
#define CUDAOPT_LIB_MODEL_BARRIERGRAPH_H

#include "StatementOverlay.h"
#include "cudaopt/Analysis/Convergence.h"
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
    std::optional<size_t> Operation; ///< Nothing: the end.
    const TextPlace *Where = nullptr;
    StepId Step = 0;
  };
  /// What a step consists of.
  struct Region {
    PathStatement At;
    bool IsBesideBarrier = false;
    std::vector<const Point *> Points;
    /// Whoever takes the step begins at one point and comes to one behind it.
    bool IsPassed = false;
    /// The loops around it that have barriers inside.
    llvm::DenseSet<const clang::Stmt *> Loops;
  };

  /// Adds the steps to \p P, without uses.
  BarrierGraph(const ir::Function &F, const StatementOverlay &Overlay,
               const BlockUniformity &U, SharedProgram &P);

  /// By step; those without points have no uses.
  llvm::ArrayRef<Region> regions() const { return Regions; }
  llvm::ArrayRef<Point> pointsOf(const ir::Block &B) const {
    return Points[B.Id];
  }

  /// True if whoever takes step \p S executes \p B there, as often as the loops
  /// around B inside of the step say.
  bool isUnconditional(StepId S, const ir::Block &B) const;
  /// True if a loop inside of step \p S is around \p B.
  bool isInInnerLoop(StepId S, const ir::Block &B) const;

private:
  using Key = std::tuple<ir::CallPathId, const clang::Stmt *, unsigned>;

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
  std::vector<std::vector<Point>> Points; ///< By block, in order.
  /// The barriers of each full expression that has some, also in its calls.
  std::map<std::pair<ir::CallPathId, const clang::Stmt *>,
           std::vector<const ir::Block *>>
      Barriers;
  std::vector<Region> Regions;
  std::map<Key, StepId> Steps;
  /// By statement with barriers inside: the step in front of it.
  std::map<std::pair<ir::CallPathId, const clang::Stmt *>, StepId> Fronts;
  /// By step: where control comes in from other steps, and where it goes. Null
  /// stands for the exit.
  std::vector<llvm::SetVector<const Point *>> Entries, Exits;
  std::vector<bool>
      IsInMiddle; ///< By step: others of its statement lead to it.
  /// By loop: the step that it is a part of; nothing if it has several inside.
  std::vector<std::optional<StepId>> StepOfLoop;
  /// By block: the loops around it that have barriers inside.
  std::vector<llvm::SmallVector<unsigned, 4>> LoopsOf;
  /// Blocks in which threads may not be together, and the place of the
  /// condition that keeps them apart there, if it is known.
  std::vector<std::pair<llvm::BitVector, const TextPlace *>> Apart;
  std::unique_ptr<Convergence> Meetings;
  std::unique_ptr<ir::Dominators> Dominance; ///< If it is needed.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_BARRIERGRAPH_H
