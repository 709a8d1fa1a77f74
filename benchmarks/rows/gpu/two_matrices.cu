// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = A x + B x in double precision: two rows a thread, which restrict keeps
// apart from the result.

#include "Rows.h"

__global__ void twoMatrices(const double *__restrict__ a,
                            const double *__restrict__ b,
                            const double *__restrict__ x,
                            float *__restrict__ y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  double first = 0, second = 0;
  for (int c = 0; c < n; ++c) {
    first += a[row * n + c] * x[c];
    second += b[row * n + c] * x[c];
  }
  y[row] = float(first + second);
}

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {1024, 0}, 1);
  int n = options.work.size, rows = bench::rowsFor(n) / 4 / 128 * 128;
  bench::DeviceArray<double> a(size_t(rows) * n, bench::number),
      b(size_t(rows) * n, bench::number), x(n, bench::number);
  bench::DeviceArray<float> y(rows);
  return bench::runKernel(
      "two_matrices", options, twoMatrices, rows / 128, 128, y, [&] {
        twoMatrices<<<rows / 128, 128>>>(a.get(), b.get(), x.get(), y.get(), n);
      });
}
