// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What simulates: the threads of the CPU, or GPUs. They count the same cells.
//===----------------------------------------------------------------------===//

#ifndef CELLS_SIMULATOR_H
#define CELLS_SIMULATOR_H

#include "Counts.h"
#include "Model.h"

#include <memory>
#include <string>
#include <vector>

namespace cells {

enum class Precision { FLOAT, DOUBLE };

/// Simulates the descendants of one population, as often as wanted.
class Simulator {
public:
  virtual ~Simulator() = default;
  virtual std::vector<Counts> simulate(const std::vector<Model> &models) = 0;
  virtual std::string name() const = 0;
  /// Of the latest simulate(): what the GPUs needed without the copies, or the
  /// CPU.
  virtual double milliseconds() const = 0;
  /// Memory that was allocated on each GPU.
  virtual size_t deviceBytes() const { return 0; }
};

std::unique_ptr<Simulator> makeCpuSimulator(const Population &population,
                                            const Conditions &conditions,
                                            Precision precision,
                                            unsigned threadCount);

/// The number of GPUs that can be used; 0 also if the program was built without
/// nvcc.
int countGpus();

/// Uses the first \p gpuCount GPUs, each for a part of the roots. Throws
/// std::runtime_error if the CUDA runtime reports an error.
std::unique_ptr<Simulator> makeGpuSimulator(const Population &population,
                                            const Conditions &conditions,
                                            Precision precision, int gpuCount);

} // namespace cells

#endif // CELLS_SIMULATOR_H
