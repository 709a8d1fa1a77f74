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
#include "llvm/Support/JSON.h"
#include <map>
#include <set>
#include <string>

namespace cudaopt {

/// What a result of a SARIF log calls its fingerprint.
constexpr llvm::StringLiteral FingerprintKey = "cudaOptSite/v1";

/// Where the findings of a file stand, without their lines, which move: kernel,
/// array and rule, `k::s/no-conflict`; of several places with the same three,
/// as overloads have them, `#2`, `#3` ... behind the second, the third ...
class Fingerprints {
public:
  explicit Fingerprints(const FileReport &File);
  std::string of(const Finding &F) const;

private:
  std::map<std::string, std::set<unsigned>> Offsets; ///< Of each name.
};

/// \p Uri, of a file, from the folder on in which the tool runs; \p Uri itself
/// if the file does not lie there.
llvm::StringRef shortenUri(llvm::StringRef Uri);

/// The findings of an earlier SARIF log, by file and fingerprint.
class Baseline {
public:
  /// Fails if \p File, to be read or written, is a folder.
  static llvm::Error checkName(llvm::StringRef File);

  /// Reads \p File, which --write-baseline or --report=sarif wrote.
  static llvm::Expected<Baseline> read(llvm::StringRef File);

  bool contains(const Finding &F, const Fingerprints &Names) const;
  /// True if every change of \p File was known.
  bool coversChanges(const FileReport &File) const;

private:
  llvm::Error addRun(const llvm::json::Object &Run);

  llvm::StringSet<> Sites;
};

} // namespace cudaopt

#endif // CUDAOPT_REPORT_BASELINE_H
