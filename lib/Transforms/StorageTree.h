// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Offsets as nested structs and unions: what the rewritten source can say
/// without a number.
///
/// \verbatim
///   offset
///    27648 ┌────────┬───────┐
///          │        │   b   │        union {
///    14336 │   c    ├───────┤          struct { float a[3584]; float b[3328];
///    };
///          │        │   a   │          float c[6912];
///        0 └────────┴───────┘        };
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_STORAGETREE_H
#define CUDAOPT_LIB_TRANSFORMS_STORAGETREE_H

#include "cudaopt/Placement/Problem.h"
#include "cudaopt/Transforms/Plan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace cudaopt {

/// What a compiler makes of a tree.
struct StorageExtent {
  uint64_t Size = 0; ///< Bytes; a multiple of Alignment.
  uint64_t Alignment = 1;
};

/// Lays \p Tree out as the structs and unions of C++. \p Items is by variable.
StorageExtent layOutStorage(const StorageNode &Tree,
                            llvm::ArrayRef<PlacementItem> Items);

/// Sets \p Offsets, by variable, to where the variables of \p Tree begin if it
/// begins at \p Base.
void placeStorage(const StorageNode &Tree, llvm::ArrayRef<PlacementItem> Items,
                  uint64_t Base, llvm::MutableArrayRef<uint64_t> Offsets);

/// Returns a tree for each group of variables that share bytes in \p Places,
/// such that no two alternatives interfere; nothing if some group cannot be
/// told as a tree. With \p MayUseGaps each group can: where alternatives do
/// interfere, gaps keep the distances of \p Places.
std::optional<std::vector<StorageNode>>
makeStorageTrees(const Placement &Places, llvm::ArrayRef<PlacementItem> Items,
                 llvm::function_ref<bool(unsigned, unsigned)> Interfere,
                 bool MayUseGaps);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_STORAGETREE_H
