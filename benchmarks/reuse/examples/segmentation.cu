// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of examples/segmentation, or of what cuda-opt made of it (SOURCE):
// one step of the contour. Document 001's table III has sizes of 64 to 512;
// here they are multiples of 12.

#define main exampleMain
#include SOURCE
#undef main

#include "../gpu/Occupancy.h"

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {252, 0}, INNER);
  int n = options.work.size;
  size_t count = size_t(n) * n;
  bench::DeviceArray<float> in(count, bench::number), out(count);
  std::vector<unsigned char> pixels(count);
  for (size_t i = 0; i < count; ++i)
    pixels[i] = png::level(0.5f + 0.4f * example::noise(uint32_t(i)));
  example::DeviceArray<unsigned char> image(pixels);
  example::DeviceArray<float> forces(
      forcesOf(std::vector<float>(count, 1.0f), pixels));
  const dim3 grid(n / INNER, n / INNER), block(TILE, TILE);
  return bench::runKernel(
      "segmentation", options, evolve, grid, block, out, [&] {
        evolve<<<grid, block>>>(out.get(), in.get(), image.get(), forces.get(),
                                n);
      });
}
