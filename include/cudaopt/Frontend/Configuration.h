// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Files `.cuda-opt`, in YAML, whose keys are options (docs/Configuration.md).
/// That of the nearest folder above a source holds for it; with
/// `InheritParentConfig: true` also the next one further up, for what the first
/// does not say.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_CONFIGURATION_H
#define CUDAOPT_FRONTEND_CONFIGURATION_H

#include "cudaopt/Frontend/OptionTable.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>
#include <vector>

namespace cudaopt {

/// Where options are said, by their names: "command line", "/src/.cuda-opt:3".
using OptionPlaces = std::map<std::string, std::string, std::less<>>;

/// The options that hold for one source.
struct EffectiveOptions {
  Options Opts;
  OptionPlaces Places; ///< Without those that have their defaults.
  /// The configuration files, nearest first: path and text.
  std::vector<std::pair<std::string, std::string>> Files;
  std::vector<std::string> Absent; ///< Where none was found.
};

/// Returns \p Said, and what configuration files say about \p Source where
/// \p Places does not know an option. An error names place and reason.
llvm::Expected<EffectiveOptions> resolveOptions(const Options &Said,
                                                const OptionPlaces &Places,
                                                llvm::StringRef Source);

/// Prints them as a configuration file; if \p WithPlaces, each with where it
/// comes from.
void printConfiguration(const EffectiveOptions &Effective, bool WithPlaces,
                        llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_CONFIGURATION_H
