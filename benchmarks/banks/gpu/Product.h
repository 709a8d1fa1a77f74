// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The layouts by hand, and the host's part, of the products of 52 x 52
/// matrices of doubles.
///
/// PUBLISHED has the layout of document 000, T = [2 1; 0 1]: element (row, k)
/// at row * 53 + 2 k. It needs 2806 doubles; the document declares 2805.
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BANKS_GPU_PRODUCT_H
#define BENCHMARKS_BANKS_GPU_PRODUCT_H

#include "Bench.h"

#if defined(PUBLISHED)
#define A_SIZE (51 * 53 + 51 * 2 + 1)
#define A_AT(row, k) AS[(row) * 53 + (k) * 2]
#elif defined(PADDED)
#define A_SIZE (WIDTH * 53)
#define A_AT(row, k) AS[(row) * 53 + (k)]
#elif defined(SWIZZLED)
#define A_SIZE (WIDTH * WIDTH)
#define A_AT(row, k) AS[(row) * WIDTH + ((k) ^ ((row) >> 2 & 3))]
#endif

namespace bench {

constexpr int WIDTH = 52;
constexpr int LANES = 32;

/// \p launch takes the product, both factors and the number of products.
template <typename Function>
int runProduct(const char *kernel, int argc, char **argv, int products,
               size_t blocksOfProduct, Function launch) {
  Options options = parse(argc, argv, {products, 0}, 1);
  int number = options.work.size;
  size_t count = size_t(number) * WIDTH * WIDTH;
  auto value = [](size_t i) { return double(bench::number(i)); };
  DeviceArray<double> a(count, value), b(count, value), c(count);
  return run(kernel, options, number * blocksOfProduct, c,
             [&] { launch(c.get(), a.get(), b.get(), number); });
}

} // namespace bench

#endif // BENCHMARKS_BANKS_GPU_PRODUCT_H
