// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loops that programs call for a few iterations at a time; see short_loops.sh.
//===----------------------------------------------------------------------===//

#include "cudaopt/annotations.h"

#include <cstddef>
#include <vector>

namespace LOOPS { // What they are, and what cuda-opt made of them.

void histogram(const int *keys, std::size_t n, int *counts, std::size_t m) {
  CUDAOPT_LEVELIZE(counts [0:m])
  for (std::size_t i = 0; i < n; ++i)
    ++counts[keys[i]];
}

/// The entries of one element, added to a vector, as finite elements do.
void assemble(const int *rows, const double *entries, std::size_t n,
              std::vector<double> &sums, int first, int last) {
  CUDAOPT_LEVELIZE(rows [0:n], entries [0:n])
  for (std::size_t i = 0; i < n; ++i) {
    if (rows[i] < first || rows[i] > last)
      continue;
    std::size_t row = rows[i] - first;
    sums[row] += entries[i];
  }
}

} // namespace LOOPS
