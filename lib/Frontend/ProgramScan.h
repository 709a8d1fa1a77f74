// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What all files of a program launch, as one of many launched compilers asks:
/// each file is read by a process of its own, and the cache remembers what it
/// launches, and what all of them do.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_PROGRAMSCAN_H
#define CUDAOPT_LIB_FRONTEND_PROGRAMSCAN_H

#include "ChildProcess.h"
#include "cudaopt/Frontend/CommandLine.h"
#include "cudaopt/Frontend/FileFacts.h"
#include "cudaopt/Frontend/LaunchedCompile.h"
#include "cudaopt/Model/ProgramLaunches.h"

#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// The program that a compilation database describes.
struct ProgramScan {
  /// What all files launch; nothing if not all of that is known.
  std::optional<ProgramLaunches> Launches;
  /// Why it is not known: "c.cu: why".
  std::string Problem;
  /// What this rests on.
  FileFacts Seen;

  /// The database, and the files of users that were read, for dependencies;
  /// \p CudaPath is the toolkit.
  std::vector<std::string> listFiles(llvm::StringRef CudaPath) const;
};

/// Reads the program of the compilation database of \p Line, in which \p
/// Compile should be. Fails if there is no such database.
llvm::Expected<ProgramScan> scanProgram(const CommandLine &Line,
                                        const LaunchedCompile &Compile,
                                        const std::string &Self,
                                        ChildRunner &Runner);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_PROGRAMSCAN_H
