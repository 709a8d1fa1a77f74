// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Live ranges of `__shared__` variables over barrier intervals, and who
/// interferes with whom.
///
/// The barrier interval of a barrier (or of the entry) is what can be reached
/// from it without crossing another barrier. Inside of one, accesses of
/// different threads have no order; accesses of two intervals, one after the
/// other, have. With, for a variable X and an interval b,
///
///   ACC_b   elements that some thread may access in b, or hardware on its
///   behalf W_b     elements that may be written in b UE_b    elements that may
///   be read in b by a thread that did not write them in b K_bc    elements
///   that the block surely writes on every way from b to barrier c
///
///   liveIn_b  = UE_b + union over c after b of (liveIn_c - K_bc)
///   liveOut_b = union over c after b of liveIn_c
///   mw_b      = elements that may have been written before b
///
///   busy_b = ACC_b + (liveIn_b * mw_b) + (liveOut_b * (mw_b + W_b))
///
/// Two variables interfere if they are busy in one interval. If no two that
/// share bytes are ever busy together, each read gives what it gave: from the
/// write to the read its element is busy in every interval on the way. (The
/// idea is document 001's, with its statements replaced by barrier intervals,
/// in which warps drift.)
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_LIVERANGES_H
#define CUDAOPT_ANALYSIS_LIVERANGES_H

#include "cudaopt/Model/SharedProgram.h"

namespace cudaopt {

/// What is reachable from one barrier without crossing another.
struct LiveInterval {
  StepId Begin = 0;                   ///< The barrier, or the entry.
  llvm::SmallVector<StepId, 8> Steps; ///< Without barriers; in order.
  llvm::SmallVector<IntervalId, 2> Successors;
  std::vector<ElementSet> Busy; ///< By VariableId.
};

struct LiveRanges {
  std::vector<LiveInterval> Intervals; ///< That of the entry is first.
  /// Elements that may be read although nothing may have written them, by
  /// VariableId.
  std::vector<ElementSet> Uninitialised;

  /// True if some interval has both busy.
  bool interfere(VariableId A, VariableId B) const;
  /// The table of intervals and variables.
  void print(const SharedProgram &P, llvm::raw_ostream &OS) const;
};

LiveRanges computeLiveRanges(const SharedProgram &P);

/// Bytes [Low, High) of \p V that hold the elements of \p Set; nothing if it is
/// empty.
std::optional<std::pair<uint64_t, uint64_t>> findHull(const ElementSet &Set,
                                                      const SharedVariable &V);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_LIVERANGES_H
