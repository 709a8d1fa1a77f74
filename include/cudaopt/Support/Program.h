// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs a program and reads what it prints.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_PROGRAM_H
#define CUDAOPT_SUPPORT_PROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudaopt {

/// A program that has ended.
struct ProgramRun {
  /// Its exit code; negative if it could not be run, was killed by a signal or
  /// took too long.
  int Status = -1;
  std::string Output, Messages; ///< Of standard output, and of standard error.
  std::string Problem;          ///< If Status is negative: why.

  bool isDone() const { return Status == 0; }
  /// In a few words why it is not done: Problem, or the first line it printed.
  std::string explain() const;
};

/// Runs \p Words: a program, by its path, and its arguments. Its standard input
/// is empty. It is killed after \p Seconds; 0: never.
ProgramRun runProgram(llvm::ArrayRef<llvm::StringRef> Words,
                      unsigned Seconds = 0);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_PROGRAM_H
