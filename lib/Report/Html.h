// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The parts of the page that --report=html writes. All that comes from a
/// source is escaped; there is no script, no link out, and no other file.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REPORT_HTML_H
#define CUDAOPT_LIB_REPORT_HTML_H

#include "cudaopt/Report/Report.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace cudaopt {

/// \p Text as it may stand in an element or an attribute. What HTML has no
/// characters for is replaced.
std::string escapeHtml(llvm::StringRef Text);

/// "1,056", "0.5".
std::string formatNumber(double Number);

/// The style sheet, light and dark.
llvm::StringRef getStyle();

/// Consecutive lines of a unified diff.
struct DiffHunk {
  unsigned OldLine = 0, NewLine = 0;  ///< Of the first line.
  std::vector<llvm::StringRef> Lines; ///< With '+', '-' or ' ' in front.

  bool hasChanges() const;
};

std::vector<DiffHunk> readHunks(llvm::StringRef Diff);
/// The parts of \p Hunk before, in and behind the old lines \p First to
/// \p Last. What is added belongs to the line behind it.
std::array<DiffHunk, 3> splitHunk(const DiffHunk &Hunk, unsigned First,
                                  unsigned Last);
void printHunks(llvm::ArrayRef<DiffHunk> Hunks, llvm::raw_ostream &OS);

/// What all punch cards have, for the page's definitions.
void printCardFrame(llvm::raw_ostream &OS);

/// The lanes of a warp and the banks that they access, before and after.
void printBankCards(const AccessReport &A, const Target &Gpu,
                    llvm::raw_ostream &OS);

/// Bytes against barrier intervals, before and after.
void printStoragePictures(const KernelReport &K, llvm::raw_ostream &OS);

/// Blocks on a multiprocessor against the bytes that a block takes.
void printOccupancy(const KernelReport &K, llvm::raw_ostream &OS);

/// How much of the page is folded when it opens.
struct PageLook {
  bool AreKernelsOpen = true;
};

/// \p Hunks are the changes of the kernel's text.
void printKernel(const KernelReport &K, llvm::StringRef Anchor,
                 llvm::ArrayRef<DiffHunk> Hunks, const PageLook &Look,
                 llvm::raw_ostream &OS);
void printLoop(const LoopReport &L, llvm::StringRef Anchor,
               llvm::ArrayRef<DiffHunk> Hunks, const PageLook &Look,
               llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REPORT_HTML_H
