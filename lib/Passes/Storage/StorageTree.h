// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns a placement, which is a list of offsets, into nested structs and
/// unions. These let the rewritten source express the placement without a
/// number, and let the compiler compute the offsets for any sizes.
///
/// \verbatim
///   offset
///    27648 ┌────────┬───────┐      union {
///          │        │   b   │        struct {
///    14336 │   c    ├───────┤          float a[3584]; float b[3328];
///          │        │   a   │        };
///        0 └────────┴───────┘        float c[6912];
///                                  };
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_STORAGE_STORAGETREE_H
#define CUDAOPT_LIB_PASSES_STORAGE_STORAGETREE_H

#include "cudaopt/Placement/Problem.h"
#include "cudaopt/Plan/Plan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace cudaopt {

/// The size and alignment, in bytes, that a C++ compiler gives to a tree.
struct StorageExtent {
  uint64_t Size = 0; ///< A multiple of Alignment, for structs and unions.
  uint64_t Alignment = 1;
};

/// Returns the extent of \p Tree by the rules of C++ for structs and unions.
/// \p Items is by variable.
StorageExtent layOutStorage(const StorageNode &Tree,
                            llvm::ArrayRef<PlacementItem> Items);

/// Sets \p Offsets, by variable, to the offsets of the variables of \p Tree if
/// the tree begins at \p Base.
void placeStorage(const StorageNode &Tree, llvm::ArrayRef<PlacementItem> Items,
                  uint64_t Base, llvm::MutableArrayRef<uint64_t> Offsets);

/// Returns a tree for each group of variables that share bytes in \p Places,
/// such that no two alternatives of a union interfere; std::nullopt if some
/// group cannot be expressed so. With \p MayUseGaps each group can: where
/// alternatives do interfere, gaps keep the distances that Places has.
std::optional<std::vector<StorageNode>>
makeStorageTrees(const Placement &Places, llvm::ArrayRef<PlacementItem> Items,
                 llvm::function_ref<bool(unsigned, unsigned)> Interfere,
                 bool MayUseGaps);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_STORAGE_STORAGETREE_H
