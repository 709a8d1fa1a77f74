// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What cuda-opt did, as values. JSON, the summary line and every later form
/// are made from these.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_REPORT_H
#define CUDAOPT_REPORT_REPORT_H

#include "cudaopt/Machine/Target.h"
#include "cudaopt/Report/Finding.h"
#include "cudaopt/Rewrite/Edits.h"
#include "cudaopt/Transforms/StorageMap.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudaopt {

template <class T> struct BeforeAfter {
  T Before = {}, After = {};
};

using WarpAddresses = std::array<uint32_t, WarpSize>;

/// One request of an access: the bytes where the lanes find their elements,
/// from the start of the array.
struct RequestReport {
  uint32_t ActiveLanes = 0;
  BeforeAfter<WarpAddresses> Addresses;
  BeforeAfter<unsigned> Wavefronts;
  unsigned Bound = 0;
};

/// A reference to an array in the source.
struct AccessReport {
  Place At;
  std::string Text;    ///< As the source has it.
  std::string Element; ///< Subscripts as values; empty if they have none.
  AccessKind Kind = AccessKind::Read;
  unsigned Width = 0;  ///< Bytes a lane.
  double Requests = 0; ///< Per block.
  /// The request that takes most wavefronts as the array is declared; nothing
  /// if none can be counted.
  std::optional<RequestReport> Worst;
  std::string WhyUncounted; ///< If there is none.
};

struct ArrayReport {
  std::string Name, File;
  unsigned Line = 0;
  std::string Type;                       ///< Of an element.
  llvm::SmallVector<uint64_t, 4> Extents; ///< Empty if not known.
  BeforeAfter<std::string> Layout;
  bool IsRewritten = false;
  /// Per block, of the accesses that can be counted; nothing if none can.
  std::optional<Wavefronts> Cost;
  unsigned NumUncounted = 0; ///< Accesses without a number.
  /// Why some, or all, accesses are not counted; empty if all are.
  std::string WhyUncounted;
  bool IsExact = true;
  Certificate Proof = Certificate::None;
  Trust Rests = Trust::Proved; ///< Of an array that is rewritten.
  std::string Reason, Message; ///< Reason is a stable identifier.
  std::vector<AccessReport> Accesses;
};

/// What became of the shared memory as a whole.
struct StorageReport {
  /// Names of the variables that each object holds; empty if all are kept.
  std::vector<std::vector<std::string>> Objects;
  /// Names of the arrays that become variables of each thread.
  std::vector<std::string> Private;
  std::vector<std::string> Trimmed; ///< Names of the arrays that are cut.
  /// Names of the pairs that share bytes without a barrier between them.
  std::vector<std::pair<std::string, std::string>> InPlace;
  /// Of static memory that becomes dynamic, in the largest instance.
  uint64_t DynamicBytes = 0;
  uint64_t LowerBound = 0; ///< Bytes.
  bool IsOptimal = false;
  Trust Rests = Trust::Proved; ///< If it is rewritten.
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

/// The text of a function or a loop.
struct TextRange {
  Place Begin, End; ///< End is the last token's.
};

struct KernelReport {
  std::string Name, File;
  unsigned Line = 0;
  TextRange Text;
  bool IsKernel = true; ///< False for a __device__ function with arrays.
  Target Gpu = {};
  BlockShape Block;
  /// The shapes of all launches, distinct ones once; those that are only
  /// assumed, and the one that stands for launches that are not known, too.
  std::vector<BlockShape> Launches;
  std::string WhyOpen; ///< An identifier; empty if all launches are known.
  unsigned NumInstances = 0;
  /// Static bytes of a block; nothing if they are not known.
  std::optional<BeforeAfter<uint64_t>> SharedBytes;
  std::string WhyNoBytes; ///< If they are not.
  /// What the launches ask for beside them; nothing if that is not known.
  std::optional<uint64_t> DynamicBytes;
  std::optional<BeforeAfter<unsigned>> BlocksPerSM;
  std::string WhyNoBlocks; ///< If they are not known.
  /// Bytes that a multiprocessor sets aside for these blocks; what it does not
  /// set aside is L1 cache.
  BeforeAfter<uint64_t> CarveOut;
  /// Per block: the sum of what is counted; nothing if nothing is.
  std::optional<Wavefronts> Cost;
  std::string WhyUncounted; ///< If some array is not counted, or not wholly.
  /// Of a kernel without arrays: the functions that declare them for it.
  std::vector<std::string> ArraysIn;
  unsigned BarriersAdded = 0;
  /// How the rewrite was checked: "plan", "off", "machine: ProvedEqual" or
  /// "machine: EqualOn"; "machine: " and another verdict if it was therefore
  /// not made; "none" if there was nothing to check.
  std::string Verify;
  /// If they were compared (--verify-resources).
  std::optional<BeforeAfter<KernelResources>> Resources;
  std::optional<StorageReport>
      Storage;                      ///< Nothing if shared-reuse did not run.
  std::optional<OrderReport> Order; ///< Nothing without --reorder.
  bool HasOtherRewrites = false;    ///< Only the findings tell which.
  std::vector<ArrayReport> Arrays;
  std::optional<StorageMap> Map; ///< If there are shared variables.
  std::vector<Finding> Findings;

  /// Threads of a block; the most that it may have if that is not known.
  uint32_t numThreads() const {
    return Block.isKnown() ? Block.numThreads() : Block.MaxThreads;
  }
  bool isRewritten() const;
};

/// What became of a loop of the host.
struct LoopReport {
  std::string Function;
  unsigned Line = 0;
  TextRange Text;
  bool IsRewritten = false, IsProposal = false;
  bool IsIndependent = false, IsSelfIndexing = false;
  std::vector<std::string> ConflictArrays;
  std::string Reason, Message; ///< Reason is a stable identifier.
  Finding Decision;
};

/// A file of the user's that changes.
struct ChangedText {
  std::string Path; ///< The real one.
  std::string Before;
  FileEdits Edits;
  std::string Diff; ///< Unified.
};

struct FileReport {
  std::string File;
  std::vector<KernelReport> Kernels;
  std::vector<LoopReport> Loops;
  std::vector<ChangedText> Changes;
};

/// All findings on \p File, by kernel and then by loop.
std::vector<const Finding *> listFindings(const FileReport &File);

/// The instance of \p K that its report describes: the one that the decision on
/// its storage speaks of, or in which a layout of \p P saves wavefronts, or the
/// first whose block is known, rather than assumed; null if there is none.
const KernelInstance *chooseInstance(const Kernel &K, const Plan &P,
                                     const Target &T);

/// Counts what \p Report tells of \p Instance, which may be null; \p Report has
/// the arrays already.
void countKernel(const Kernel &K, const Plan &P, const KernelInstance *Instance,
                 KernelReport &Report);

/// \p A as the source has it, on one line, and shortened.
std::string getAccessText(const Access &A, const clang::ASTContext &Context);

/// Why \p A, whose text is \p Text, has no number of wavefronts.
std::string explainUncounted(const Access &A, const KernelInstance &Instance,
                             llvm::StringRef Text);

KernelReport reportKernel(const Kernel &K, const Plan &P, const Target &T,
                          const clang::SourceManager &Sources);

/// Adds what pictures and analysis remarks show: accesses, and where variables
/// lie and when they are busy.
void reportFacts(const Kernel &K, const Plan &P,
                 const clang::SourceManager &Sources, KernelReport &Report);

/// What becomes of a loop: what \p D wants, unless \p WhyKept has a reason.
/// \p Mark is what a proposal inserts.
LoopReport reportLoop(const LevelizeDecision &D, const Blocker &WhyKept,
                      llvm::StringRef Mark,
                      const clang::SourceManager &Sources);

/// "load", "store", "atomic".
llvm::StringRef getName(AccessKind Kind);

/// The document that --report=json writes: {"schema": 1, "files": [...]}.
llvm::json::Value toJSON(llvm::ArrayRef<FileReport> Files);

/// One line for people: "x.cu: 3 kernels, 2 arrays rewritten, 1 kept
/// (no-conflict); not counted: 1 kernel (unknown-block)".
void printSummary(const FileReport &File, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_REPORT_REPORT_H
