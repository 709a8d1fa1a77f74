// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The interface of simulators: one uses the threads of the CPU, one GPUs. They
/// count the same cells, exactly.
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
  /// The time of the latest simulate(): of the GPUs without copies, or of the
  /// CPU.
  virtual double milliseconds() const = 0;
  /// The most memory that was allocated on one GPU; 0 on the CPU.
  virtual size_t deviceBytes() const { return 0; }
};

std::unique_ptr<Simulator> makeCpuSimulator(const Population &population,
                                            const Conditions &conditions,
                                            Precision precision,
                                            unsigned threadCount);

/// The number of GPUs that can be used; 0 also if the program was built without
/// nvcc.
int countGpus();

/// Makes a simulator that uses the first \p gpuCount GPUs, each for a part of
/// the roots. It and its functions throw std::runtime_error if the CUDA runtime
/// reports an error.
std::unique_ptr<Simulator> makeGpuSimulator(const Population &population,
                                            const Conditions &conditions,
                                            Precision precision, int gpuCount);

} // namespace cells

#endif // CELLS_SIMULATOR_H
