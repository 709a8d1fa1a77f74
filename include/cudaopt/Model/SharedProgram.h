// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// One instance of a kernel as its `__shared__` memory sees it: a graph of
/// steps, each of which is a barrier of the whole block or a statement without
/// one. Calls of functions of the user are part of the graph (and of their
/// statements), as if they were written in place.
///
/// \verbatim
///   A[t] = in[t];              entry
///   __syncthreads();             |
///   for (k) {                  work A[t] = in[t];     writes A
///     B[t] = A[t ^ k];           |
///     __syncthreads();         barrier
///     A[t] = B[t ^ 1];           |<-------------.
///     __syncthreads();         test k           |
///   }                            |  \           |
///   out[t] = A[t];               |  work, barrier, work, barrier
///                              work out[t] = A[t]; -> exit
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

/// Elements of a variable; as many bits as it has elements.
using ElementSet = llvm::BitVector;

/// A `__shared__` variable of the kernel, or of a function that it calls: an
/// array, a scalar or an object.
struct SharedVariable {
  const clang::VarDecl *Decl = nullptr;
  std::string Name;
  uint64_t Size = 0; ///< Bytes.
  unsigned Alignment = 1;
  /// What sets of elements speak of; a variable without elements is one.
  unsigned ElementSize = 1;
  /// If the kernel model has it, too.
  std::optional<ArrayId> Array;
  /// Why it may share its bytes with nothing: it escapes, it is a barrier, ...
  std::optional<Blocker> Pinned;

  unsigned numElements() const { return ElementSize ? Size / ElementSize : 0; }
};

/// What the threads of a block do to one variable in one step.
struct SharedUse {
  VariableId Variable = 0;
  bool Reads = false, Writes = false;
  /// The elements that some thread may access.
  ElementSet May;
  /// Of a write: the elements that the block surely writes whenever it takes
  /// the step, all threads together.
  ElementSet Must;
  /// Of a read: the elements that some thread may read without having written
  /// them itself since the last barrier.
  ElementSet Exposed;
  /// True if hardware may access the elements until a step waits for it
  /// (`cp.async`), and other threads know it only behind the next barrier.
  bool IsPending = false;
  clang::SourceLocation Loc;
};

struct Step {
  enum class Kind { Entry, Exit, Work, Barrier };
  Kind What = Kind::Work;
  /// The statement. One with barriers inside has a step without uses in front,
  /// of its own, and then steps of its parts: of its condition, say. Null for
  /// entry and exit.
  const clang::Stmt *Statement = nullptr;
  llvm::SmallVector<StepId, 2> Successors;
  std::vector<SharedUse> Uses;
  /// True if all pending accesses have been waited for behind the step.
  bool WaitsForPending = false;
  /// True if some threads may leave the kernel here while the others go on.
  bool MayLeave = false;
  /// The `return` statements, behind what the step does, that end the kernel.
  llvm::SmallVector<const clang::Stmt *, 1> Returns;
  /// True if a barrier could be written in front of Statement: all threads of
  /// the block that have not returned get there together, and it stands in a
  /// sequence of statements of the kernel itself.
  bool MayFollowBarrier = false;
  /// Loops around it; and how often it is taken, as far as known (64 for each
  /// loop of unknown length).
  unsigned LoopDepth = 0;
  double Weight = 1;
};

/// Steps[0] is the entry, Steps[1] the exit.
struct SharedProgram {
  const KernelInstance *Instance = nullptr;
  std::vector<SharedVariable> Variables; ///< In the order of the source.
  std::vector<Step> Steps;
  /// Why nothing is known of the order of the steps, so that no two variables
  /// may share bytes: a barrier under a condition that differs between threads,
  /// `goto` into a loop, recursion, ...
  std::optional<Blocker> Refused;
  /// True if some threads may pass a barrier that others do not: its condition,
  /// or how often a loop around it runs, is not known to be the same for all.
  bool HasPartialBarriers = false;
  /// Bytes that it needs besides Variables: `extern __shared__` as the launch
  /// asks.
  uint64_t DynamicBytes = 0;

  static constexpr StepId Entry = 0, Exit = 1;
  void print(llvm::raw_ostream &OS) const;
};

/// Builds the steps of \p Instance of \p K, which is a `__global__` function.
/// Sets of elements come from the accesses of the model where it has them;
/// whatever is not known is a read and a write of the whole variable that
/// nothing is sure of.
SharedProgram buildSharedProgram(const Kernel &K,
                                 const KernelInstance &Instance,
                                 clang::ASTContext &Context);

/// Prints the steps of each instance of \p K, if it is a `__global__` function.
void printSteps(const Kernel &K, llvm::raw_ostream &OS);

/// \p P with a barrier in front of each step of \p Places.
SharedProgram insertBarriers(const SharedProgram &P,
                             llvm::ArrayRef<StepId> Places);

} // namespace cudaopt

#endif // CUDAOPT_MODEL_SHAREDPROGRAM_H
