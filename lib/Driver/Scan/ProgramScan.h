// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects the launches of a whole program for one of its many launched
/// compilations (--whole-program). Each file is scanned in a process of its
/// own. The cache keeps the launches of every file and of the whole program, so
/// that a build scans each file only once.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_SCAN_PROGRAMSCAN_H
#define CUDAOPT_LIB_DRIVER_SCAN_PROGRAMSCAN_H

#include "Launcher/ChildProcess.h"
#include "cudaopt/Driver/Cache/FileFacts.h"
#include "cudaopt/Driver/Command/CommandLine.h"
#include "cudaopt/Driver/Launcher/LaunchedCompile.h"
#include "cudaopt/Launches/ProgramLaunches.h"

#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// The program that a compilation database describes.
struct ProgramScan {
  /// The launches of all files; std::nullopt if some are not known.
  std::optional<ProgramLaunches> Launches;
  /// Why they are not known: "c.cu: why".
  std::string Problem;
  /// The facts about files that this result rests on.
  FileFacts Seen;

  /// Returns the files that the result depends on, for dependency files: the
  /// database and the user's files that were read. \p CudaPath is the toolkit.
  std::vector<std::string> listFiles(llvm::StringRef CudaPath) const;
};

/// Scans the program of the compilation database of \p Line, of which
/// \p Compile should be a command. Fails if there is no such database.
llvm::Expected<ProgramScan> scanProgram(const CommandLine &Line,
                                        const LaunchedCompile &Compile,
                                        const std::string &Self,
                                        ChildRunner &Runner);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_SCAN_PROGRAMSCAN_H
