// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs an external program, such as nvcc, and reads what it prints.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_PROGRAM_H
#define CUDAOPT_SUPPORT_PROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudaopt {

/// A program that has ended.
struct ProgramRun {
  /// The program's exit code; negative if it could not be run, was killed by a
  /// signal, or took too long.
  int Status = -1;
  /// What it printed to standard output and to standard error.
  std::string Output, Messages;
  std::string Problem; ///< Why Status is negative; "" if it is not.

  bool isDone() const { return Status == 0; }
  /// Returns in a few words why the program failed: Problem, or the first line
  /// that it printed. Only for programs that are not done.
  std::string explain() const;
};

/// Runs a program to its end. \p Words are the path of the program and its
/// arguments. Its standard input is empty. It is killed after \p Seconds, or
/// never if that is 0.
ProgramRun runProgram(llvm::ArrayRef<llvm::StringRef> Words,
                      unsigned Seconds = 0);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_PROGRAM_H
