// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the passes decided: the rewriter's only input. A plan is a value: each
/// pass makes a new one of the one before, and nobody changes it afterwards.
/// What a later stage refuses is planned again (PlanRules.h).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_PLAN_H
#define CUDAOPT_TRANSFORMS_PLAN_H

#include "cudaopt/Transforms/Layout.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class CUDAKernelCallExpr;
} // namespace clang

namespace cudaopt {

class Edits;

namespace diag {
enum Kind : unsigned;
} // namespace diag

/// Wavefronts of all accesses of a kernel or of an array: per block, summed
/// over warps and iterations, averaged over blocks where they differ.
struct Wavefronts {
  double Before = 0, After = 0, Bound = 0;
  Wavefronts &operator+=(const Wavefronts &Other);
};

/// What the accesses to an array need in a block of one instance.
struct BlockCost {
  double Wavefronts = 0, Requests = 0;
  double Spelled = 0; ///< Requests whose subscripts spell the layout's rows.
};

/// What a layout that adds instructions does to a block of one instance.
struct AddedInstructions {
  const KernelInstance *Instance;
  BlockCost Before, After;
  double Number;
};

/// What is known of how good a layout is.
enum class Certificate {
  None,         ///< The array is kept, and nothing was searched.
  BoundReached, ///< No layout needs fewer wavefronts.
  Exhausted,    ///< All members of the families were counted.
  BestFound,    ///< Some family was searched by descent, or not to its end.
};

/// "bound reached", "exhausted", "best found".
llvm::StringRef getName(Certificate C);

/// What became of one array.
struct LayoutDecision {
  Layout New;      ///< Identity: the array is kept.
  Blocker WhyKept; ///< None if rewritten.
  /// Of the accesses that can be counted, at the widths that the compiler makes
  /// of them.
  Wavefronts Cost;
  /// The same at the widths that the source has.
  Wavefronts SourceCost;
  /// Accesses in some instance that have no number of wavefronts.
  unsigned NumUncounted = 0;
  bool IsExact = true; ///< False if loops were sampled or parameters assumed.
  Certificate Proof = Certificate::None;
  /// What it rests on that New computes the same; not Assumed.
  Trust Rests = Trust::Proved;
  /// The wavefronts that could be served while the instructions are executed
  /// that New adds.
  double Charge = 0;
  /// The instructions that New adds, by instance; or where they are why the
  /// array is kept, those of the layout that it does not get. Empty if they do
  /// not matter: the user asks for New, or there are none.
  std::vector<AddedInstructions> Added;

  bool isRewritten() const { return New.Kind != Layout::Family::Identity; }
  /// The decision that the array stays as it is.
  LayoutDecision kept(Blocker Why) const;
};

/// The decisions on the layouts of a kernel's arrays.
using LayoutMap = llvm::MapVector<ArrayId, LayoutDecision>;

/// Where variables are stored in one object: a variable, several nodes one
/// after the other, or several in the same place. Neighbours never overlap.
/// Alternatives do not interfere, so that a tree is right for variables of any
/// size; or only parts of them do, which offsets and gaps keep apart for the
/// sizes that the variables have.
struct StorageNode {
  enum class Kind { Variable, Sequence, Alternatives, Gap };
  Kind What = Kind::Variable;
  unsigned Variable = 0; ///< Index into ReuseDecision::Variables.
  /// Of a sequence or alternatives; two or more.
  std::vector<StorageNode> Members;
  uint64_t Bytes = 0; ///< Of a gap.
  bool operator==(const StorageNode &) const = default;
};

/// Returns the variables of \p Tree, in its order.
llvm::SmallVector<unsigned, 8> listVariables(const StorageNode &Tree);

/// A variable that may be stored elsewhere.
struct StoredVariable {
  const clang::VarDecl *Decl; ///< In the first instance that declares it.
  std::string Name;
  /// The function that declares it: the kernel, or one that only the kernel
  /// calls.
  const clang::FunctionDecl *owner() const;
};

/// An array of which each thread has an element of its own (or of which rows
/// are not accessed), and why it (or these) stays in shared memory all the
/// same.
struct StaysShared {
  ArrayId Array;
  Blocker Why;
};

/// An array of which only the first \c Extent rows (or elements) are accessed.
struct TrimmedArray {
  ArrayId Array;
  uint64_t Extent; ///< The new outermost one.
};

/// Two variables that share bytes between two barriers: each thread reads of
/// the one what it then overwrites in the other, and no other thread does.
struct InPlacePair {
  unsigned A, B; ///< Indices into ReuseDecision::Variables; A < B.
  bool operator==(const InPlacePair &) const = default;
};

/// Two variables of which one dies where the other gets its first values, and
/// why it takes a barrier between them to share bytes.
struct StaysApart {
  std::string Dying, Born;
  Blocker Why;
};

/// A launch that must ask for dynamic memory.
struct DynamicLaunch {
  const clang::CUDAKernelCallExpr *Call;
  std::string Kernel; ///< What names the instance at the place of the launch.
  uint64_t Bytes = 0;
};

/// What the pass privatize decided.
struct PrivatizeDecision {
  /// Arrays of which each thread accesses one element, and no other thread that
  /// element: they become variables of the thread.
  std::vector<ArrayId> Private;
  /// Those of Private of which several threads may have one element in launches
  /// that are not known, but only such as the kernel cannot tell apart.
  std::vector<ArrayId> Duplicated;
  std::vector<StaysShared> NotPrivate;
};

/// What the pass shrink decided.
struct ShrinkDecision {
  std::vector<TrimmedArray> Trimmed; ///< None of them is private.
  /// Arrays of which the last rows are not accessed, and why they keep them.
  std::vector<StaysShared> NotTrimmed;
};

/// What the pass overlay decided.
struct OverlayDecision {
  std::vector<StoredVariable> Variables;
  /// Each becomes one object; its root is no Variable. Variables that stand in
  /// none keep their declarations. One object for each component of variables
  /// that share bytes, never one pool: the compiler knows that objects do not
  /// overlap.
  std::vector<StorageNode> Objects;
  /// In front of these statements a `__syncthreads()` is needed.
  std::vector<const clang::Stmt *> NewBarriers;
  std::vector<InPlacePair> InPlace; ///< Of variables that share bytes.
  std::vector<StaysApart> NotInPlace;
  /// If the layouts were chosen for one array after the other: the number of
  /// combinations, which were too many.
  uint64_t NumCombinations = 0;
};

/// What the pass promote decided.
struct PromoteDecision {
  /// If there are any, the last of the objects (a sequence, perhaps of one)
  /// becomes dynamic memory: a compiler allows more of that than of static
  /// memory.
  std::vector<DynamicLaunch> Launches;
};

/// What became of the shared memory of a kernel: what the passes of the group
/// shared-reuse decided, and what it amounts to.
struct ReuseDecision : PrivatizeDecision,
                       ShrinkDecision,
                       OverlayDecision,
                       PromoteDecision {
  /// True if some array has another layout than it would have if the storage
  /// stayed as it is.
  bool ChoosesLayouts = false;
  Blocker WhyKept; ///< None if the source changes.
  /// The bytes of each instance that no storage may need more than: with the
  /// layouts that the arrays have where all stay where they are.
  std::vector<uint64_t> MostBytes;
  /// Of the instance that gains most: static bytes of a block in the source and
  /// in the end, the least that any placement needs, and blocks on a
  /// multiprocessor.
  uint64_t BytesBefore = 0, BytesAfter = 0, LowerBound = 0;
  unsigned BlocksBefore = 0, BlocksAfter = 0;
  bool IsOptimal = false; ///< No placement needs fewer bytes.
  /// What it rests on that the new storage computes the same; not Assumed.
  Trust Rests = Trust::Proved;

  bool isRewritten() const {
    return !Objects.empty() || !Private.empty() || !Trimmed.empty();
  }
  /// True if the places of the arrays are what their layouts were chosen for.
  bool placesLayouts() const { return !Objects.empty() || ChoosesLayouts; }
  /// The decision that all storage stays as it is.
  ReuseDecision kept(Blocker Why) const;
  /// The functions that the kernel calls whose text changes.
  llvm::SmallVector<const clang::FunctionDecl *, 2> callees() const;
  /// The bytes of shared memory that \p Array, of \p Shape in some instance,
  /// takes if it is private or trimmed; nothing if it is neither.
  std::optional<uint64_t> newBytesOf(ArrayId Array,
                                     const ArrayShape &Shape) const;
  /// The dynamic memory that launches of \p Instance ask for.
  uint64_t dynamicBytesOf(const clang::FunctionDecl *Instance) const;
};

/// A statement at its new place.
struct OrderedItem {
  /// Null for a new `__syncthreads()`.
  const clang::Stmt *Statement = nullptr;
  /// If it is a loop of which only a part stands here: what its body then is.
  std::vector<OrderedItem> Parts;
  bool operator==(const OrderedItem &) const = default;
};

/// What became of the order of a kernel's statements (--reorder).
struct OrderDecision {
  std::vector<OrderedItem> Items; ///< All of its body; empty if it is kept.
  bool IsApplied = false;         ///< The text has the new order already.
  Blocker WhyKept;                ///< None if it is not.
};

/// What a pass found out, without anything that changes.
struct Note {
  diag::Kind What = {};
  llvm::StringRef Pass;         ///< Its row in Passes.def.
  std::optional<ArrayId> Array; ///< Nothing if it is about the whole kernel.
  clang::SourceLocation Loc;
  /// What the message fills in, by name and value.
  std::vector<std::pair<std::string, std::string>> Arguments;
};

/// A change of a kernel's text that is neither a layout nor storage nor an
/// order: what a pass of its own wants. The stages and the reports know no more
/// of it than what it says here.
class KernelRewrite {
public:
  virtual ~KernelRewrite();

  /// What is told of it. If it is not made, the reason is added as the last
  /// argument of the message.
  virtual Note describe(const Kernel &K, bool IsMade) const = 0;
  /// Adds its edits to \p All; adds none if it returns an error. Layouts and
  /// storage have their edits already.
  virtual llvm::Error write(const Kernel &K, clang::ASTContext &Context,
                            Edits &All) const = 0;
  /// Fails if what it relies on does not hold. It shares no code with the pass.
  virtual llvm::Error verify(const Kernel &K,
                             clang::ASTContext &Context) const = 0;
  /// Prints lines for --print=plan.
  virtual void print(const Kernel &K, llvm::raw_ostream &OS) const = 0;
};

/// What became of it.
struct RewriteDecision {
  std::shared_ptr<const KernelRewrite> Wanted;
  Blocker WhyKept; ///< None if it is made.

  bool isRewritten() const { return WhyKept.Why == Reason::None; }
};

/// What the passes decided for one kernel.
struct Plan {
  LayoutMap Layouts;
  std::optional<ReuseDecision> Reuse;    ///< Nothing if no such pass ran.
  std::optional<OrderDecision> Order;    ///< Nothing if nobody asked for it.
  std::vector<RewriteDecision> Rewrites; ///< In the order of the passes.
  std::vector<Note> Notes;

  /// True if the plan changes the source.
  bool isRewritten() const;
  void print(const Kernel &K, llvm::raw_ostream &OS) const;
};

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_PLAN_H
