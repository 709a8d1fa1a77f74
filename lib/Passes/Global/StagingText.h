// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The text of a staged loop, made of names and of pieces of the source.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_GLOBAL_STAGINGTEXT_H
#define CUDAOPT_LIB_PASSES_GLOBAL_STAGINGTEXT_H

#include "StagedRows.h"

namespace cudaopt {

/// A row that each thread walks. All members but the first three are names.
struct StagedRow {
  std::string Element; ///< At the first column of the tile: `a[r * n + c0]`.
  /// At the last column of the row, if it has to be tested where that is.
  std::string Last;
  std::string Type;      ///< Of the element, without qualifiers.
  std::string Tile, Row; ///< The tiles of all warps, and the row of the thread.
  /// Where the first row begins, and the distance of neighbouring rows.
  std::string First, Pitch;
  /// What the lane copies: where from, and the elements on their way.
  std::string From, Next;
};

/// What the loop stores to, in its first and in its last iteration.
struct StagedStore {
  std::string First, Last;
};

/// A loop whose rows are staged.
struct StagedLoop {
  TileShape Tile;
  std::vector<StagedRow> Rows;
  std::vector<StagedStore> Stores;
  std::string Indent; ///< In front of the loop.
  /// The type of the counter, its first value and its bound.
  std::string Type, First, End;
  bool IncludesEnd = false;
  /// Names: the first column, the thread's numbers, what a lane copies.
  std::string Begin, Warp, Lane, Turn;
  std::string Head;     ///< `for (...)` over the columns of a tile.
  std::string Body;     ///< Reads the tile in place of the row.
  bool IsBlock = false; ///< The body has braces.
};

/// Returns the text in front of the original loop, which goes on at the column
/// that StagedLoop::Begin names.
std::string writeStaging(const StagedLoop &Loop);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_GLOBAL_STAGINGTEXT_H
