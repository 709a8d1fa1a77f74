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
#include <optional>
#include <string>

namespace cudaopt {

/// Returns the options that hold for sources in the current folder.
llvm::Expected<Options> readConfiguration();

/// A configuration file.
struct ConfigurationFile {
  std::string Path, Text;
  bool Exists = false;
};

/// Returns the file that holds for the current folder.
llvm::Expected<ConfigurationFile> findConfiguration();

/// Makes a new text of the old one.
using TextEdit =
    llvm::function_ref<llvm::Expected<std::string>(llvm::StringRef)>;

/// Edits of the configuration file, which are taken back unless they are kept.
class ConfigurationEdit {
public:
  ConfigurationEdit() = default;
  ~ConfigurationEdit();
  ConfigurationEdit(const ConfigurationEdit &) = delete;
  ConfigurationEdit &operator=(const ConfigurationEdit &) = delete;

  /// Replaces the text by what \p Edit makes of the first one. A file that
  /// becomes empty is removed. Fails if someone else has edited it meanwhile.
  llvm::Error apply(TextEdit Edit);
  /// Keeps the edits, and says so on standard error.
  void keep();

private:
  std::optional<ConfigurationFile> Before; ///< As it was before the first edit.
  std::string Written;                     ///< What the last edit wrote.
  bool IsKept = false;
};

/// Replaces the text of the file by what \p Edit makes of it.
llvm::Error editConfiguration(TextEdit Edit);

/// Returns an error if \p Edit is not possible, or if the options that it would
/// give do not hold. Changes nothing.
llvm::Error checkEdit(TextEdit Edit,
                      llvm::function_ref<bool(const Options &)> Holds);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_TUNE_TUNECONFIGURATION_H
