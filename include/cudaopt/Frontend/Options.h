// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the user asked for; Options.def is the table.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_OPTIONS_H
#define CUDAOPT_FRONTEND_OPTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace cudaopt {

struct PassInfo;

struct Options {
#define OPTION(Type, Field, Name, Default, ValueName, Description)             \
  Type Field = Default;
#include "cudaopt/Frontend/Options.def"

  /// True if \p Pass shall run.
  bool runsPass(const PassInfo &Pass) const;
  /// True if statements shall get another order.
  bool runsReorder() const;
  /// True if some report is asked for.
  bool wantsReport() const {
    return !Reports.empty() || !ExportFixes.empty() || !RecordFile.empty() ||
           !RecordFormat.empty() || !WriteBaseline.empty() || Statistics;
  }
};

/// Returns "yaml" for "[yaml|bitstream]"; nothing for a value that may not be
/// left out.
std::optional<llvm::StringRef> getDefaultValue(llvm::StringRef ValueName);

/// Returns the options in \p Opts that say what becomes of the source, as they
/// are spelt.
llvm::SmallVector<llvm::StringRef> listDeliveries(const Options &Opts);

/// Returns an error, one line without a full stop, if a value is malformed
/// (--block=a), unknown (--passes=x, --arch=sm_1, --layout=x, --print=x,
/// --verify=x), or if options exclude each other (-o with -i).
llvm::Error validate(const Options &Opts);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_OPTIONS_H
