// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which reports the user asked for, and which files they go to.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_DELIVERY_REPORTFILES_H
#define CUDAOPT_DRIVER_DELIVERY_REPORTFILES_H

#include "cudaopt/Driver/Command/Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudaopt {

class Baseline;
struct FileReport;

/// One requested report: its format and its destination.
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
  std::string File; ///< "-" means standard output.
};

/// Returns the reports that --report, --write-baseline, --export-fixes,
/// --save-optimization-record and --opt-record-file ask for. Fails if a format
/// is unknown or two reports go to one file.
llvm::Expected<std::vector<ReportRequest>> listReports(const Options &Opts);

/// Returns true if a report goes to standard output.
bool writesToStandardOutput(const Options &Opts);

/// Returns an error if a report and something else both go to standard output.
/// \p IsLaunch says that a compiler is launched, which needs it, too.
llvm::Error checkStandardOutput(const Options &Opts, bool IsLaunch);

/// Writes the reports on \p Files that \p Opts asks for. SARIF logs leave out
/// the findings of the baseline \p Known, which may be null. If one file cannot
/// be written, the others still are; the error names all failures.
llvm::Error writeReports(const Options &Opts, llvm::ArrayRef<FileReport> Files,
                         const Baseline *Known = nullptr);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_DELIVERY_REPORTFILES_H
