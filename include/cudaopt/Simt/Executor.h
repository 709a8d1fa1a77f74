// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs a program as a GPU would: the lanes of a warp in lockstep, diverged
/// lanes one path after the other until they meet at the immediate
/// post-dominator, the warps of a block in turn from barrier to barrier, the
/// blocks of a grid one after the other.
///
/// A register holds for each lane a value, or a term (Terms.h): inputs that the
/// launch marks as symbols stay symbols. Where a term would decide a branch or
/// an address the run stops as DataDependent.
///
/// What is undefined is a finding and does not end the run: a load out of
/// bounds gives bytes of 0xa5, a store there has no effect, an integer divided
/// by zero gives all ones.
///
/// One schedule is enough: if it ends without a race and without barrier
/// divergence, every schedule gives its result (Collingbourne et al., ESOP'13).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SIMT_EXECUTOR_H
#define CUDAOPT_SIMT_EXECUTOR_H

#include "cudaopt/Simt/Observations.h"
#include "cudaopt/Simt/Program.h"
#include "cudaopt/Simt/Terms.h"

#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cudaopt::simt {

/// An argument as the launch passes it: the bytes of the parameter. A scalar
/// may be a term instead, of a struct each byte may.
struct Argument {
  std::vector<Byte> Bytes;
  TermId Term = 0;
  std::vector<uint64_t> Tags = {}; ///< Of the bytes of a struct, or none.
};

/// Around the name of an address of shared memory that a kernel prints, if
/// addresses are terms.
inline constexpr char PrintedAddress = '\x1a';

/// The order in which the warps of a block take turns, and blocks run, is
/// ascending (0), descending, or that of a seed for the warps.
constexpr uint64_t DescendingSchedule = ~uint64_t(0);

struct Launch {
  std::array<uint32_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint32_t DynamicShared = 0; ///< Bytes.
  std::vector<Argument> Arguments;
  /// Which blocks run, as linear numbers; all if empty. The others are as if
  /// they had not run yet.
  std::vector<uint64_t> Blocks;
};

/// Global memory that threads access in no order: its bytes depend on which one
/// comes last, or what was read depends on that.
struct UnorderedAccess {
  PhysMemAddr Address;
  uint32_t Size;
  bool IsRead; ///< One of the two reads.
};

class GridPart;

struct ExecutorOptions {
  bool CheckRaces = true; ///< Costs a third.
  /// Races on global memory, also between blocks, which nothing orders but
  /// fences and atomics.
  bool CheckGlobalRaces = false;
  /// With CheckGlobalRaces: receives each access that races, if not null.
  std::vector<UnorderedAccess> *Unordered = nullptr;
  bool CheckInitialisation = true; ///< Of shared memory.
  bool CountBanks = true;
  bool RecordUse = false; ///< Observations::Arrays.
  BankMap Banks;
  /// Shared variables (indices into Program::Shared) whose addresses are terms,
  /// so that values show of which variable they are the address. Those of
  /// findAddressUses, or none; needs a table of terms.
  std::vector<unsigned> AddressTerms;
  /// No argument and no byte is a term, undefined ones neither: only addresses.
  bool OnlyAddressesAreTerms = false;
  uint64_t ScheduleSeed = 0;                        ///< Or DescendingSchedule.
  uint64_t MaxWarpInstructions = uint64_t(1) << 34; ///< Then NoProgress.
  llvm::raw_ostream *Output = nullptr; ///< Of printf and assert; null drops it.
  /// Called every few million warp instructions, and may be empty.
  std::function<void(uint64_t WarpInstructions)> Progress;
  /// The part of a grid that runs while others do; of runOnCores.
  GridPart *Part = nullptr;
};

enum class RunStatus {
  Finished,      ///< All blocks ran; there may be findings.
  Stopped,       ///< A trap, an assertion, a deadlock or the limit of steps:
                 ///< the last finding.
  DataDependent, ///< A term decides a branch, an address or a mask.
  Unsupported,   ///< Something not modelled; RunResult::Why.
};

struct RunResult {
  RunStatus Status = RunStatus::Finished;
  std::string Why; ///< Of DataDependent and Unsupported: what.
  SourceRef Where; ///< Of the same: where.
  Observations Seen;
};

/// Runs \p L of \p P on \p Memory, whose contents it changes. \p Terms may be
/// null if no argument and no byte is a term.
RunResult run(const Program &P, const Launch &L, DeviceMemory &Memory,
              const ExecutorOptions &Options = {}, TermTable *Terms = nullptr);

/// The same without terms, on up to \p NumThreads cores, as long as no block
/// accesses global memory that another one writes and none counts: then blocks
/// run one after the other. Results, findings and output are those of run().
RunResult runOnCores(const Program &P, const Launch &L, DeviceMemory &Memory,
                     const ExecutorOptions &Options, unsigned NumThreads);

/// A byte of memory that is a term: its tag in DeviceMemory::Allocation::Tags.
constexpr uint64_t tagOf(TermId Term, unsigned ByteIndex) {
  return uint64_t(Term) << 8 | ByteIndex;
}

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_EXECUTOR_H
