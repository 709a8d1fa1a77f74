// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// One instance of a kernel as its `__shared__` memory sees it: a graph of
/// steps, each of which is a barrier of the whole block or a statement without
/// one. Calls of functions of the user are part of the graph (and of their
/// statements), as if they were inlined. Liveness analysis and the placement of
/// variables in shared memory work on this graph.
///
/// \verbatim
///     A[t] = in[t];              entry
///     __syncthreads();             |
///     for (k) {                  work A[t] = in[t];     writes A
///       B[t] = A[t ^ k];           |
///       __syncthreads();         barrier
///       A[t] = B[t ^ 1];           |<-------------.
///       __syncthreads();         test k           |
///     }                            |  \           |
///     out[t] = A[t];               |  work, barrier, work, barrier
///                                work out[t] = A[t]; -> exit
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_SHAREDPROGRAM_H
#define CUDAOPT_MODEL_SHAREDPROGRAM_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

using VariableId = unsigned; ///< Index into SharedProgram::Variables.
using StepId = unsigned;     ///< Index into SharedProgram::Steps.

/// A set of elements of one variable, with one bit for each of its elements.
using ElementSet = llvm::BitVector;

/// A `__shared__` variable of the kernel, or of a function that it calls: an
/// array, a scalar or an object.
struct SharedVariable {
  const clang::VarDecl *Decl = nullptr;
  std::string Name;
  uint64_t Size = 0; ///< Bytes.
  unsigned Alignment = 1;
  /// The unit of element sets, in bytes. A variable that is no array is a
  /// single element.
  unsigned ElementSize = 1;
  /// The array of the kernel's model, if that has the variable, too.
  std::optional<ArrayId> Array;
  /// Why the variable may not share its bytes with any other: it escapes, it is
  /// a barrier, ...
  std::optional<Refusal> Pinned;

  unsigned numElements() const { return ElementSize ? Size / ElementSize : 0; }
};

/// What the threads of a block do to one variable in one step.
struct SharedUse {
  VariableId Variable = 0;
  bool Reads = false, Writes = false;
  /// The elements that some thread may access.
  ElementSet May;
  /// For a write: the elements that the block certainly writes whenever it
  /// executes the step, all threads together.
  ElementSet Must;
  /// For a read: the elements that some thread may read without having written
  /// them itself since the last barrier.
  ElementSet Exposed;
  /// True if the hardware may access the elements until a later step waits for
  /// it (`cp.async`); other threads see the result only behind the next
  /// barrier.
  bool IsPending = false;
  clang::SourceLocation Loc;
};

/// A node of the graph.
struct Step {
  enum class Kind { Entry, Exit, Work, Barrier };
  Kind What = Kind::Work;
  /// The statement; null for entry and exit. A statement with barriers inside
  /// has a step without uses in front of it, and then steps for its parts, such
  /// as its condition.
  const clang::Stmt *Statement = nullptr;
  llvm::SmallVector<StepId, 2> Successors;
  std::vector<SharedUse> Uses;
  /// True if all pending accesses have completed behind the step.
  bool WaitsForPending = false;
  /// True if some threads may return from the kernel here while others go on.
  bool MayLeave = false;
  /// The `return` statements that end the kernel behind the step.
  llvm::SmallVector<const clang::Stmt *, 1> Returns;
  /// True if a barrier could be inserted in front of Statement: all threads of
  /// the block that have not returned get there together, and it is one of a
  /// sequence of statements in the kernel itself.
  bool MayFollowBarrier = false;
  /// The number of loops around the step, and an estimate of how often it is
  /// executed (64 times for each loop of unknown length).
  unsigned LoopDepth = 0;
  double Weight = 1;
};

/// The graph of one instance. Steps[0] is the entry, Steps[1] the exit.
struct SharedProgram {
  const KernelInstance *Instance = nullptr;
  std::vector<SharedVariable> Variables; ///< In the order of the source.
  std::vector<Step> Steps;
  /// Why nothing is known of the order of the steps, so that no two variables
  /// may share bytes: a barrier under a condition that differs between threads,
  /// `goto` into a loop, recursion, ...
  std::optional<Refusal> Refused;
  /// True if some threads may pass a barrier that others do not: its condition,
  /// or the trip count of a loop around it, is not known to be the same for all
  /// threads.
  bool HasPartialBarriers = false;
  /// The bytes needed besides Variables: `extern __shared__` memory, as the
  /// launch asks for it.
  uint64_t DynamicBytes = 0;

  static constexpr StepId Entry = 0, Exit = 1;
  void print(llvm::raw_ostream &OS) const;
};

/// Builds the steps of \p Instance of \p K, which must be a `__global__`
/// function. Sets of elements come from the accesses of the model where it has
/// them. An access that is not understood counts as a read and a write that may
/// touch the whole variable and must touch nothing. The result refers to
/// \p Instance.
SharedProgram buildSharedProgram(const Kernel &K,
                                 const KernelInstance &Instance,
                                 clang::ASTContext &Context);

/// Prints the steps of each instance of \p K, if that is a `__global__`
/// function.
void printSteps(const Kernel &K, llvm::raw_ostream &OS);

/// Returns \p P with a barrier in front of each step in \p Places, which must
/// allow that (Step::MayFollowBarrier).
SharedProgram insertBarriers(const SharedProgram &P,
                             llvm::ArrayRef<StepId> Places);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_SHAREDPROGRAM_H
