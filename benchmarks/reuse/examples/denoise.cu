// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of examples/denoise, or of what cuda-opt made of it (SOURCE): one
// sweep along each side of a volume. The sizes of document 001's table II are
// 16 to 128.

#define main exampleMain
#include SOURCE
#undef main

#include "../gpu/Occupancy.h"

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {64, 0}, TILE);
  int n = options.work.size;
  size_t count = size_t(n) * n * n;
  bench::DeviceArray<float> noisy(count, bench::number), x(count), y(count),
      z(count);
  const std::vector<int> plans[] = {
      {n, n, n, 1, n, n * n, false},
      {n, n, n, n, 1, n * n, true},
      {n, n, n, n * n, 1, n, true},
  };
  example::DeviceArray<int> alongX(plans[0]), alongY(plans[1]),
      alongZ(plans[2]);
  const dim3 grid(n / TILE, n / TILE, n), block(TILE, TILE);
  const float step = 0.02f, fidelity = 1.0f;
  return bench::runKernel("denoise", options, denoise, grid, block, z, [&] {
    denoise<<<grid, block>>>(x.get(), noisy.get(), noisy.get(), alongX.get(),
                             step, fidelity);
    denoise<<<grid, block>>>(y.get(), x.get(), noisy.get(), alongY.get(), step,
                             fidelity);
    denoise<<<grid, block>>>(z.get(), y.get(), noisy.get(), alongZ.get(), step,
                             fidelity);
  });
}
