// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nearest of some centres for each point, as in k-means: each thread walks
// along the coordinates of its point once for each centre.

#include "Rows.h"

constexpr int CENTRES = 5;

__global__ void nearest(const float *points, const float *centres,
                        int *membership, int coordinates) {
  int point = blockIdx.x * blockDim.x + threadIdx.x;
  int best = 0;
  float least = 1e30f;
  for (int k = 0; k < CENTRES; ++k) {
    float distance = 0;
    for (int c = 0; c < coordinates; ++c) {
      float d = points[point * coordinates + c] - centres[k * coordinates + c];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  membership[point] = best;
}

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {1024, 0}, 1);
  int n = options.work.size, rows = bench::rowsFor(n);
  bench::DeviceArray<float> points(size_t(rows) * n, bench::number),
      centres(CENTRES * n, bench::number);
  bench::DeviceArray<int> membership(rows);
  return bench::runKernel("nearest", options, nearest, rows / 256, 256,
                          membership, [&] {
                            nearest<<<rows / 256, 256>>>(
                                points.get(), centres.get(), membership.get(),
                                n);
                          });
}
