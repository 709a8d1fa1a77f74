// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Baselines: findings that were known when a baseline was written are not
/// reported again, so that a project can adopt the tool without fixing
/// everything first. A baseline is an ordinary SARIF log.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_BASELINE_H
#define CUDAOPT_REPORT_BASELINE_H

#include "cudaopt/Report/Report.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <set>
#include <string>

namespace cudaopt {

/// The key of our fingerprints in a SARIF result's partialFingerprints.
constexpr llvm::StringLiteral FingerprintKey = "cudaOptSite/v1";

/// Names findings of a file independent of their lines, which move: by kernel,
/// array and rule, `k::s/no-conflict`. If several places have the same name, as
/// overloads do, the second gets `#2`, the third `#3`, and so on.
class Fingerprints {
public:
  explicit Fingerprints(const FileReport &File);
  std::string of(const Finding &F) const;

private:
  /// The offsets of the findings, by path and name.
  std::map<std::string, std::set<unsigned>> Offsets;
};

/// Returns the file URI \p Uri relative to the working directory; \p Uri itself
/// if the file is not below it.
llvm::StringRef shortenUri(llvm::StringRef Uri);

/// The findings of an earlier SARIF log, by file and fingerprint.
class Baseline {
public:
  /// Returns an error if \p File, which is to be read or written, is a folder.
  static llvm::Error checkName(llvm::StringRef File);

  /// Reads \p File, which --write-baseline or --report=sarif wrote. Fails if
  /// the file has another format or was written by another tool.
  static llvm::Expected<Baseline> read(llvm::StringRef File);

  bool contains(const Finding &F, const Fingerprints &Names) const;
  /// Returns true if every change of \p File was known.
  bool coversChanges(const FileReport &File) const;

private:
  llvm::Error addRun(const llvm::json::Object &Run);

  llvm::StringSet<> Sites;
};

} // namespace cudaopt

#endif // CUDAOPT_REPORT_BASELINE_H
