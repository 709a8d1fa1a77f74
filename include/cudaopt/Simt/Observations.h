// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a run of a kernel shows beside its results: defects, the cost of each
/// access to shared memory, and when shared arrays are in use.
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
llvm::StringRef idOf(FindingKind Kind);
bool isError(FindingKind Kind);
/// True if an access finds no memory of the device, whatever the reason.
bool isOutsideAllocations(FindingKind Kind);

inline constexpr uint32_t NoThread = ~0u;

/// A defect, as first seen; one for each kind and pair of places.
struct Finding {
  FindingKind Kind;
  SourceRef Where, Other; ///< Other: the earlier access of a race.
  uint32_t Thread = NoThread, OtherThread = NoThread; ///< In the block.
  std::array<uint32_t, 3> Block = {};
  /// Of OtherThread, if it is another than Block.
  std::optional<std::array<uint32_t, 3>> OtherBlock;
  /// In shared memory: bytes from the array's start, as a difference of 32 or
  /// 64 bits (it may lie before); in local memory from the window's; of a race
  /// on global memory from the allocation's; elsewhere the generic address.
  uint64_t Address = 0;
  /// Of a generic address: bytes from the start of Object, if it lies there or
  /// near. Where memory of the host lies says nothing.
  std::optional<int64_t> Offset = {};
  std::string Object; ///< The array, the allocation, the assertion.
  uint64_t Count = 1;
};

/// Accesses to shared memory of one place, kind and width.
struct AccessCost {
  uint64_t Requests = 0;   ///< Warp instructions.
  uint64_t Wavefronts = 0; ///< What they take.
  uint64_t Bound = 0;      ///< What they would take in the best layout.
};
enum class SharedOp : uint8_t { Load, Store, Atomic };
using AccessKey = std::tuple<SourceRef, SharedOp, uint8_t /*bytes a lane*/>;

/// In which barrier intervals (counted from 0 in each block, the union over
/// blocks) an array is written and read.
struct ArrayUse {
  std::vector<bool> Written, Read;
};

struct Observations {
  std::vector<Finding> Findings; ///< In order of discovery; only add appends.
  std::map<AccessKey, AccessCost> Shared;
  std::vector<ArrayUse>
      Arrays; ///< By index into Program::Shared; empty if off.
  uint64_t WarpInstructions = 0, Barriers = 0;

  bool hasErrors() const;
  /// Counts a repeated finding, else appends it.
  void add(Finding F);
  AccessCost total() const;
  AccessCost total(SharedOp Op) const;

private:
  using FindingKey = std::tuple<FindingKind, SourceRef, SourceRef>;
  std::map<FindingKey, size_t> Known; ///< Where a finding is in Findings.
};

/// One line: "file.cu:12:5: error: threads of different warps race on s at byte
/// 12, threads 3 and 35 of block (0,0,0); the other access is at file.cu:10:3;
/// seen 4 times [race]", without the newline.
std::string format(const Finding &F, const Program &P);

/// The table of --banks: for the loads, stores and atomics of each source line
/// a row of requests, wavefronts, bound and the ratio of the last two, the most
/// wavefronts first; then the total.
void printCosts(const Observations &O, const Program &P, llvm::raw_ostream &OS);

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_OBSERVATIONS_H
