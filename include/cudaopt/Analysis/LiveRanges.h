// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Live ranges of `__shared__` variables over barrier intervals, and who
/// interferes with whom.
///
/// A barrier interval is all that the block may do between a barrier (or the
/// entry) b and the next one (or the exit) c. Inside of one, accesses of
/// different threads have no order; accesses of two intervals, one after the
/// other, have. The ways to different barriers exclude each other, since all
/// threads meet at the same one. Only a thread that returns takes another way
/// than the others: what lies on the ways from b to the exit belongs to every
/// interval of b. If others go on meanwhile, it belongs to all later intervals,
/// too: a barrier counts threads of a warp that have not yet left as if they
/// had come (seen on sm_90), so that they may read or write behind it. A
/// barrier's own uses, its operands, lie in front of it. With, for a variable X
/// and an interval bc,
///
///   ACC_bc  elements that some thread may access, or hardware on its behalf
///   W_bc    elements that may be written
///   UE_bc   elements that may be read by a thread that did not write them
///           since b
///   K_bc    elements that the block surely writes on every way from b to c
///
///   live_b = union over c after b of UE_bc + (live_c - K_bc)
///   mw_c   = union over b before c of mw_b + W_bc
///
///   left_c = union over b before c of left_b + what threads that leave behind
///   b,
///            while others go on, may access on their way
///
///   busy_bc = ACC_bc + (live_c * mw_b) + left_b
///
/// Two variables interfere if they are busy in one interval. If no two that
/// share bytes are ever busy together, each read gives what it gave: from the
/// write to the read its element is busy in every interval on the way; were it
/// in K_bc of one between them, the write would not be the last. (The idea is
/// document 001's, with its statements replaced by barrier intervals, in which
/// warps drift.)
///
/// Accesses of hardware that are pending at b are in ACC_bc, until all ways
/// from their issue have come to a barrier behind a step that waits for them.
/// Those of a thread that returns without having waited last forever.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_LIVERANGES_H
#define CUDAOPT_ANALYSIS_LIVERANGES_H

#include "cudaopt/Model/SharedProgram.h"

namespace cudaopt {

/// The ways from one barrier to one of the next.
struct LiveInterval {
  StepId Begin = SharedProgram::Entry; ///< A barrier, or the entry.
  StepId End = SharedProgram::Exit;    ///< A barrier, or the exit.
  llvm::SmallVector<StepId, 8> Steps;  ///< On them, without barriers; in order.
  llvm::SmallVector<IntervalId, 2> Successors;
  std::vector<ElementSet> Busy; ///< By VariableId.
  /// By VariableId: the elements whose values from before Begin may be read
  /// behind it (live_b * mw_b + left_b), and those that may be read behind End
  /// (live_c + left_c).
  std::vector<ElementSet> Needed, Kept;
};

struct LiveRanges {
  std::vector<LiveInterval> Intervals; ///< Those of the entry are first.
  /// Elements that may be read although nothing may have written them, by
  /// VariableId.
  std::vector<ElementSet> Uninitialised;
  /// Variables that interfere with all others, accessed or not.
  llvm::BitVector Pinned;

  /// True if some interval has both busy.
  bool interfere(VariableId A, VariableId B) const;
  /// The table of intervals and variables.
  void print(const SharedProgram &P, llvm::raw_ostream &OS) const;
};

/// What the block does to each variable in each interval, for people.
struct LiveRangeTable {
  struct Use {
    bool Reads = false, Writes = false, IsBusy = false;
    /// Bytes [first, second) that are busy, if any are.
    std::optional<std::pair<uint64_t, uint64_t>> Bytes;
  };
  struct Row {
    /// First and last line of the steps, or of the barriers round it if it has
    /// none; numbers of steps if there is no source.
    std::optional<std::pair<unsigned, unsigned>> Lines;
    std::vector<Use> Uses; ///< By VariableId.
  };
  std::vector<Row> Rows; ///< By interval.
  bool HasSource = false;
};

LiveRangeTable tabulateLiveRanges(const LiveRanges &Ranges,
                                  const SharedProgram &P);

/// Prints the table of each instance of \p K, if it is a `__global__` function
/// with two or more variables.
void printLiveRanges(const Kernel &K, llvm::raw_ostream &OS);

LiveRanges computeLiveRanges(const SharedProgram &P);

/// Bytes [Low, High) of \p V that hold the elements of \p Set; nothing if it is
/// empty.
std::optional<std::pair<uint64_t, uint64_t>> findHull(const ElementSet &Set,
                                                      const SharedVariable &V);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_LIVERANGES_H
