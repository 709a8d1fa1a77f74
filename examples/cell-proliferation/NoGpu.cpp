// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where nvcc is missing, the program is built without GPUs.
//===----------------------------------------------------------------------===//

#include "Simulator.h"
#include "variants/Variants.h"

#include <stdexcept>

using namespace cells;

int cells::countGpus() { return 0; }

std::unique_ptr<Simulator> cells::makeGpuSimulator(const Population &,
                                                   const Conditions &,
                                                   Precision, int) {
  throw std::runtime_error("this program was built without nvcc");
}

VariantRun cells::runHostLoop(const Population &, const Model &,
                              const Conditions &) {
  throw std::runtime_error("this program was built without nvcc");
}

VariantRun cells::runDynamic(const Population &, const Model &,
                             const Conditions &, const VariantSettings &) {
  throw std::runtime_error("this program was built without nvcc");
}
