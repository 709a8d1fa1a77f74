// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Options.def as a table, for all that reads, lists or explains options.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_OPTIONTABLE_H
#define CUDAOPT_FRONTEND_OPTIONTABLE_H

#include "cudaopt/Frontend/Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <variant>
#include <vector>

namespace cudaopt {

/// A row of Options.def.
struct OptionInfo {
  llvm::StringRef Name, Value, Description; ///< Value is empty for a switch.
  std::variant<bool Options::*, std::string Options::*,
               std::vector<std::string> Options::*>
      Field;
  bool IsSetting = false; ///< May stand in a configuration file.
  bool IsOfTool = false;  ///< The plugin has no use for it.

  bool hasOptionalValue() const { return Value.starts_with("["); }
  bool isSwitch() const { return Value.empty(); }
  /// "--passes", "-o".
  std::string spelling() const;
  /// The name in a configuration file: "AssumeInbounds".
  std::string key() const;
  /// The value in \p Opts as text; "true" or "false" of a switch.
  std::string get(const Options &Opts) const;
  /// Sets the field, which is no switch's, or adds to its list.
  void add(llvm::StringRef Text, Options &Opts) const;
  /// Gives the field of \p To the value of \p From.
  void copy(const Options &From, Options &To) const;
};

llvm::ArrayRef<OptionInfo> allOptions();

/// Returns null if there is no option of this name.
const OptionInfo *findOption(llvm::StringRef Name);

/// The words that option \p Name may have as values; none if others do.
std::vector<llvm::StringRef> listValues(llvm::StringRef Name);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_OPTIONTABLE_H
