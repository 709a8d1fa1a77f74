// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Derives the parses for all GPUs of a compilation from one of its jobs. For a
/// CUDA source clang's driver runs one -cc1 job for each GPU and one for the
/// host, in processes that know little of each other; the plugin sees only the
/// job in which it is loaded.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PLUGIN_DEVICEJOBS_H
#define CUDAOPT_LIB_DRIVER_PLUGIN_DEVICEJOBS_H

#include "clang/Frontend/CompilerInvocation.h"
#include <memory>
#include <string>
#include <vector>

namespace cudaopt {

/// A parse for one GPU.
struct DeviceJob {
  std::string Arch;
  std::vector<std::string> Arguments; ///< The arguments of clang -cc1.
  bool IsOwn; ///< The job that the plugin runs in is the one for this GPU.

  std::shared_ptr<clang::CompilerInvocation> createInvocation() const;
};

/// Returns a parse for each GPU of the compilation that \p Job is a part of, in
/// the order of clang's driver; an empty list if \p Job does not tell the GPUs.
std::vector<DeviceJob> listDeviceJobs(const clang::CompilerInvocation &Job);

/// Returns words that all jobs of one run of clang's driver have in common, and
/// jobs of other runs have not; an empty list if this process is not a job of a
/// driver.
std::vector<std::string> identifyDriverRun();

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PLUGIN_DEVICEJOBS_H
