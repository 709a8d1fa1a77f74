// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What cuda-opt did, as values. JSON, the summary line and every later form
/// are made from these.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_REPORT_H
#define CUDAOPT_REPORT_REPORT_H

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Transforms/Levelize.h"
#include "cudaopt/Transforms/Plan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace clang {
class SourceManager;
}

namespace cudaopt {

template <class T> struct BeforeAfter {
  T Before = {}, After = {};
};

struct ArrayReport {
  std::string Name, File;
  unsigned Line = 0;
  std::string Type;                       ///< Of an element.
  llvm::SmallVector<uint64_t, 4> Extents; ///< Empty if not known.
  BeforeAfter<std::string> Layout;
  bool IsRewritten = false;
  Wavefronts Cost;
  unsigned NumUncounted = 0; ///< Accesses without a number.
  bool IsExact = true;
  Certificate Proof = Certificate::None;
  std::string Reason, Message; ///< Reason is a stable identifier.
};

/// What became of the shared memory as a whole.
struct StorageReport {
  /// Names of the variables that each object holds; empty if all are kept.
  std::vector<std::vector<std::string>> Objects;
  /// Names of the arrays that become variables of each thread.
  std::vector<std::string> Private;
  std::vector<std::string> Trimmed; ///< Names of the arrays that are cut.
  /// Of static memory that becomes dynamic, in the largest instance.
  uint64_t DynamicBytes = 0;
  uint64_t LowerBound = 0; ///< Bytes.
  bool IsOptimal = false;
  std::string Reason, Message; ///< Reason is a stable identifier.

  bool isRewritten() const {
    return !Objects.empty() || !Private.empty() || !Trimmed.empty();
  }
};

/// What became of the order of its statements.
struct OrderReport {
  bool IsChanged = false;
  std::string Reason, Message; ///< Reason is a stable identifier.
};

/// What ptxas says that a kernel takes; the most, if it is compiled for several
/// GPUs.
struct KernelResources {
  unsigned Registers = 0;   ///< A thread.
  uint64_t SpillBytes = 0;  ///< Stored and loaded, a thread.
  uint64_t SharedBytes = 0; ///< Static, a block.
};

struct KernelReport {
  std::string Name, File;
  unsigned Line = 0;
  bool IsKernel = true; ///< False for a __device__ function with arrays.
  BlockShape Block;
  unsigned NumInstances = 0;
  BeforeAfter<uint64_t> SharedBytes;
  BeforeAfter<unsigned> BlocksPerSM;
  Wavefronts Cost; ///< Per block.
  unsigned BarriersAdded = 0;
  /// How the rewrite was checked: "plan", "off", "machine: ProvedEqual" or
  /// "machine: EqualOn"; "machine: " and another verdict if it was therefore
  /// not made; "none" if there was nothing to check.
  std::string Verify;
  /// If they were compared (--verify-resources).
  std::optional<BeforeAfter<KernelResources>> Resources;
  std::optional<StorageReport> Storage; ///< Nothing if shared-reuse did not run.
  std::optional<OrderReport> Order;     ///< Nothing without --reorder.
  std::vector<ArrayReport> Arrays;
};

/// What became of a loop of the host.
struct LoopReport {
  std::string Function;
  unsigned Line = 0;
  bool IsRewritten = false, IsProposal = false;
  bool IsIndependent = false, IsSelfIndexing = false;
  std::vector<std::string> ConflictArrays;
  std::string Reason, Message; ///< Reason is a stable identifier.
};

struct FileReport {
  std::string File;
  std::vector<KernelReport> Kernels;
  std::vector<LoopReport> Loops;
};

KernelReport reportKernel(const Kernel &K, const Plan &P, const Target &T,
                          const clang::SourceManager &Sources);

LoopReport reportLoop(const LevelizeDecision &D,
                      const clang::SourceManager &Sources);

/// The document that --report=json writes: {"schema": 1, "files": [...]}.
llvm::json::Value toJSON(llvm::ArrayRef<FileReport> Files);

/// One line for people: "x.cu: 3 kernels, 2 arrays rewritten, 1 kept".
void printSummary(const FileReport &File, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_REPORT_REPORT_H
