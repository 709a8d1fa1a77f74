// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The sizes, the rows by hand, and the host's part of the products whose
/// slices are read element by element: a block of 16 x 16 threads has 128 x 128
/// results, a thread 8 x 8.
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BANKS_GPU_SLICEDPRODUCT_H
#define BENCHMARKS_BANKS_GPU_SLICEDPRODUCT_H

#include "Bench.h"

namespace bench {

constexpr int TILE = 128;
constexpr int DEPTH = 8;
constexpr int EDGE = 8;

#if defined(PADDED)
constexpr int PITCH_A = DEPTH + 4, PITCH_B = TILE + 4;
#else
constexpr int PITCH_A = DEPTH, PITCH_B = TILE;
#endif

/// \p launch takes the grid, the product, both factors, the number of columns
/// and the length of the sums: \p rounds steps of the loop with 8 terms each.
template <typename T, typename Function>
int runSlicedProduct(const char *kernel, int argc, char **argv,
                     Function launch) {
  Options options = parse(argc, argv, {2048, 256}, TILE);
  int n = options.work.size, k = options.work.rounds * DEPTH;
  size_t count = size_t(n) * k;
  DeviceArray<T> a(count, [](size_t i) { return T(number(i)); });
  DeviceArray<T> b(count, [=](size_t i) { return T(number(i + count)); });
  DeviceArray<T> c(size_t(n) * n);
  dim3 grid(n / TILE, n / TILE);
  return run(kernel, options, size_t(grid.x) * grid.y, c,
             [&] { launch(grid, c.get(), a.get(), b.get(), n, k); });
}

} // namespace bench

#endif // BENCHMARKS_BANKS_GPU_SLICEDPRODUCT_H
