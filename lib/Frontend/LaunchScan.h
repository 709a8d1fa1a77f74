// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads what one file of a program does with kernels.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_LAUNCHSCAN_H
#define CUDAOPT_LIB_FRONTEND_LAUNCHSCAN_H

#include "SourceParse.h"
#include "cudaopt/Frontend/Driver.h"

#include <optional>
#include <string>

namespace cudaopt {

struct LaunchScan {
  std::optional<ProgramLaunches> Launches;
  std::string Problem; ///< Why there are none.
  FileFacts Seen;      ///< What the scan rests on, with or without result.
};

/// Parses \p In as often as there are different texts of it: for the host and
/// for each GPU, if its text asks which of them it is parsed for.
LaunchScan scanLaunches(SourceParser &Parser, const Input &In,
                        const Options &Opts);

/// Writes what the file that \p Line names launches to Line.ScanFile; with a
/// file that cannot be read, only why, to standard error.
ExitCode runLaunchScan(const CommandLine &Line, SourceParser &Parser,
                       const Input &In);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_LAUNCHSCAN_H
