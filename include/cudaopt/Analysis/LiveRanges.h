// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Live ranges of `__shared__` variables, and which variables interfere.
///
/// A live range is usually a set of program points. Inside of a block of
/// threads there is no single program point: warps drift apart between two
/// barriers. Live ranges are therefore sets of barrier intervals. A barrier
/// interval (b, c) is all that the block may do between a barrier b (or the
/// entry) and the next barrier c (or the exit). Accesses of different threads
/// in one interval are not ordered; accesses in consecutive intervals are.
///
/// Paths from b to different barriers exclude each other, since all threads
/// arrive at the same barrier. Only a thread that returns takes another path
/// than the rest: the steps on the paths from b to the exit belong to every
/// interval that begins at b. If other threads go on meanwhile, they belong to
/// all later intervals, too: a barrier counts the threads of a warp that have
/// not yet left as if they had arrived (seen on sm_90), so that these may still
/// read or write behind it. A barrier's own uses, its operands, lie in front of
/// it. For a variable X and an interval (b, c), let
///
///   ACC_bc  elements that some thread may access, or hardware on its behalf
///   W_bc    elements that may be written
///   UE_bc   elements that may be read by a thread that did not write them
///           since b
///   K_bc    elements that the block surely writes on every path from b to c
///
/// (accessed, written, upward exposed, killed). Then live_b, the elements whose
/// values may still be read behind b, and mw_b, those that may have been
/// written in front of b, are the least solutions of data-flow equations, as is
/// left_b, what threads that have left may still access behind b. An element is
/// busy where it is accessed or carries a value:
///
///   live_b = union over c after b of UE_bc + (live_c - K_bc)
///   mw_c   = union over b before c of mw_b + W_bc
///   left_c = union over b before c of left_b + the elements that threads may
///            access on a path from b to where they leave the kernel while
///            others go on
///
///   busy_bc = ACC_bc + (live_c * mw_b) + left_b
///
/// (+, * and - are union, intersection and difference.) Two variables interfere
/// if both are busy in one interval. If no two variables that share bytes
/// interfere, every read gets the value that it got before: from the write to
/// the read, the element is busy in every interval on the path; if it were in
/// K of an interval between, that write would not have been the last one.
/// (The idea is that of Moazeni, Bui and Sarrafzadeh, SASP 2009, with their
/// statements replaced by barrier intervals, in which warps drift apart.)
///
/// Asynchronous accesses of the hardware (`cp.async`) that are pending at b
/// are in ACC_bc, until every path from their issue has passed a step that
/// waits for them and then a barrier. Those of a thread that returns without
/// having waited stay pending in all intervals.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_LIVERANGES_H
#define CUDAOPT_ANALYSIS_LIVERANGES_H

#include "cudaopt/Model/SharedProgram.h"

namespace cudaopt {

/// The barrier interval from one barrier to a next one: all paths between them.
struct LiveInterval {
  StepId Begin = SharedProgram::Entry; ///< A barrier, or the entry.
  StepId End = SharedProgram::Exit;    ///< A barrier, or the exit.
  /// The Work steps on the paths, in reverse post-order.
  llvm::SmallVector<StepId, 8> Steps;
  /// The intervals that begin at End.
  llvm::SmallVector<IntervalId, 2> Successors;
  std::vector<ElementSet> Busy; ///< busy_bc, by VariableId.
  /// By VariableId: the elements whose values from before Begin may be read
  /// behind it (live_b * mw_b + left_b), and those that may be read behind End
  /// (live_c + left_c).
  std::vector<ElementSet> Needed, Kept;
};

/// The result of the analysis for one instance of a kernel.
struct LiveRanges {
  /// The barrier intervals. Those that begin at the entry are first.
  std::vector<LiveInterval> Intervals;
  /// By VariableId: elements that may be read although no write may have
  /// happened before.
  std::vector<ElementSet> Uninitialised;
  /// Variables that interfere with all others, accessed or not.
  llvm::BitVector Pinned;

  /// Returns true if the variables must not share bytes: one of them is pinned,
  /// or both are busy in some interval.
  bool interfere(VariableId A, VariableId B) const;
  /// Prints the table of intervals and variables, the pairs that may share
  /// bytes, and the variables that are read uninitialised.
  void print(const SharedProgram &P, llvm::raw_ostream &OS) const;
};

/// The live ranges as a table for users: a row for each interval, a column for
/// each variable.
struct LiveRangeTable {
  /// What the block does to one variable in one interval.
  struct Use {
    bool Reads = false, Writes = false, IsBusy = false;
    /// The smallest range [first, second) of bytes that contains all busy
    /// elements; std::nullopt if none is busy.
    std::optional<std::pair<uint64_t, uint64_t>> Bytes;
  };
  struct Row {
    /// The first and last line of the interval's steps, or of the barriers
    /// around it if it has no steps. Step numbers instead of lines if the
    /// program has no source.
    std::optional<std::pair<unsigned, unsigned>> Lines;
    std::vector<Use> Uses; ///< By VariableId.
  };
  std::vector<Row> Rows;  ///< By interval.
  bool HasSource = false; ///< Says whether Row::Lines holds lines or steps.
};

LiveRangeTable tabulateLiveRanges(const LiveRanges &Ranges,
                                  const SharedProgram &P);

/// Prints the live ranges of each instance of \p K whose block is not assumed,
/// if it is a `__global__` function with at least two `__shared__` variables.
void printLiveRanges(const Kernel &K, llvm::raw_ostream &OS);

/// Computes the live ranges of all variables of \p P. If \p P is refused, all
/// of them are pinned.
LiveRanges computeLiveRanges(const SharedProgram &P);

/// Returns the smallest range [Low, High) of bytes of \p V that contains the
/// elements of \p Set; std::nullopt if \p Set is empty.
std::optional<std::pair<uint64_t, uint64_t>> findHull(const ElementSet &Set,
                                                      const SharedVariable &V);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_LIVERANGES_H
