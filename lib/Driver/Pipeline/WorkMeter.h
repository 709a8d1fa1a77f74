// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Counts what the blocks of a kernel execute, in the device code that clang
/// generates and LLVM optimizes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_WORKMETER_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_WORKMETER_H

#include "cudaopt/Check/DeviceCheck.h"
#include "cudaopt/Driver/Pipeline/Pipeline.h"
#include "cudaopt/Model/Kernel.h"

namespace cudaopt {

/// Returns the launch that \p I stands for.
CountedLaunch makeCountedLaunch(const KernelInstance &I);

/// Returns the work of a block of \p Launch, whose code is in \p Code;
/// std::nullopt if the shape of the block is not known, or if the code cannot
/// be run. It takes some 0.05 s.
std::optional<KernelWork> measureWork(const check::DeviceCheck &Code,
                                      const CountedLaunch &Launch,
                                      const Target &T);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_WORKMETER_H
