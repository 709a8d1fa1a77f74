// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The values of the user's options. Options.def is their only definition:
/// adding a row there adds the member, the command line option, the
/// documentation and the completion.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_COMMAND_OPTIONS_H
#define CUDAOPT_DRIVER_COMMAND_OPTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

struct PassInfo;

/// The options as members: Opts.Layout holds the value of --layout.
struct Options {
#define OPTION(Type, Field, Name, Default, ValueName, Description)             \
  Type Field = Default;
#include "cudaopt/Driver/Command/Options.def"

  /// Returns true if \p Pass is enabled by --passes, or by default.
  bool runsPass(const PassInfo &Pass) const;
  /// The same of the pass \p Name.
  bool runsPass(llvm::StringRef Name) const;
  /// Returns true if resources of the compiled text may be compared: always
  /// (--verify-resources), or for a launched nvcc where they may decide.
  bool mayCompile() const {
    return VerifyResources || (CompileCheck && !Overlay.empty());
  }
  /// Returns true if any report is requested.
  bool wantsReport() const {
    return !Reports.empty() || !ExportFixes.empty() || !RecordFile.empty() ||
           !RecordFormat.empty() || !WriteBaseline.empty() || Statistics;
  }
};

/// Returns the value that an option has if none is given: "yaml" for the value
/// name "[yaml|bitstream]". Returns std::nullopt if a value is required.
std::optional<llvm::StringRef> getDefaultValue(llvm::StringRef ValueName);

/// Returns the spelling of the options in \p Opts that say where the result
/// goes ("-o", "--diff").
llvm::SmallVector<llvm::StringRef> listDeliveries(const Options &Opts);

/// Checks the options. Returns an error, one line without a full stop, if a
/// value is malformed (--block=a) or unknown (--passes=x, --arch=sm_1,
/// --layout=x, --print=x, --verify=x), or if two options exclude each other (-o
/// with -i).
llvm::Error validate(const Options &Opts);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_COMMAND_OPTIONS_H
