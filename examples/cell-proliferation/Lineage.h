// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The rules of proliferation: what a cell draws, as a function of the cell.
///
/// A cell is identified by a root and a path in its tree: 1 is the root itself,
/// 2p and 2p+1 are the daughters of p, so the position of the path's highest
/// bit is the generation. All random numbers of a cell are a function of these
/// two and the seed (a counter-based generator, Philox.h). So the cells are the
/// same in whatever order, and by however many threads, they are visited.
//===----------------------------------------------------------------------===//

#ifndef CELLS_LINEAGE_H
#define CELLS_LINEAGE_H

#include "Philox.h"
#include "TruncatedNormal.h"

namespace cells {

constexpr int MOST_TYPES = 8;
/// The deepest generation. Paths have 64 bits, of which the root takes one.
constexpr int MOST_GENERATIONS = 62;

/// How old the roots are when time begins.
enum class Start {
  /// All roots are new.
  SYNCHRONOUS,
  /// The age is a uniformly drawn part of an interval between divisions, which
  /// is drawn for it.
  ASYNCHRONOUS,
  /// The same, but a part of the interval until the root's own division.
  SHARED_DRAW,
};

/// What a simulation needs to know of the model, in the precision \p Real.
template <typename Real> struct Rules {
  Key key;
  Real duration;
  Start start;
  int32_t typeCount;
  Real cumulative[MOST_TYPES]; ///< Proportion of this type and those before.
  /// The hours between divisions; a negative mean stands for a type that never
  /// divides.
  TruncatedNormal<Real> intervals[MOST_TYPES];
};

/// What a root draws.
template <typename Real> struct Founder {
  int type;
  Real divisionTime; ///< Beyond all durations if it never divides.
};

/// The second word of a counter: what its random words are for, so that no two
/// draws share words.
enum Purpose : uint32_t { DIVISION, FOUNDATION, INTERVALS };

/// The type of a root, and when it divides.
template <typename Real>
CELLS_INLINE Founder<Real> founder(const Rules<Real> &rules, uint32_t root) {
  Words words = philox({root, FOUNDATION, 0, 0}, rules.key);
  Real chosen = uniform<Real>(words.x, words.y);
  int type = 0;
  while (type < rules.typeCount - 1 && !(chosen < rules.cumulative[type]))
    ++type;
  const TruncatedNormal<Real> &interval = rules.intervals[type];
  if (interval.mean < 0)
    return {type, Real(HUGE_VALF)};
  // The interval until the division, and that which the root is a part of.
  Two<Real> whole = interval.draw(philox({root, INTERVALS, 0, 0}, rules.key));
  if (rules.start == Start::SYNCHRONOUS)
    return {type, whole.left};
  if (rules.start == Start::SHARED_DRAW)
    whole.right = whole.left;
  // As in ProCell, the age delays the first division.
  Real part = uniform<Real>(words.z, words.w);
  return {type, std::fma(whole.right, part, whole.left)};
}

/// Returns when the two daughters of a cell that divides at \p time will
/// divide.
template <typename Real, typename Path>
CELLS_INLINE Two<Real> divide(Key key, const TruncatedNormal<Real> &interval,
                              uint32_t root, Path path, Real time) {
  Words words = philox(
      {root, DIVISION, uint32_t(path), uint32_t(uint64_t(path) >> 32)}, key);
  Two<Real> intervals = interval.draw(words);
  return {time + intervals.left, time + intervals.right};
}

} // namespace cells

#endif // CELLS_LINEAGE_H
