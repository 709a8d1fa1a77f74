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
  uint64_t Width;           ///< 0 if it is not known.
  const llvm::Function *In; ///< The user's.
  std::vector<SourcePoint> Points;
};

struct FoundEscape {
  const llvm::GlobalVariable *Variable;
  const llvm::Function *In;
  std::string How; ///< "is stored in memory that is not the thread's".
  SourcePoint At;
};

/// A thread may leave the kernel here, before the end of its text.
struct FoundLeave {
  const llvm::Function *In;
  SourcePoint At;
  /// True of the `return` of a function, which for a kernel is an exit.
  bool IsReturn;
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

/// The place of \p I; not valid without debug information.
SourcePoint getPoint(const llvm::Instruction &I);

FoundUses findUses(const llvm::Module &M, const SharedFlow &Flow);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_FOUNDUSES_H
