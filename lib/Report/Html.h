// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The parts of the page that --report=html writes. Everything that comes from
/// a source is escaped; the page has no script, no external link, and needs no
/// other file.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REPORT_HTML_H
#define CUDAOPT_LIB_REPORT_HTML_H

#include "cudaopt/Report/Report.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace cudaopt {

/// Returns \p Text escaped for an element or an attribute. Characters that HTML
/// does not allow are removed or replaced.
std::string escapeHtml(llvm::StringRef Text);

/// Formats a number with digit grouping: "1,056", "0.5".
std::string formatNumber(double Number);

/// Returns the style sheet, which supports light and dark mode.
llvm::StringRef getStyle();

/// Consecutive lines of a unified diff.
struct DiffHunk {
  unsigned OldLine = 0, NewLine = 0;  ///< The numbers of the first line.
  std::vector<llvm::StringRef> Lines; ///< Each begins with '+', '-' or ' '.

  bool hasChanges() const;
};

/// Returns the hunks of the unified diff \p Diff, whose text they refer to.
std::vector<DiffHunk> readHunks(llvm::StringRef Diff);
/// Splits \p Hunk into the parts before, inside and behind the old lines
/// \p First to \p Last. An added line belongs with the line that follows it.
std::array<DiffHunk, 3> splitHunk(const DiffHunk &Hunk, unsigned First,
                                  unsigned Last);
void printHunks(llvm::ArrayRef<DiffHunk> Hunks, llvm::raw_ostream &OS);

/// Prints the definitions that all punch cards share.
void printCardFrame(llvm::raw_ostream &OS);

/// Prints pictures of the lanes of a warp and the banks that they access,
/// before and after.
void printBankCards(const AccessReport &A, const Target &Gpu,
                    llvm::raw_ostream &OS);

/// Prints pictures of bytes over barrier intervals, before and after.
void printStoragePictures(const KernelReport &K, llvm::raw_ostream &OS);

/// Prints the occupancy as a function of the shared memory per block.
void printOccupancy(const KernelReport &K, llvm::raw_ostream &OS);

/// The parts of the page that are folded when it opens.
struct PageLook {
  bool AreKernelsOpen = true;
};

/// Prints the part of the page about \p K. \p Hunks are the changes of its
/// text.
void printKernel(const KernelReport &K, llvm::StringRef Anchor,
                 llvm::ArrayRef<DiffHunk> Hunks, const PageLook &Look,
                 llvm::raw_ostream &OS);
void printLoop(const LoopReport &L, llvm::StringRef Anchor,
               llvm::ArrayRef<DiffHunk> Hunks, const PageLook &Look,
               llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REPORT_HTML_H
