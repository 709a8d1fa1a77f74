// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes reports in formats for other programs and for people.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_WRITERS_H
#define CUDAOPT_REPORT_WRITERS_H

#include "cudaopt/Report/Report.h"

#include "llvm/Remarks/RemarkFormat.h"
#include "llvm/Support/Error.h"

namespace cudaopt {

/// Writes all findings as LLVM remarks, in the format of
/// -fsave-optimization-record.
llvm::Error writeRecord(llvm::ArrayRef<FileReport> Files,
                        llvm::remarks::Format Format, llvm::raw_ostream &OS);

/// Edits that must be applied together.
struct Fix {
  const Finding *Of; ///< The finding that represents the edits.
  /// The edits, each with an index into FileReport::Changes.
  std::vector<std::pair<size_t, Edit>> Edits;
};

/// Returns the fixes of \p File: one for each array whose edits are independent
/// of others, one for each other changed kernel, and one for each changed loop.
/// If some edit does not belong to exactly one of these, returns one fix with
/// all edits.
std::vector<Fix> listFixes(const FileReport &File);

/// Returns true if statements of some kernel were reordered; then positions do
/// not refer to the user's file.
bool isReordered(const FileReport &File);

/// Writes the fixes in the format of clang-tidy, for clang-apply-replacements.
void writeFixes(llvm::ArrayRef<FileReport> Files, llvm::raw_ostream &OS);

class Baseline;

/// Which findings a SARIF log contains.
enum class SarifScope {
  ToActOn, ///< Edits, and what the author of the source can improve.
  All,
};

/// Writes findings and fixes as a SARIF 2.1.0 log, without those in the
/// baseline \p Known, which may be null.
void writeSarif(llvm::ArrayRef<FileReport> Files, SarifScope Scope,
                const Baseline *Known, llvm::raw_ostream &OS);

/// Prints the totals of a run.
void printStatistics(llvm::ArrayRef<FileReport> Files, llvm::raw_ostream &OS);

/// Writes a self-contained page, which needs no other file and no network.
void writeHtml(llvm::ArrayRef<FileReport> Files, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_REPORT_WRITERS_H
