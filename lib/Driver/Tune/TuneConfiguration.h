// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The configuration file into which measurements go: the one that holds for
/// sources in the current folder, or a new one there.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_TUNE_TUNECONFIGURATION_H
#define CUDAOPT_LIB_DRIVER_TUNE_TUNECONFIGURATION_H

#include "cudaopt/Driver/Command/Options.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudaopt {

/// Returns the options that hold for sources in the current folder.
llvm::Expected<Options> readConfiguration();

/// A configuration file.
struct ConfigurationFile {
  std::string Path, Text;
  bool Exists = false;

  /// Writes Text into the file, or removes the file if it did not exist.
  llvm::Error restore() const;
};

/// Returns the file that holds for the current folder.
llvm::Expected<ConfigurationFile> findConfiguration();

/// Replaces the text of that file by what \p Edit makes of it, and says so on
/// standard error. A file that is not there and would be empty is not made.
llvm::Error editConfiguration(
    llvm::function_ref<llvm::Expected<std::string>(llvm::StringRef)> Edit);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_TUNE_TUNECONFIGURATION_H
