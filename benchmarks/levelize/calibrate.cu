// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Measures the first device for the runtime's decisions and prints what was
/// found. Nothing else should run meanwhile.
//===----------------------------------------------------------------------===//

#include "cudaopt/levelize/calibrate.hpp"

#include <cstdio>

int main() {
  cudaopt::device_model model;
  const cudaopt::status s = cudaopt::calibrate(0, model);
  if (s != cudaopt::status::ok) {
    std::fprintf(stderr, "not measured: %s\n", cudaopt::name_of(s));
    return 1;
  }
  cudaopt::detail::for_each_number(model, [](const char *name, float value) {
    std::printf("%-16s %g\n", name, double(value));
  });
  return 0;
}
