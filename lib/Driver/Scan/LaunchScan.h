// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects the kernel launches of one file of a program, for --whole-program.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_SCAN_LAUNCHSCAN_H
#define CUDAOPT_LIB_DRIVER_SCAN_LAUNCHSCAN_H

#include "Parse/SourceParse.h"
#include "cudaopt/Driver/Driver.h"

#include <optional>
#include <string>

namespace cudaopt {

/// The result of scanning a file for launches.
struct LaunchScan {
  std::optional<ProgramLaunches> Launches;
  std::string Problem; ///< Why Launches is missing.
  FileFacts Seen;      ///< The facts that the result rests on, or its failure.
};

/// Parses \p In once for each side and GPU for which its text may differ, and
/// merges the launches: if the text does not ask for which of them it is
/// compiled, once suffices.
LaunchScan scanLaunches(SourceParser &Parser, const Input &In,
                        const Options &Opts);

/// Writes the launches of \p In to Line.ScanFile. If the file cannot be read,
/// writes the reason to standard error and returns an error code.
ExitCode runLaunchScan(const CommandLine &Line, SourceParser &Parser,
                       const Input &In);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_SCAN_LAUNCHSCAN_H
