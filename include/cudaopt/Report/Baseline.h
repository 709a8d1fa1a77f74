// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What was known of a project before: findings that are in a baseline are not
/// reported again.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_BASELINE_H
#define CUDAOPT_REPORT_BASELINE_H

#include "cudaopt/Report/Report.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace cudaopt {

/// Where \p F stands, without its line: kernel, array and rule. Lines move.
std::string getFingerprint(const Finding &F);

/// \p Uri, of a file, from the folder on in which the tool runs; \p Uri itself
/// if the file does not lie there.
llvm::StringRef shortenUri(llvm::StringRef Uri);

/// The findings of an earlier SARIF log, by file and fingerprint.
class Baseline {
public:
  /// Reads \p File, which --write-baseline or --report=sarif wrote.
  static llvm::Expected<Baseline> read(llvm::StringRef File);

  bool contains(const Finding &F) const;
  /// True if every change of \p File was known.
  bool coversChanges(const FileReport &File) const;

private:
  llvm::StringSet<> Sites;
};

} // namespace cudaopt

#endif // CUDAOPT_REPORT_BASELINE_H
