// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The result of a simulation: for each bin, type and generation, how many
/// cells there are when time is over.
//===----------------------------------------------------------------------===//

#ifndef CELLS_COUNTS_H
#define CELLS_COUNTS_H

#include "Population.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace cells {

/// The layout of a table of counts in memory. A bin has a row for each type;
/// the columns of a row are the generations, and one for the cells that
/// vanished.
struct Shape {
  uint32_t binCount;
  int typeCount;
  int columnCount;

  int removedColumn() const { return columnCount - 1; }
  size_t rowSize() const { return size_t(typeCount) * columnCount; }
  size_t size() const { return binCount * rowSize(); }
  size_t at(uint32_t bin, int type, int column) const {
    return (size_t(bin) * typeCount + type) * columnCount + column;
  }
};

inline Shape shapeOf(const Population &population, int typeCount) {
  return {population.binCount(), typeCount, population.mostGenerations + 2};
}

/// What one simulation counted.
struct Counts {
  Shape shape;
  std::vector<uint64_t> cells;
  uint64_t divisions = 0;

  explicit Counts(Shape shape) : shape(shape), cells(shape.size()) {}

  /// Adds the counts of other roots, of the same shape.
  void add(const Counts &other);

  /// The cells of a generation at the end, of all bins and types.
  uint64_t inGeneration(int generation) const;
  uint64_t counted() const; ///< All cells at the end.
  uint64_t removed() const { return inGeneration(shape.removedColumn()); }
  /// A number that differs if a count does (FNV-1a).
  uint64_t hash() const;
};

/// The cells of one fluorescence at the end; all, and by type.
struct OutputRow {
  double fluorescence;
  double count;
  std::vector<double> countOfType;
};

/// Returns the rows by ascending fluorescence, without those that have no
/// cells. \p counts has the shape's size; cells that vanished are left out.
template <typename Number>
std::vector<OutputRow> outputRows(const Population &population,
                                  const Shape &shape,
                                  const std::vector<Number> &counts);

/// Prints the fluorescence, the count and, if \p hasTypes, the count of each
/// type, separated by tabs. \p prefix begins each line.
void print(std::ostream &out, const std::vector<OutputRow> &rows, bool hasTypes,
           const std::string &prefix = "");

/// Checks the conservation of cells. Returns what is wrong with the counts, or
/// an empty text: a division makes one cell two, and the descendants of a root,
/// weighed by 2^-generation, add up to 1.
std::string violation(const Population &population, const Counts &counts);

} // namespace cells

#endif // CELLS_COUNTS_H
