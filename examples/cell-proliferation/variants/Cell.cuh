// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cell of the thesis (Variants.h), a structure of 40 bytes, and its
/// division, which is one thread's work.
//===----------------------------------------------------------------------===//

#ifndef CELLS_VARIANTS_CELL_CUH
#define CELLS_VARIANTS_CELL_CUH

#include "../Lineage.h"

namespace cells {

enum class State : int32_t {
  NOTHING, ///< No cell: also what a cleared array holds.
  ALIVE,
  INACTIVE, ///< Out of time, to be counted.
  VANISHED, ///< Divided, but too dim for it.
};

struct Cell {
  double fluorescence;
  double time; ///< When it divides.
  uint64_t path;
  uint32_t root;
  int32_t type;
  State state;
  uint32_t unused;
};

constexpr int CELL_WORDS = 10;
static_assert(sizeof(Cell) == 4 * CELL_WORDS);

struct Pair {
  Cell left, right;
};

/// Returns what takes the place of a living cell in the next generation: its
/// daughters, or the cell itself, inactive or vanished, and nothing.
__device__ inline Pair proliferate(const Rules<double> &rules, double threshold,
                                   const Cell &cell) {
  Pair pair{};
  double half = cell.fluorescence / 2;
  if (cell.time > rules.duration || !(half > threshold)) {
    pair.left = cell;
    pair.left.state =
        cell.time > rules.duration ? State::INACTIVE : State::VANISHED;
    return pair;
  }
  Two<double> daughters = divide(rules.key, rules.intervals[cell.type],
                                 cell.root, cell.path, cell.time);
  pair.left = {half,      daughters.left, 2 * cell.path,
               cell.root, cell.type,      State::ALIVE,
               0};
  pair.right = {half,      daughters.right, 2 * cell.path + 1,
                cell.root, cell.type,       State::ALIVE,
                0};
  return pair;
}

} // namespace cells

#endif // CELLS_VARIANTS_CELL_CUH
