// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The programs that measure on the user's GPU (runtime/tune). Their texts are
/// a part of cuda-opt; the user's CUDA Toolkit compiles them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_TUNE_MEASURINGPROGRAMS_H
#define CUDAOPT_LIB_DRIVER_TUNE_MEASURINGPROGRAMS_H

#include "Launcher/ChildProcess.h"

#include "llvm/Support/Error.h"
#include <string>

namespace cudaopt {

/// Compiles the library that measures the kernels of a program; returns its
/// path, which is in \p Folder. Fails if the toolkit has no CUPTI.
llvm::Expected<std::string> buildTimer(llvm::StringRef Folder,
                                       ChildRunner &Runner);

/// Compiles the program that measures how fast the GPU is; returns its path,
/// which is in \p Folder.
llvm::Expected<std::string> buildGpuProbe(llvm::StringRef Folder,
                                          ChildRunner &Runner);

/// Returns an error if the driver finds no GPU.
llvm::Error findGpu();

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_TUNE_MEASURINGPROGRAMS_H
