// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The report: what cuda-opt did and why, as plain values. JSON, HTML, SARIF,
/// statistics and the summary line are made from them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_REPORT_H
#define CUDAOPT_REPORT_REPORT_H

#include "cudaopt/Machine/KernelTime.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Passes/KernelAnalyses.h"
#include "cudaopt/Passes/Storage/StorageMap.h"
#include "cudaopt/Report/Finding.h"
#include "cudaopt/Source/Edits.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudaopt {

/// A quantity for the user's text and for the rewritten one.
template <class T> struct BeforeAfter {
  T Before = {}, After = {};
};

/// A shared-memory address for each lane, in bytes from the array's start.
using WarpAddresses = std::array<uint32_t, WarpSize>;

/// One request of a warp: the addresses of the lanes' elements, in bytes from
/// the start of the array, and what the request costs.
struct RequestReport {
  uint32_t ActiveLanes = 0;
  BeforeAfter<WarpAddresses> Addresses;
  BeforeAfter<unsigned> Wavefronts;
  unsigned Bound = 0;
};

/// One reference to an array in the source.
struct AccessReport {
  Place At;
  std::string Text; ///< The text in the source.
  /// The subscripts as values; empty if they are not known.
  std::string Element;
  AccessKind Kind = AccessKind::Read;
  unsigned Width = 0;  ///< Bytes per lane.
  double Requests = 0; ///< Requests per block.
  /// The request that takes most wavefronts with the array as declared;
  /// std::nullopt if none can be counted.
  std::optional<RequestReport> Worst;
  std::string WhyUncounted; ///< Why Worst is missing; otherwise empty.
};

/// The decision on one array, and its costs.
struct ArrayReport {
  std::string Name, File;
  unsigned Line = 0;
  std::string Type;                       ///< The element type.
  llvm::SmallVector<uint64_t, 4> Extents; ///< Empty if not known.
  BeforeAfter<std::string> Layout;
  bool IsRewritten = false;
  /// The wavefronts per block of all accesses that can be counted; std::nullopt
  /// if none can.
  std::optional<Wavefronts> Cost;
  unsigned NumUncounted = 0; ///< The number of accesses that are not counted.
  /// Why some or all accesses are not counted; empty if all are.
  std::string WhyUncounted;
  bool IsExact = true;
  Certificate Proof = Certificate::None;
  /// What the rewrite rests on; only for a rewritten array.
  Trust Rests = Trust::Proved;
  std::string Reason, Message; ///< Reason is a stable identifier.
  std::vector<AccessReport> Accesses;
};

/// The decision on the shared memory as a whole.
struct StorageReport {
  /// The names of the variables in each storage object; empty if all variables
  /// keep memory of their own.
  std::vector<std::vector<std::string>> Objects;
  /// The names of the arrays that are privatized.
  std::vector<std::string> Private;
  /// The names of the arrays that get fewer rows.
  std::vector<std::string> Trimmed;
  /// The names of the pairs that share bytes without a barrier between them.
  std::vector<std::pair<std::string, std::string>> InPlace;
  /// The static memory that becomes dynamic, in the largest instance.
  uint64_t DynamicBytes = 0;
  /// A lower bound of the bytes that any placement takes.
  uint64_t LowerBound = 0;
  bool IsOptimal = false;
  /// What the rewrite rests on; only if there is one.
  Trust Rests = Trust::Proved;
  std::string Reason, Message; ///< Reason is a stable identifier.

  bool isRewritten() const {
    return !Objects.empty() || !Private.empty() || !Trimmed.empty();
  }
};

/// The decision on the order of statements.
struct OrderReport {
  bool IsChanged = false;
  std::string Reason, Message; ///< Reason is a stable identifier.
};

/// The resources of a kernel according to ptxas; the maximum of each if it is
/// compiled for several GPUs.
struct KernelResources {
  unsigned Registers = 0;   ///< Registers per thread.
  uint64_t SpillBytes = 0;  ///< Bytes stored and loaded by spills, per thread.
  uint64_t SharedBytes = 0; ///< Static shared memory per block.
};

/// The text of a function or a loop.
struct TextRange {
  Place Begin, End; ///< End is the position of the last token.
};

/// What is reported about one kernel.
/// What limits a kernel as the user wrote it, as predicted for one launch.
struct LimitReport {
  BlockShape Block;
  Gpu Speed; ///< The GPU for which times are predicted.
  KernelTime Time;
  /// The time of a launch; std::nullopt if its grid is not known.
  std::optional<double> Seconds;
  unsigned Warps = 0; ///< The warps on a multiprocessor, if registers suffice.
  /// False if loops or addresses depend on what is not known.
  bool IsExact = true;
  /// The time with as few wavefronts as the bound, as a part of Time;
  /// std::nullopt if not all accesses are counted. Then, too, with the new
  /// wavefronts, without the instructions that are added.
  std::optional<double> WithoutConflicts, AfterRewrite;
  std::vector<GlobalAccess> Global; ///< KernelWork::GlobalAccesses

  /// Returns "shared memory: 86% of the 12.3 us predicted for the H200 (issue
  /// slots 7%, ...)".
  std::string text() const;
};

/// Returns what would take fewer sectors, for the author; an empty text if
/// nothing is to be gained.
std::string adviseOn(const GlobalAccess &A);

/// Returns "12.34 us", "1.234 ms" or "1.234 s".
std::string showSeconds(double Seconds);

struct KernelReport {
  std::string Name, File;
  unsigned Line = 0;
  TextRange Text;
  bool IsKernel = true; ///< False for a __device__ function with shared arrays.
  Target Gpu = {};
  BlockShape Block;
  /// The block shapes of all instances, each once. They include shapes that are
  /// only assumed, and the one that stands for unknown launches.
  std::vector<BlockShape> Launches;
  /// Why other files may launch it, an identifier; empty if all launches are
  /// known.
  std::string WhyOpen;
  unsigned NumInstances = 0;
  /// Static shared memory per block; std::nullopt if it is not known.
  std::optional<BeforeAfter<uint64_t>> SharedBytes;
  std::string WhyNoBytes; ///< Why SharedBytes is missing; otherwise empty.
  /// Dynamic shared memory that the launches request; std::nullopt if it is not
  /// known.
  std::optional<uint64_t> DynamicBytes;
  std::optional<BeforeAfter<unsigned>> BlocksPerSM;
  std::string WhyNoBlocks; ///< Why BlocksPerSM is missing; otherwise empty.
  /// The shared memory that a multiprocessor sets aside for these blocks. The
  /// rest of that memory serves as L1 cache.
  BeforeAfter<uint64_t> CarveOut;
  /// The wavefronts per block, summed over the arrays; std::nullopt if nothing
  /// is counted.
  std::optional<Wavefronts> Cost;
  /// Why some array is not counted, or not completely; otherwise empty.
  std::string WhyUncounted;
  /// Nothing if it is not known, or nobody asked for it.
  std::optional<LimitReport> Limit;
  /// For a kernel without arrays of its own: the functions that declare the
  /// arrays it uses.
  std::vector<std::string> ArraysIn;
  unsigned BarriersAdded = 0;
  /// How the rewrite was checked: "plan", "off", "machine: ProvedEqual" or
  /// "machine: EqualOn". "machine: " with another verdict if the rewrite was
  /// not made because of it; "none" if there was nothing to check.
  std::string Verify;
  /// Set if resources were compared (--verify-resources).
  std::optional<BeforeAfter<KernelResources>> Resources;
  /// Nothing if shared-reuse did not run.
  std::optional<StorageReport> Storage;
  std::optional<OrderReport> Order; ///< Nothing without --reorder.
  /// Some pass made rewrites that only the findings describe.
  bool HasOtherRewrites = false;
  std::vector<ArrayReport> Arrays;
  std::optional<StorageMap> Map; ///< Set if there are shared variables.
  std::vector<Finding> Findings;

  /// Returns the threads per block; the maximum if the shape is not known.
  uint32_t numThreads() const {
    return Block.isKnown() ? Block.numThreads() : Block.MaxThreads;
  }
  bool isRewritten() const;
};

/// The decision on a loop of the host.
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

/// A user's file that changes.
struct ChangedText {
  std::string Path; ///< The real path.
  std::string Before;
  FileEdits Edits;
  std::string Diff; ///< A unified diff.
};

/// What is reported about one source file of the command line.
struct FileReport {
  std::string File;
  std::vector<KernelReport> Kernels;
  std::vector<LoopReport> Loops;
  std::vector<ChangedText> Changes;
};

/// Returns all findings on \p File, those of kernels first, then those of
/// loops.
std::vector<const Finding *> listFindings(const FileReport &File);

/// Returns the instance of \p K that the report describes: the one that the
/// decision on its storage refers to, or one in which a layout of \p P saves
/// wavefronts, or the first whose block shape is known rather than assumed.
/// Returns null if there is no instance.
const KernelInstance *chooseInstance(const Kernel &K, const Plan &P,
                                     const Target &T);

/// Counts the costs of \p Instance, which may be null, for \p Report, in which
/// the arrays are already listed.
void countKernel(const Kernel &K, const Plan &P, const KernelInstance *Instance,
                 KernelReport &Report);

/// Returns the text of \p A in the source, on one line and shortened.
std::string getAccessText(const Access &A, const clang::ASTContext &Context);

/// Returns why the wavefronts of \p A, whose text is \p Text, are not counted.
std::string explainUncounted(const Access &A, const KernelInstance &Instance,
                             llvm::StringRef Text);

/// Makes the report on \p K from the decisions of \p P.
KernelReport reportKernel(const Kernel &K, const Plan &P, const Target &T,
                          const clang::SourceManager &Sources);

/// Adds what pictures and analysis remarks need to \p Report: accesses, and
/// where variables are stored and when they are live.
void reportFacts(const Kernel &K, const Plan &P,
                 const clang::SourceManager &Sources, KernelReport &Report);

/// Predicts what limits \p K; std::nullopt if no launch is known whose work can
/// be counted. \p Report has the wavefronts.
std::optional<LimitReport> findLimit(const Kernel &K, const Target &T,
                                     const KernelReport &Report,
                                     KernelAnalyses &Analyses);

/// Makes the report on a loop: what \p D wants, unless it is \p Refused.
/// \p Mark is the text that a proposal inserts.
LoopReport reportLoop(const LevelizeDecision &D,
                      const std::optional<Refusal> &Refused,
                      llvm::StringRef Mark,
                      const clang::SourceManager &Sources);

/// Returns "load", "store" or "atomic".
llvm::StringRef getName(AccessKind Kind);

/// Returns the document that --report=json writes: {"schema": 2, "files":
/// [...]}.
llvm::json::Value toJSON(llvm::ArrayRef<FileReport> Files);

/// Prints one line for people: "x.cu: 3 kernels, 2 arrays rewritten, 1 kept
/// (no-conflict); not counted: 1 kernel (unknown-block)".
void printSummary(const FileReport &File, llvm::raw_ostream &OS);

} // namespace cudaopt

#endif // CUDAOPT_REPORT_REPORT_H
