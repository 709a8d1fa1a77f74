// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// `cuda-opt calibrate`: measures how fast the GPU of this machine is, checks
/// the model of its banks, and writes the rates into a file .cuda-opt, so that
/// times are predicted for this GPU (docs/Time.md).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_TUNE_CALIBRATE_H
#define CUDAOPT_DRIVER_TUNE_CALIBRATE_H

#include "cudaopt/Machine/Gpu.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudaopt {

/// A request to shared memory, in which lane L loads Width bytes at word L *
/// Stride, and the cycles that it takes when all warps make such requests.
struct MeasuredRequest {
  unsigned Width = 0, Stride = 0;
  double Cycles = 0;

  /// Returns the wavefronts that the model of the banks counts.
  unsigned predicted() const;
  /// Returns true if the cycles are those wavefronts, within a tenth.
  bool isAsPredicted() const;
};

/// What runtime/tune/gpu_speed.cu prints.
struct GpuRecord {
  Gpu Speed;
  std::vector<MeasuredRequest> Requests;

  /// Parses \p Text. Fails if a line is malformed or a rate is missing.
  static llvm::Expected<GpuRecord> parse(llvm::StringRef Text);
};

/// Does what \p Words, those behind `cuda-opt calibrate`, ask for. Returns the
/// exit code: 0; 2 for a wrong command line; 3 if nothing can be measured.
int runCalibrate(llvm::ArrayRef<std::string> Words);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_TUNE_CALIBRATE_H
