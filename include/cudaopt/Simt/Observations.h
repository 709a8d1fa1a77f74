// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a run of a kernel shows besides its results: defects, the cost of each
/// access to shared memory, and the barrier intervals in which shared arrays
/// are used.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SIMT_OBSERVATIONS_H
#define CUDAOPT_SIMT_OBSERVATIONS_H

#include "cudaopt/Simt/Program.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace cudaopt::simt {

enum class FindingKind : uint8_t {
#define FINDING(Name, Id, IsError, Text) Name,
#include "cudaopt/Simt/Findings.def"
};
/// The stable identifier of a kind: "shared-out-of-bounds", "race", ...
llvm::StringRef idOf(FindingKind Kind);
bool isError(FindingKind Kind);
/// Returns true if the access finds no memory of the device, whatever the
/// reason.
bool isOutsideAllocations(FindingKind Kind);

inline constexpr uint32_t NoThread = ~0u;

/// A defect, as first seen. There is one finding for each kind and pair of
/// source positions; Count tells how often it was seen.
struct Finding {
  FindingKind Kind;
  /// Other is the position of the earlier access of a race.
  SourceRef Where, Other;
  /// Linear numbers in the block.
  uint32_t Thread = NoThread, OtherThread = NoThread;
  std::array<uint32_t, 3> Block = {};
  /// The block of OtherThread, if it is another one than Block.
  std::optional<std::array<uint32_t, 3>> OtherBlock;
  /// In shared memory: the bytes from the start of the array, as a difference
  /// of 32 or 64 bits (the address may lie before the array). In local memory:
  /// the bytes from the start of the window. For a race on global memory: those
  /// from the start of the allocation. Elsewhere: the generic address.
  uint64_t Address = 0;
  /// For a generic address: the bytes from the start of Object, if the address
  /// lies in or near it. The address itself would say little, since the place
  /// of host memory is arbitrary.
  std::optional<int64_t> Offset = {};
  std::string Object; ///< The array, the allocation, or the assertion.
  uint64_t Count = 1;
};

/// The cost of accesses to shared or global memory, summed over a run.
struct AccessCost {
  uint64_t Requests = 0; ///< Warp instructions.
  /// The wavefronts of shared memory, or the sectors of global memory, that
  /// they take.
  uint64_t Units = 0;
  uint64_t Bound = 0; ///< The units in the best possible layout.

  AccessCost &operator+=(const AccessCost &Other);
};
enum class AccessOp : uint8_t { Load, Store, Atomic };
using AccessKey = std::tuple<SourceRef, AccessOp, uint8_t /*bytes a lane*/>;
using AccessCosts = std::map<AccessKey, AccessCost>;

/// The barrier intervals in which an array is written and read. Intervals are
/// counted from 0 in each block; the sets are the union over all blocks.
struct ArrayUse {
  std::vector<bool> Written, Read;
};

struct Observations {
  /// In the order of discovery. Appended to by add() only.
  std::vector<Finding> Findings;
  AccessCosts Shared;
  AccessCosts Global;
  /// Indexed by index into Program::Shared; empty without
  /// ExecutorOptions::RecordUse.
  std::vector<ArrayUse> Arrays;
  uint64_t WarpInstructions = 0, Barriers = 0;

  bool hasErrors() const;
  /// Appends \p F, or adds its count to the finding of the same kind and
  /// positions.
  void add(Finding F);

private:
  using FindingKey = std::tuple<FindingKind, SourceRef, SourceRef>;
  /// The index of each finding in Findings.
  std::map<FindingKey, size_t> Known;
};

/// Returns the cost of all of \p Costs, or of those of one kind.
AccessCost totalOf(const AccessCosts &Costs,
                   std::optional<AccessOp> Only = std::nullopt);

/// Returns "load", "store" or "atomic".
llvm::StringRef nameOf(AccessOp Op);

/// Formats a finding as one line, without the newline: "file.cu:12:5: error:
/// threads of different warps race on s at byte 12, threads 3 and 35 of block
/// (0,0,0); the other access is at file.cu:10:3; seen 4 times [race]".
std::string format(const Finding &F, const Program &P);

/// What costs are of: a memory, and the units in which they are counted.
struct CostNames {
  llvm::StringRef Memory, Units;
};
inline constexpr CostNames SharedCosts = {"shared memory", "wavefronts"};
inline constexpr CostNames GlobalCosts = {"global memory", "sectors"};

/// Prints the table of --banks or --memory: one row for the loads, stores and
/// atomics of each source line with requests, units, bound and the ratio of the
/// last two, sorted by decreasing units; then the total.
void printCosts(const AccessCosts &Costs, const CostNames &Names,
                const Program &P, llvm::raw_ostream &OS);

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_OBSERVATIONS_H
