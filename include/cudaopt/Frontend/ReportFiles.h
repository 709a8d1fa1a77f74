// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which reports the user asked for, and the files that they go to.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_REPORTFILES_H
#define CUDAOPT_FRONTEND_REPORTFILES_H

#include "cudaopt/Frontend/Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudaopt {

class Baseline;
struct FileReport;

/// A form of the report, and where it goes.
struct ReportRequest {
  enum class Format {
    Json,
    Html,
    Sarif,
    SarifAll,
    Fixes,
    YamlRecord,
    BitstreamRecord
  };
  Format What = Format::Json;
  std::string File; ///< "-" is standard output.
};

/// Returns what --report, --write-baseline, --export-fixes,
/// --save-optimization-record and
/// --opt-record-file ask for; an error if a form is unknown, or if two go to
/// one file.
llvm::Expected<std::vector<ReportRequest>> listReports(const Options &Opts);

/// True if a report goes to standard output.
bool writesToStandardOutput(const Options &Opts);

/// An error if something else goes there, too.
llvm::Error checkStandardOutput(const Options &Opts, bool IsLaunch);

/// Writes the reports on \p Files that \p Opts asks for, SARIF without what
/// \p Known has, if there is a baseline. A file that cannot be written does not
/// keep others from being written.
llvm::Error writeReports(const Options &Opts, llvm::ArrayRef<FileReport> Files,
                         const Baseline *Known = nullptr);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_REPORTFILES_H
