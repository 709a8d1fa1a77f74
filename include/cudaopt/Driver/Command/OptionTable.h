// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The options of Options.def as a table, for all code that parses, lists or
/// explains options.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_COMMAND_OPTIONTABLE_H
#define CUDAOPT_DRIVER_COMMAND_OPTIONTABLE_H

#include "cudaopt/Driver/Command/Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <variant>
#include <vector>

namespace cudaopt {

/// One row of Options.def.
struct OptionInfo {
  llvm::StringRef Name, Value, Description; ///< Value is empty for a switch.
  std::variant<bool Options::*, std::string Options::*,
               std::vector<std::string> Options::*>
      Field;
  bool IsSetting = false; ///< The option may stand in a configuration file.
  bool IsOfTool = false;  ///< The option has no meaning for the plugin.

  bool hasOptionalValue() const { return Value.starts_with("["); }
  bool isSwitch() const { return Value.empty(); }
  /// "--passes", "-o".
  std::string spelling() const;
  /// Returns the key in a configuration file: "AssumeInbounds".
  std::string key() const;
  /// Returns the value in \p Opts as text; "true" or "false" for a switch.
  std::string get(const Options &Opts) const;
  /// Sets the field, or appends to it if the option may be repeated. Not for
  /// switches.
  void add(llvm::StringRef Text, Options &Opts) const;
  /// Copies the field's value from \p From to \p To.
  void copy(const Options &From, Options &To) const;
};

llvm::ArrayRef<OptionInfo> allOptions();

/// Returns the option called \p Name, without dashes; null if there is none.
const OptionInfo *findOption(llvm::StringRef Name);

/// Returns the words that option \p Name accepts as values; an empty list if it
/// accepts arbitrary text.
std::vector<llvm::StringRef> listValues(llvm::StringRef Name);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_COMMAND_OPTIONTABLE_H
