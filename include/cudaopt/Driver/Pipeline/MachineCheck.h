// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The check of --verify=machine: runs rewritten kernels and the originals on
/// the interpreter and compares their results.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PIPELINE_MACHINECHECK_H
#define CUDAOPT_DRIVER_PIPELINE_MACHINECHECK_H

#include "cudaopt/Driver/Command/CommandLine.h"
#include "cudaopt/Equivalence/Equivalence.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cudaopt {

/// Two versions of a translation unit, and the kernels to be compared.
struct RewriteRequest {
  /// The launch shapes of a kernel, by the mangled names of its instances.
  using Instances = std::map<std::string, std::vector<LaunchShape>>;
  std::vector<Instances> Kernels;
  /// The text of the files that differ, by real path.
  std::map<std::string, std::string> Before, After;
};

/// Compares the kernels of a request and returns a verdict for each, in the
/// order of RewriteRequest::Kernels.
using RewriteChecker =
    std::function<std::vector<Verdict>(const RewriteRequest &)>;

/// Returns the checker that compiles both versions with the command of \p In
/// and runs the kernels. \p Executable is argv[0]; \p Arch is a GPU as
/// chooseArch() returns it.
RewriteChecker createMachineChecker(const Input &In, const char *Executable,
                                    llvm::StringRef Arch);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PIPELINE_MACHINECHECK_H
