// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What device code does to shared variables, and where threads may leave it:
/// each with the places of the source that debug information gives.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_FOUNDUSES_H
#define CUDAOPT_LIB_CHECK_FOUNDUSES_H

#include "SharedFlow.h"

#include "llvm/ADT/SmallPtrSet.h"
#include <string>
#include <vector>

namespace cudaopt::check {

struct FoundAccess {
  const llvm::GlobalVariable *Variable;
  UseKind Kind;
  uint64_t Width;              ///< 0 if it is not known.
  const llvm::Instruction *By; ///< In a function of the user.
  std::vector<SourcePoint> Points;
  /// The operand of By that is the address; null of a function of the library
  /// that gets it somehow.
  const llvm::Use *Address = nullptr;

  const llvm::Function *function() const { return By->getFunction(); }
};

struct FoundEscape {
  const llvm::GlobalVariable *Variable;
  const llvm::Function *In;
  std::string How; ///< "is stored in memory that is not the thread's".
  SourcePoint At;
};

/// A thread may leave the kernel here, before the end of its text.
struct FoundLeave {
  const llvm::Instruction *By;
  SourcePoint At;
  /// True of the `return` of a function, which for a kernel is an exit.
  bool IsReturn;

  const llvm::Function *function() const { return By->getFunction(); }
};

struct FoundUses {
  std::vector<FoundAccess> Accesses;
  std::vector<FoundEscape> Escapes;
  std::vector<FoundLeave> Leaves;
  /// Who calls a function, of the functions that have a body.
  llvm::DenseMap<const llvm::Function *,
                 llvm::SmallVector<const llvm::CallBase *, 4>>
      Callers;
  /// Functions that call through a pointer.
  llvm::SmallPtrSet<const llvm::Function *, 4> CallPointers;
};

/// True if \p Call is assembly that threads may leave the function by.
bool mayLeave(const llvm::CallBase &Call);

/// The place of \p I; not valid without debug information.
SourcePoint getPoint(const llvm::Instruction &I);

/// Where the parts of the expression stand that computes an operand.
using OperandPoints =
    llvm::DenseMap<const llvm::Use *,
                   llvm::SmallVector<const llvm::Instruction *, 2>>;

/// Finds the instructions that compute each address in \p M. To be called while
/// variables are in memory: what is computed earlier is then a load.
OperandPoints findOperandPoints(const llvm::Module &M);

FoundUses findUses(const llvm::Module &M, const SharedFlow &Flow,
                   const OperandPoints &Points);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_FOUNDUSES_H
