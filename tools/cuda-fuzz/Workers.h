// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs tasks in child processes: one that crashes takes nothing else with it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_WORKERS_H
#define CUDAOPT_FUZZ_WORKERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cudaopt::fuzz {

/// What a child said, or how it died.
struct Reply {
  std::string Text;
  std::string Death; ///< Empty if it did not; else "signal 11", ...
};

/// Runs \p Task for 0, 1, ..., \p Count - 1, each in a child of its own that
/// takes at most \p Seconds of a processor, \p Jobs at a time; hands on what
/// the tasks return in the order in which they end. \p Done says with false
/// that no further task shall start.
void runInChildren(uint64_t Count, unsigned Jobs, unsigned Seconds,
                   llvm::function_ref<std::string(uint64_t)> Task,
                   llvm::function_ref<bool(uint64_t, Reply)> Done);

/// The same for one task.
Reply runInChild(unsigned Seconds, llvm::function_ref<std::string()> Task);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_WORKERS_H
