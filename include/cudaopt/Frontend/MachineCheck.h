// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks rewritten kernels against the originals on the interpreter:
/// --verify=machine.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_MACHINECHECK_H
#define CUDAOPT_FRONTEND_MACHINECHECK_H

#include "cudaopt/Frontend/CommandLine.h"
#include "cudaopt/Verify/Equivalence.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cudaopt {

/// A translation unit with some kernels rewritten.
struct RewriteRequest {
  /// The shapes of a kernel's launches, by the mangled name of the instance.
  using Instances = std::map<std::string, std::vector<LaunchShape>>;
  std::vector<Instances> Kernels;
  /// The text of the files that differ, by real path.
  std::map<std::string, std::string> Before, After;
};

/// Returns a verdict for each kernel.
using RewriteChecker =
    std::function<std::vector<Verdict>(const RewriteRequest &)>;

/// The checker that compiles both texts as \p In says and runs the kernels;
/// \p Executable is argv[0], \p Arch as of chooseArch.
RewriteChecker createMachineChecker(const Input &In, const char *Executable,
                                    llvm::StringRef Arch);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_MACHINECHECK_H
