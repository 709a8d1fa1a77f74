// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs tasks in child processes, so that a crash affects only its own task.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_WORKERS_H
#define CUDAOPT_FUZZ_WORKERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cudaopt::fuzz {

/// The output of a child, or how it died.
struct Reply {
  std::string Text;
  /// Empty if it did not die; otherwise "signal 11" or the like.
  std::string Death;
};

/// Runs \p Task for 0, 1, ..., \p Count - 1, each in a child of its own that
/// may use \p Seconds of CPU time, \p Jobs at a time. Passes the results to
/// \p Done in the order in which tasks end; \p Done returns false to start no
/// further task.
void runInChildren(uint64_t Count, unsigned Jobs, unsigned Seconds,
                   llvm::function_ref<std::string(uint64_t)> Task,
                   llvm::function_ref<bool(uint64_t, Reply)> Done);

/// The same for one task.
Reply runInChild(unsigned Seconds, llvm::function_ref<std::string()> Task);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_WORKERS_H
