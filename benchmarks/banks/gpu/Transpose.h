// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The host's part of the transposes.
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BANKS_GPU_TRANSPOSE_H
#define BENCHMARKS_BANKS_GPU_TRANSPOSE_H

#include "Bench.h"

namespace bench {

constexpr int TILE = 32;
constexpr int ROWS = 8;

/// \p launch takes the output, the input and the number of rows.
template <typename T, typename Function>
int runTranspose(const char *kernel, int argc, char **argv, int size,
                 Function launch) {
  Options options = parse(argc, argv, {size, 0}, TILE);
  int n = options.work.size;
  size_t count = size_t(n) * n, blocks = count / (TILE * TILE);
  DeviceArray<T> in(count, [](size_t i) { return T(number(i)); }), out(count);
  return run(kernel, options, blocks, out,
             [&] { launch(out.get(), in.get(), n); });
}

} // namespace bench

#endif // BENCHMARKS_BANKS_GPU_TRANSPOSE_H
