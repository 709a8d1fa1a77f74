// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The data of a picture for reports: which bytes the `__shared__` variables of
/// a kernel occupy before and after a plan (one axis), and in which barrier
/// intervals they are live (the other axis).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PASSES_STORAGE_STORAGEMAP_H
#define CUDAOPT_PASSES_STORAGE_STORAGEMAP_H

#include "cudaopt/Analysis/LiveRanges.h"
#include "cudaopt/Plan/Plan.h"

#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// A range of a block's shared memory, in bytes.
struct StoredSpan {
  uint64_t Offset = 0, Size = 0;
};

/// The variables of one instance, and the live ranges.
struct StorageMap {
  struct Variable {
    std::string Name;
    const clang::VarDecl *Decl = nullptr;
    std::optional<ArrayId> Array; ///< Set for an array of the kernel model.
    /// The bytes in the source's storage. nvcc keeps the order of declarations.
    StoredSpan Before;
    /// The bytes in the plan's storage; std::nullopt if the variable is private
    /// now.
    std::optional<StoredSpan> After;
  };
  std::vector<Variable> Variables;
  /// The live ranges, with the barriers that the plan adds.
  LiveRangeTable Intervals;
};

/// Returns the map of the first instance of \p K whose block is not assumed;
/// std::nullopt if there is none, or if it has no variables.
std::optional<StorageMap> mapStorage(const Kernel &K, const Plan &P);

} // namespace cudaopt

#endif // CUDAOPT_PASSES_STORAGE_STORAGEMAP_H
