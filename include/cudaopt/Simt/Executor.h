// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs a program as a GPU would: the lanes of a warp in lockstep, diverged
/// lanes one path after the other until they meet at the immediate
/// post-dominator, the warps of a block in turn from barrier to barrier, the
/// blocks of a grid one after the other.
///
/// A register holds for each lane a value, or a term (Terms.h): inputs that the
/// launch marks as symbols stay symbols, so that one run stands for all data.
/// Where a term would decide a branch or an address the run stops as
/// DataDependent.
///
/// Undefined behaviour is a finding and does not end the run: a load out of
/// bounds gives bytes of 0xa5, a store there has no effect, an integer divided
/// by zero gives all ones.
///
/// One schedule is enough: if it ends without a race and without barrier
/// divergence, every schedule gives its result (Collingbourne et al., ESOP'13).
///
/// \verbatim
///   Launch L;
///   L.Grid = {2, 1, 1};
///   L.Block = {64, 1, 1};
///   L.Arguments = {{bytes of the first parameter}};
///   RunResult R = run(P, L, Memory);    R.Status, R.Seen.Findings, and the
///                                       contents of Memory are the outcome
/// \endverbatim
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
/// may be a term instead; of a struct each byte may be part of a term.
struct Argument {
  std::vector<Byte> Bytes;
  TermId Term = 0;
  /// The tags (tagOf) of the bytes of a struct; empty if none is a term.
  std::vector<uint64_t> Tags = {};
};

/// The character that encloses the name of an address of shared memory in
/// printed text, if addresses are terms.
inline constexpr char PrintedAddress = '\x1a';

/// Values of ExecutorOptions::ScheduleSeed: 0 runs the warps of a block and the
/// blocks in ascending order, this one in descending order; any other value
/// shuffles the warps.
constexpr uint64_t DescendingSchedule = ~uint64_t(0);

struct Launch {
  std::array<uint32_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint32_t DynamicShared = 0; ///< Bytes.
  std::vector<Argument> Arguments;
  /// The linear numbers of the blocks that run; all if empty. The others are
  /// treated as if they had not run yet.
  std::vector<uint64_t> Blocks;
};

/// Global memory that threads access without an order between them: its
/// contents, or what was read from it, depend on which access comes last.
struct UnorderedAccess {
  PhysMemAddr Address;
  uint32_t Size;
  bool IsRead; ///< One of the two accesses is a read.
};

class GridPart;

struct ExecutorOptions {
  bool CheckRaces = true; ///< Lowers the speed by up to a third.
  /// Also finds races on global memory, including those between blocks, which
  /// only fences and atomics order.
  bool CheckGlobalRaces = false;
  /// With CheckGlobalRaces: receives each access that races, if not null.
  std::vector<UnorderedAccess> *Unordered = nullptr;
  /// Whether reads of shared memory find bytes that were written.
  bool CheckInitialisation = true;
  /// Fills Observations::Shared with the wavefronts of accesses to shared
  /// memory.
  bool CountBanks = true;
  /// Fills Observations::Global with the sectors of accesses to global memory.
  bool CountSectors = false;
  /// Fills Observations::Arrays.
  bool RecordUse = false;
  BankMap Banks;
  /// Shared variables (indices into Program::Shared) whose addresses are terms,
  /// so that values show of which variable they are the address: either the
  /// result of findAddressUses, or empty. Needs a table of terms.
  std::vector<unsigned> AddressTerms;
  /// The data are numbers although there is a table of terms: no argument and
  /// no byte is a term, not even an undefined one; only addresses of shared
  /// memory are.
  bool OnlyAddressesAreTerms = false;
  uint64_t ScheduleSeed = 0; ///< See DescendingSchedule.
  /// After so many the run stops with the finding NoProgress.
  uint64_t MaxWarpInstructions = uint64_t(1) << 34;
  /// Receives the output of printf and assert; null drops it.
  llvm::raw_ostream *Output = nullptr;
  /// Called every few million warp instructions; may be empty.
  std::function<void(uint64_t WarpInstructions)> Progress;
  /// Set by runOnCores if only a part of the grid runs here, while other
  /// threads run the others.
  GridPart *Part = nullptr;
};

enum class RunStatus {
  Finished,      ///< All blocks ran; there may be findings.
  Stopped,       ///< The last finding ended the run: a trap, an assertion, a
                 ///< deadlock or the limit of steps.
  DataDependent, ///< A term decides a branch, an address or a mask.
  Unsupported,   ///< RunResult::Why tells what is not modelled.
};

struct RunResult {
  RunStatus Status = RunStatus::Finished;
  /// For DataDependent and Unsupported: what is the reason, and where it is.
  std::string Why;
  SourceRef Where;
  Observations Seen;
};

/// Runs launch \p L of \p P on \p Memory, whose contents it changes. \p Terms
/// may be null if no argument and no byte is a term. An invalid launch (too
/// many threads, a wrong number of arguments) is Unsupported.
RunResult run(const Program &P, const Launch &L, DeviceMemory &Memory,
              const ExecutorOptions &Options = {}, TermTable *Terms = nullptr);

/// Like run(), without terms, but on up to \p NumThreads cores. Blocks run in
/// parallel as long as none accesses global memory that another one writes, and
/// none performs an atomic operation on global memory; otherwise their effects
/// are undone and the blocks run one after the other. Results, findings and
/// output are always those of run().
RunResult runOnCores(const Program &P, const Launch &L, DeviceMemory &Memory,
                     const ExecutorOptions &Options, unsigned NumThreads);

/// The tag in DeviceMemory::Allocation::Tags of a byte of memory that is byte
/// \p ByteIndex of \p Term. A tag of 0 means that the byte is a number.
constexpr uint64_t tagOf(TermId Term, unsigned ByteIndex) {
  return uint64_t(Term) << 8 | ByteIndex;
}

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_EXECUTOR_H
