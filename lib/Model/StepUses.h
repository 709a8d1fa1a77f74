// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the operations of each step do to shared variables: which elements some
/// thread may access, which elements the block certainly writes, and which a
/// thread may read without having written them itself. These are the inputs of
/// the liveness analysis of shared memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_STEPUSES_H
#define CUDAOPT_LIB_MODEL_STEPUSES_H

#include "BarrierGraph.h"
#include "ModelledAccesses.h"
#include "OwnWrites.h"
#include "SharedVariables.h"
#include "TouchedElements.h"
#include "cudaopt/IR/DeviceCalls.h"
#include "cudaopt/IR/PointsTo.h"

#include <set>

namespace cudaopt {

/// Adds the uses to the steps that BarrierGraph has built.
class StepUses {
public:
  StepUses(const ir::Function &F, const StatementOverlay &Overlay,
           const BarrierGraph &Graph, const ir::PointsTo &Pointers,
           const SharedVariables &Shared, const KernelInstance &Instance,
           SharedProgram &P);

  /// Adds the uses to all steps.
  void collect();

private:
  using Point = BarrierGraph::Point;
  using AccessList = ModelledAccesses::List;
  /// What an operation does to memory at an address. A Width of 0 is unknown.
  struct Touch {
    ir::ValueId Address = 0;
    bool Reads = false, Writes = false;
    uint64_t Width = 0;
  };
  /// What is known of the place of a use.
  struct Site {
    StepId Step;
    const Point *At;
    const ir::Operation *Operation;
    /// The step has one entry and one exit, and is executed as a whole.
    bool IsOrdered;
  };

  void collect(StepId S);
  void addOperation(const Site &Where);
  void addTouch(const Site &Where, const Touch &T);
  void addEscaped(const Site &Where, bool Reads, bool Writes);
  void addOpaque(const Site &Where, const TargetSet &Covered);
  void addLibraryCall(const Site &Where, const clang::Expr *Call);
  void addElements(const Site &Where, llvm::ArrayRef<const Access *> Pieces,
                   AccessKind Kind, const Touch *T);
  bool addKnownElements(const Site &Where, VariableId Id, const Touch &T);
  void addWhole(const Site &Where, VariableId Id, bool Reads, bool Writes);
  void addWhole(const Site &Where, const TargetSet &Targets);
  void addComparisons(const Site &Where, ir::ValueId V);
  void findComparisons();
  void addCopies(StepId S);
  void findOpenBatches();
  ir::AsyncCopy classify(const Point &At) const;

  SharedUse makeUse(const Site &Where, VariableId Id) const;

  const ir::Function &F;
  const BarrierGraph &Graph;
  const ir::PointsTo &Pointers;
  const SharedVariables &Shared;
  SharedProgram &P;
  const TargetSet Escaped;
  /// The variables that code names which an opaque operation may run.
  const TargetSet InClosures;
  const OwnWrites Own;
  const ModelledAccesses Modelled;
  ElementCounter Counter;
  /// Values that compare or subtract addresses, with the variables whose
  /// addresses these are.
  llvm::DenseMap<ir::ValueId, TargetSet> Comparisons;
  /// Indexed by block: true if a copy may have been issued that is not
  /// committed.
  std::vector<bool> IsOpenAtStart;

  // State of the step that is being collected.
  bool IsPending = false;
  /// What the step has already: the index of the use of each access, and the
  /// library calls with the variables that they use.
  std::map<std::tuple<const Access *, ir::CallPathId, AccessKind>, size_t>
      Known;
  std::map<std::pair<ir::CallPathId, const clang::Expr *>, TargetSet> Calls;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_STEPUSES_H
