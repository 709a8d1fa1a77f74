// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix times a vector, one row a thread: what a programmer writes first.

#include "Rows.h"

__global__ void matrixVector(const float *a, const float *x, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < n; ++c)
    sum += a[row * n + c] * x[c];
  y[row] = sum;
}

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {1024, 0}, 1);
  int n = options.work.size, rows = bench::rowsFor(n);
  bench::DeviceArray<float> a(size_t(rows) * n, bench::number),
      x(n, bench::number), y(rows);
  return bench::runKernel(
      "matrix_vector", options, matrixVector, rows / 256, 256, y, [&] {
        matrixVector<<<rows / 256, 256>>>(a.get(), x.get(), y.get(), n);
      });
}
