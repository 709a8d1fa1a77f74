// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The command line of cell-proliferation. Its single letters are those of
/// ProCell's simulators, so it can take their place.
//===----------------------------------------------------------------------===//

#ifndef CELLS_COMMANDLINE_H
#define CELLS_COMMANDLINE_H

#include "Lineage.h"
#include "Simulator.h"

#include <optional>
#include <string>

namespace cells {

/// What the program is to do.
enum class Mode {
  SIMULATE,
  EXPECT,    ///< --expected
  BATCH,     ///< --batch
  VALIDATE,  ///< --validate
  CALIBRATE, ///< --calibrate
  VARIANTS,  ///< --variant
  HELP,      ///< --help
};

struct Options {
  Mode mode = Mode::SIMULATE;
  std::string histogram, types, output, batch, data, plot, variant;
  std::optional<double> duration, threshold;
  std::optional<int> gpuCount; ///< 0 is the CPU; unset, a GPU if there is one.
  int depth = 0;               ///< Levels of a variant; 0: its own choice.
  unsigned threadCount = 0;    ///< Threads of the CPU; 0: all.
  uint64_t seed = 1;
  Precision precision = Precision::DOUBLE;
  Start start = Start::ASYNCHRONOUS;
  bool hasTypes = false; ///< The output has a column for each type.
  bool hasReport = false;
  int repetitions = 1;
  int seedCount = 0;                    ///< The simulations of --validate.
  int particles = 50, iterations = 100; ///< The swarm's size for --calibrate.
};

/// Parses the command line. Throws InputError, whose text names the option.
Options parseCommandLine(int count, const char *const *arguments);

/// The text of --help.
std::string helpText();

} // namespace cells

#endif // CELLS_COMMANDLINE_H
