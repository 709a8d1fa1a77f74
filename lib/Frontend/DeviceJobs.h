// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The parses for the GPUs of a compilation, made from one of its jobs. Clang's
/// driver runs a job for each GPU and one for the host, in processes that know
/// little of each other.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_DEVICEJOBS_H
#define CUDAOPT_LIB_FRONTEND_DEVICEJOBS_H

#include "clang/Frontend/CompilerInvocation.h"
#include <memory>
#include <string>
#include <vector>

namespace cudaopt {

/// A parse for one GPU.
struct DeviceJob {
  std::string Arch;
  std::vector<std::string> Arguments; ///< Of clang -cc1.
  bool IsOwn; ///< The job it was made from is the one for this GPU.

  std::shared_ptr<clang::CompilerInvocation> createInvocation() const;
};

/// Returns a parse for each GPU that the compilation of \p Job is for, in the
/// order in which clang's driver names them; none if \p Job does not tell.
std::vector<DeviceJob> listDeviceJobs(const clang::CompilerInvocation &Job);

/// Returns words that the jobs of one run of clang's driver have in common, and
/// no others; none if this process is not such a job.
std::vector<std::string> identifyDriverRun();

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_DEVICEJOBS_H
