// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reports in the forms that other programs read, and that people do.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_WRITERS_H
#define CUDAOPT_REPORT_WRITERS_H

#include "cudaopt/Report/Report.h"

#include "llvm/Remarks/RemarkFormat.h"
#include "llvm/Support/Error.h"

namespace cudaopt {

/// Writes all findings as remarks of LLVM, as -fsave-optimization-record does.
llvm::Error writeRecord(llvm::ArrayRef<FileReport> Files,
                        llvm::remarks::Format Format, llvm::raw_ostream &OS);

/// A set of edits that is right as a whole.
struct Fix {
  const Finding *Of; ///< Stands for all that the edits do.
  /// By index into FileReport::Changes.
  std::vector<std::pair<size_t, Edit>> Edits;
};

/// One fix for each array whose edits are its own, for each other kernel and
/// each loop that changes, or one for all of \p File if an edit belongs to no
/// single one of them.
std::vector<Fix> listFixes(const FileReport &File);

/// True if some kernel's statements have another order: then places are not
/// those of the file.
bool isReordered(const FileReport &File);

/// Writes the fixes as clang-tidy does, for clang-apply-replacements.
void writeFixes(llvm::ArrayRef<FileReport> Files, llvm::raw_ostream &OS);

class Baseline;

/// Which decisions a SARIF log has.
enum class SarifScope {
  ToActOn, ///< Edits, and what the author of the source can do more.
  All,
};

/// Writes findings and fixes as a SARIF 2.1.0 log, without those that \p Known
/// has, if there is one.
void writeSarif(llvm::ArrayRef<FileReport> Files, SarifScope Scope,
                const Baseline *Known, llvm::raw_ostream &OS);

/// Prints the totals of a run.
void printStatistics(llvm::ArrayRef<FileReport> Files, llvm::raw_ostream &OS);

/// Writes one page that needs no other file, and no network.
void writeHtml(llvm::ArrayRef<FileReport> Files, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_REPORT_WRITERS_H
