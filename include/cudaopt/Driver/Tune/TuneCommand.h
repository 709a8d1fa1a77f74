// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The command line of `cuda-opt tune`, which measures on the user's GPU which
/// layouts and storage make the kernels of a program fastest:
///
///   cuda-opt tune [options] nvcc -O3 a.cu -o app -- ./app 1024
///   cuda-opt tune [options] make -B NVCC="cuda-opt nvcc" -- ./app 1024
///
/// The command before `--` builds the program; the one behind it runs it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_TUNE_TUNECOMMAND_H
#define CUDAOPT_DRIVER_TUNE_TUNECOMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

/// What the fastest build is the fastest in.
enum class TuneObjective {
  Time,   ///< Each kernel takes the least time.
  Energy, ///< A run of the program takes the least energy.
  Product ///< Energy times the time of the kernels.
};

/// The options of one run of `cuda-opt tune`.
struct TuneCommand {
  std::vector<std::string> Build, Program;
  TuneObjective Objective = TuneObjective::Time;
  unsigned Rounds = 5; ///< How often each build of the program runs.
  /// Seconds after which no further build or round begins.
  std::optional<unsigned> Budget;
  /// The program itself appends its times to the file that CUDAOPT_TIMES names,
  /// in place of the library that the driver loads.
  bool TimesItself = false;
  bool Pins = true; ///< The result goes into .cuda-opt.
  std::string Json; ///< A file for all that was measured; may be empty.
  /// The files that the build makes and that differ between choices; by
  /// default the program.
  std::vector<std::string> Products;
  bool WantsHelp = false;
};

/// Parses the words behind `tune`. Errors say what is wrong with them.
llvm::Expected<TuneCommand> parseTuneCommand(llvm::ArrayRef<std::string> Words);

void printTuneHelp(llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_TUNE_TUNECOMMAND_H
