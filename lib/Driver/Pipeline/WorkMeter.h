// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Counts what the blocks of a kernel execute, in the device code that clang
/// generates and LLVM optimizes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_WORKMETER_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_WORKMETER_H

#include "cudaopt/Check/DeviceCheck.h"
#include "cudaopt/Launches/BlockShape.h"
#include "cudaopt/Machine/KernelWork.h"
#include "cudaopt/Machine/Target.h"

namespace cudaopt {

/// Returns the work of a block of the kernel \p Symbol, whose code is in
/// \p Code; std::nullopt if the shape of the block is not known, or if the code
/// cannot be run. It takes some 0.05 s.
std::optional<KernelWork> measureWork(const check::DeviceCheck &Code,
                                      const std::string &Symbol,
                                      const BlockShape &Block, const Target &T);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_WORKMETER_H
