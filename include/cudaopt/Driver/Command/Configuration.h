// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Configuration files: `.cuda-opt`, in YAML, whose keys are options
/// (docs/Configuration.md). The file in the nearest folder above a source
/// applies to that source; with `InheritParentConfig: true`, the next one
/// further up adds the options that the first does not set.
///
///   # /src/.cuda-opt
///   Layout: pad
///   InheritParentConfig: true
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_COMMAND_CONFIGURATION_H
#define CUDAOPT_DRIVER_COMMAND_CONFIGURATION_H

#include "cudaopt/Driver/Command/OptionTable.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>
#include <vector>

namespace cudaopt {

/// Maps the name of an option to the place that set it: "command line",
/// "/src/.cuda-opt:3".
using OptionPlaces = std::map<std::string, std::string, std::less<>>;

/// The options that apply to one source.
struct EffectiveOptions {
  Options Opts;
  /// The places of the options that are not at their defaults.
  OptionPlaces Places;
  /// The configuration files that were read, nearest first: path and text.
  std::vector<std::pair<std::string, std::string>> Files;
  /// Paths at which no configuration file was found.
  std::vector<std::string> Absent;
};

/// Returns \p Said, completed by the configuration files of \p Source for every
/// option that \p Places does not name. An error names the place and the
/// reason.
llvm::Expected<EffectiveOptions> resolveOptions(const Options &Said,
                                                const OptionPlaces &Places,
                                                llvm::StringRef Source);

/// Prints the settings as a configuration file; if \p WithPlaces, each is
/// followed by a comment that says where it was set.
void printConfiguration(const EffectiveOptions &Effective, bool WithPlaces,
                        llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_COMMAND_CONFIGURATION_H
