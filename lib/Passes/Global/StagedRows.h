// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Staging of rows: the threads of a warp copy their rows of a matrix to shared
/// memory for each other, a tile of 32 rows at a time, so that neighbouring
/// threads load neighbouring elements.
///
/// \verbatim
///   for (int c = 0; c < n; ++c)        for (; c0 <= n - 32; c0 += 32) {
///     s += a[r * n + c] * x[c];          copy 32 elements of each row
///                                        for (int c = c0; c < c0 + 32; ++c)
///                                          s += tile[lane][c - c0] * x[c];
///                                      }
///                                      for (int c = c0; c < n; ++c)
///                                        s += a[r * n + c] * x[c];
/// \endverbatim
///
/// The kernel itself finds out whether all lanes of the warp are there, and
/// whether their rows are equally far apart; otherwise it runs the loop as it
/// was. Rows of the tile are longer by one element, so that both its stores and
/// its loads are free of bank conflicts.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_GLOBAL_STAGEDROWS_H
#define CUDAOPT_LIB_PASSES_GLOBAL_STAGEDROWS_H

#include "cudaopt/Analysis/RowWalks.h"
#include "cudaopt/Plan/Plan.h"

#include <algorithm>

namespace cudaopt {

/// The tiles of a walk.
struct TileShape {
  /// The largest block whose warps have tiles, in threads; a multiple of 32.
  /// Warps of larger blocks run the loop as it was.
  unsigned MaxThreads = 0;
  unsigned Columns = 0;      ///< Of a tile, without the padding: 8, 16 or 32.
  bool IsInRow = true;       ///< True if blocks extend in x only.
  unsigned ElementBytes = 0; ///< Of the largest elements.

  /// Returns the elements from one row of a tile to the next: an odd number of
  /// elements, or of words if these are smaller, so that the lanes of a column
  /// fall into different banks.
  unsigned pitch() const {
    return Columns + std::max(1u, 4 / std::max(1u, ElementBytes));
  }
  /// Returns the shared memory for \p NumRows rows of a thread, in bytes.
  uint64_t bytes(unsigned NumRows) const {
    return uint64_t(NumRows) * MaxThreads * pitch() * ElementBytes;
  }
};

/// The sectors of a request before and after.
struct SectorChange {
  double Before = 0, After = 0;
};

/// The loop of \p Walk, with its loads staged.
class StagedRows final : public KernelRewrite {
public:
  /// \p OfInstances is the walk as each instance of the kernel has it.
  /// \p Number is that of the loop among those of its kernel, from 0.
  StagedRows(RowWalk Walk, std::vector<RowWalk> OfInstances, TileShape Tile,
             unsigned Number, SectorChange Sectors)
      : Walk(std::move(Walk)), OfInstances(std::move(OfInstances)), Tile(Tile),
        Number(Number), Sectors(Sectors) {}

  Note describe(const Kernel &K, bool IsMade) const override;
  llvm::Error write(const Kernel &K, clang::ASTContext &Context,
                    Edits &All) const override;
  llvm::Error verify(const Kernel &K,
                     clang::ASTContext &Context) const override;
  void print(const Kernel &K, llvm::raw_ostream &OS) const override;
  uint64_t sharedBytes() const override { return Tile.bytes(Walk.NumRows); }

private:
  const RowWalk Walk;
  const std::vector<RowWalk> OfInstances;
  const TileShape Tile;
  const unsigned Number;
  const SectorChange Sectors;
};

/// Returns an error if what \p Walk promises about its loop does not show in
/// the syntax tree. Unlike findRowWalks(), which reads the IR, it looks at the
/// text only, and trusts nothing that it does not know.
llvm::Error checkWalk(const RowWalk &Walk, const clang::ASTContext &Context);

/// Adds to \p All the edits that stage the loads of \p Walk in tiles of the
/// shape \p Tile. \p Number tells their names from those of other loops.
llvm::Error stageRows(const RowWalk &Walk, const TileShape &Tile,
                      unsigned Number, const Kernel &K,
                      clang::ASTContext &Context, Edits &All);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_GLOBAL_STAGEDROWS_H
