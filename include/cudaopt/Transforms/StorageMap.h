// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where the `__shared__` variables of a kernel lie before and after a plan,
/// and when they are busy: the two axes of a picture.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_STORAGEMAP_H
#define CUDAOPT_TRANSFORMS_STORAGEMAP_H

#include "cudaopt/Analysis/LiveRanges.h"
#include "cudaopt/Transforms/Plan.h"

#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// Bytes of shared memory.
struct StoredSpan {
  uint64_t Offset = 0, Size = 0;
};

struct StorageMap {
  struct Variable {
    std::string Name;
    const clang::VarDecl *Decl = nullptr;
    std::optional<ArrayId> Array; ///< If the model has it.
    /// Offsets are those of nvcc, which keeps the order of the declarations.
    StoredSpan Before;
    std::optional<StoredSpan> After; ///< Nothing if it is not shared any more.
  };
  std::vector<Variable> Variables;
  LiveRangeTable Intervals; ///< With the barriers that the plan adds.
};

/// Of the first instance of \p K whose block is not assumed; nothing if there
/// is none, or if it has no variables.
std::optional<StorageMap> mapStorage(const Kernel &K, const Plan &P);

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_STORAGEMAP_H
