// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes what `cuda-opt tune` found into a configuration file:
///
///   # cuda-opt tune, NVIDIA H200: lu takes 0.87 of the time (layout=pad)
///   Layout: [auto, lu=pad]
///
/// and what `cuda-opt calibrate` measured:
///
///   Gpu: [NVIDIA H200, sm_90, sms=132, mhz=1973, ..., measured]
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_TUNE_PINNEDCHOICES_H
#define CUDAOPT_DRIVER_TUNE_PINNEDCHOICES_H

#include "cudaopt/Machine/Gpu.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudaopt {

/// The choices for one kernel, and what was measured.
struct PinnedKernel {
  std::string Kernel;
  std::string Layout, Reuse; ///< Empty for the default.
  std::string Comment;
};

/// What holds in a folder, by the values of --layout and --reuse.
struct EffectiveChoices {
  llvm::StringRef Layout, Reuse;
};

/// Returns \p Text, that of a configuration file, with \p Pins in place of what
/// it says of the kernels \p Tuned; its line ends and comments stay. A line
/// that is added says for all other kernels what holds \p Now. Fails if the
/// lines "Layout" and "Reuse" of the text cannot be replaced.
llvm::Expected<std::string>
pinChoices(llvm::StringRef Text, llvm::ArrayRef<PinnedKernel> Pins,
           llvm::ArrayRef<std::string> Tuned,
           const EffectiveChoices &Now = {"auto", "auto"});

/// Returns \p Text, that of a configuration file, with "Gpu: [...]" that
/// describes \p Measured. Fails if a line "Gpu" of the text cannot be replaced.
llvm::Expected<std::string> pinGpu(llvm::StringRef Text, const Gpu &Measured);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_TUNE_PINNEDCHOICES_H
