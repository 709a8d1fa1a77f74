// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The steps of the thesis that this program goes beyond, each as a simulator
/// of its own (E. Nisoli, Simulazione stocastica su Graphics Processing Units
/// di modelli di proliferazione cellulare, sections 3.2.2 and 3.2.3). They draw
/// what the simulator draws, so that any difference is a lost cell.
//===----------------------------------------------------------------------===//

#ifndef CELLS_VARIANTS_VARIANTS_H
#define CELLS_VARIANTS_VARIANTS_H

#include "../Counts.h"
#include "../Model.h"

#include <string>
#include <vector>

namespace cells {

enum class Variant {
  HOST_LOOP,       ///< The host filters each generation.
  REWRITTEN_LOOP,  ///< The same after cuda-opt.
  DYNAMIC,         ///< Kernels launch the kernels of the next generation.
  BOUNDING,        ///< As DYNAMIC, but only where a cell lives.
  DEPTH_INFERENCE, ///< As BOUNDING, no deeper than the mean interval says.
  GPU_HISTOGRAM,   ///< As DEPTH_INFERENCE, and counts on the GPU.
};

/// The result of one variant.
struct VariantRun {
  std::vector<OutputRow> rows;
  uint64_t removed = 0; ///< Cells that vanished.
  /// The host's time from the roots to the histogram.
  double milliseconds = 0;
  double kernelMilliseconds = 0;
  size_t deviceBytes = 0;
  int depth = 0;         ///< Levels that were allocated.
  uint64_t launches = 0; ///< Kernels that the device launched or tried to.
  uint64_t refused = 0;  ///< Those among them that the device refused.
};

struct VariantSettings {
  Variant variant;
  int depth = 0; ///< 0: what the variant chooses.
  /// The limit of launches that may be pending on the device.
  size_t launchSlots = 2048;
};

/// False for the rewritten loop if the program was built without cuda-opt.
bool hasVariant(Variant variant);

/// All throw std::runtime_error if the CUDA runtime reports an error.
VariantRun runVariant(const Population &population, const Model &model,
                      const Conditions &conditions,
                      const VariantSettings &settings);
VariantRun runHostLoop(const Population &population, const Model &model,
                       const Conditions &conditions);
VariantRun runRewrittenHostLoop(const Population &population,
                                const Model &model,
                                const Conditions &conditions);
VariantRun runDynamic(const Population &population, const Model &model,
                      const Conditions &conditions,
                      const VariantSettings &settings);

} // namespace cells

#endif // CELLS_VARIANTS_VARIANTS_H
