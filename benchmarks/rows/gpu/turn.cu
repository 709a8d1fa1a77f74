// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies rows to columns, as k-means does first: loads are far apart, stores
// side by side, and only addresses tell that these do not meet.

#include "Rows.h"

__global__ void turn(float *columns, const float *rows, int n, int numRows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < numRows)
    for (int c = 0; c < n; c++)
      columns[c * numRows + row] = rows[row * n + c];
}

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {1024, 0}, 1);
  int n = options.work.size, rows = bench::rowsFor(n);
  bench::DeviceArray<float> in(size_t(rows) * n, bench::number),
      out(size_t(rows) * n);
  return bench::runKernel("turn", options, turn, rows / 256, 256, out, [&] {
    turn<<<rows / 256, 256>>>(out.get(), in.get(), n, rows);
  });
}
