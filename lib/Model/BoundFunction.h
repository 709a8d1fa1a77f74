// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The IR of a kernel bound to one launch: its integer values become values of
/// the instance, that is, functions of the block, the thread and the iterations
/// of the loops around; and for each statement, the conditions are found under
/// which a thread reaches it.
///
///     BoundFunction Bound(*F, Instance);
///     Bound.bind(*Bound.findLoop(For, 0), Id);      // for (k = 0; k < 4; ++k)
///     Bound.valueOf(Subscript, 0)                   // 4 * t + k
///     Bound.reach(Ref, 0)->Guards                   // t < n
///
/// The IR has blockDim as a value, and one phi for each variable that a loop
/// changes. Here the former is a number, if the launch tells it, and the latter
/// an expression in the iteration's number, if there is a closed form. Where
/// paths join, a value is selected by the conditions that separate them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_BOUNDFUNCTION_H
#define CUDAOPT_LIB_MODEL_BOUNDFUNCTION_H

#include "cudaopt/IR/Graph.h"
#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace cudaopt {

/// How threads get to a statement.
struct Reach {
  llvm::SmallVector<LoopId, 4> Loops; ///< The loops around it, outermost first.
  llvm::SmallVector<ValueId, 8> Guards; ///< Conditions that all hold there.
  /// False if fewer threads may get there, or less often, than Loops and Guards
  /// say.
  bool IsExact = true;
};

/// Binds one IR function to one instance. An unsuccessful query returns
/// std::nullopt.
class BoundFunction {
public:
  /// \p F must have been built with its evaluations. Loops and values are added
  /// to \p Instance.
  BoundFunction(ir::Function &F, KernelInstance &Instance);

  const ir::Function &function() const { return F; }

  /// Returns the value of the integer \p E where the calls of \p Path evaluate
  /// it; std::nullopt if it depends on memory, or has no closed form.
  std::optional<ValueId> valueOf(const clang::Expr *E, ir::CallPathId Path);

  /// Returns true if some run evaluates \p E in the calls of \p Path.
  bool isEvaluated(const clang::Expr *E, ir::CallPathId Path) const {
    return F.evaluationOf(withoutParens(E, Path), Path).has_value();
  }

  /// Returns how threads get to \p S in the calls of \p Path; std::nullopt if
  /// no run evaluates it there.
  std::optional<Reach> reach(const clang::Stmt *S, ir::CallPathId Path);

  /// Returns the loop of statement \p S; null if its body is executed at most
  /// once.
  const ir::Loop *findLoop(const clang::Stmt *S, ir::CallPathId Path) const;

  /// Makes \p L the loop Instance.Loops[\p Id], and sets the condition of that.
  void bind(const ir::Loop &L, LoopId Id);

private:
  using MaybeValue = std::optional<ValueId>;
  /// An index into F.loops(), or outside of all loops.
  using MaybeLoop = std::optional<unsigned>;

  // BoundFunction.cpp: values.
  /// Returns \p E, or the expression that it only wraps, whichever the IR
  /// knows.
  const clang::Expr *withoutParens(const clang::Expr *E,
                                   ir::CallPathId Path) const;
  MaybeValue valueIn(ir::ValueId V, MaybeLoop In);
  MaybeValue compute(const ir::Value &V, ir::ValueId Id, MaybeLoop In);
  MaybeValue special(ir::SpecialRegister R);
  MaybeValue loaded(const ir::Value &V, ir::ValueId Id);
  MaybeValue unary(const ir::Value &V, MaybeLoop In);
  MaybeValue binary(const ir::Value &V, MaybeLoop In);
  MaybeValue pure(const ir::Value &V, MaybeLoop In);
  MaybeValue phi(const ir::Value &V, MaybeLoop In);
  MaybeValue induction(const ir::Value &V, unsigned Loop, ValueId Iteration);
  MaybeValue sumOf(const ir::Value &V, ir::ValueId Next, unsigned Loop);
  MaybeValue amountIn(ir::ValueId V, unsigned Loop);
  MaybeValue joined(const ir::Value &V);
  std::optional<int64_t> tripsOf(unsigned Loop);

  // BoundControl.cpp: loops, and the conditions of paths.
  void findTests();
  MaybeLoop loopOf(const ir::Block *B) const;
  /// Returns the loop that contains \p B; for a header, the loop around its
  /// own.
  MaybeLoop loopAround(const ir::Block *B) const;
  bool encloses(MaybeLoop Outer, MaybeLoop Inner) const;
  MaybeValue edge(const ir::Block *From, const ir::Block *To);
  MaybeValue wayCondition(ir::Block *From, ir::Block *Last, ir::Block *To);
  MaybeLoop passedLoop(const ir::Block *B, MaybeLoop In) const;
  MaybeValue pathCondition(ir::Block *From, ir::Block *To);
  bool isSure(ir::Block *From, ir::Block *To) const;
  bool leavesOnlyByTest(unsigned Loop) const;
  ir::Block *guard(ir::Block *B, Reach &R);
  /// Conjunction, disjunction and negation of conditions, simplified.
  ValueId both(ValueId A, ValueId B);
  ValueId either(ValueId A, ValueId B);
  ValueId negation(ValueId V);

  /// The test in front of each iteration of a loop.
  struct Test {
    llvm::SmallVector<ir::Block *, 2> Blocks; ///< The header first.
    ir::Block *Body = nullptr; ///< Where control goes if it holds.
  };

  ir::Function &F;
  KernelInstance &Instance;
  ir::Dominators Dominance;
  /// Indexed by loop; without blocks if a loop has no test.
  std::vector<Test> Tests;
  std::vector<MaybeLoop> Around; ///< The innermost loop around each block.
  /// The bound loops, by their index in F.loops().
  llvm::DenseMap<unsigned, LoopId> Bound;
  llvm::DenseMap<unsigned, std::optional<int64_t>> Trips;
  llvm::DenseMap<ir::ValueId, const ir::Operation *> Definitions;
  llvm::DenseMap<std::pair<ir::ValueId, unsigned>, MaybeValue> Known;
  llvm::DenseSet<std::pair<ir::ValueId, unsigned>> Computing;
  unsigned NumCycles = 0;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_BOUNDFUNCTION_H
