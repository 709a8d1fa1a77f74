// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Plans: what the passes decided about a kernel, and the rewriter's only
/// input. A plan is a value: each pass makes a new one from the one before, and
/// it is not changed afterwards. If a later stage refuses a plan, the kernel is
/// planned again under an additional rule (PlanRules.h).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PLAN_PLAN_H
#define CUDAOPT_PLAN_PLAN_H

#include "cudaopt/Plan/Layout.h"

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

/// The wavefronts of all accesses of a kernel or to an array: per block, summed
/// over warps and iterations, averaged over blocks where these differ. Bound is
/// what any layout needs at least.
struct Wavefronts {
  double Before = 0, After = 0, Bound = 0;
  Wavefronts &operator+=(const Wavefronts &Other);
};

/// What the accesses to an array need in a block of one instance.
struct BlockCost {
  double Wavefronts = 0, Requests = 0;
  /// The requests whose subscripts are written with the layout's row length, so
  /// that the number of the row is there already.
  double Spelled = 0;
};

/// What a layout changes in a block of one instance.
struct LayoutEffect {
  const KernelInstance *Instance;
  BlockCost Before, After;
  /// The instructions that it adds, over all warps of the block, if none of
  /// them is hoisted out of a loop or folded in unrolled code.
  double Instructions;
};

/// What is proved about the quality of a layout.
enum class Certificate {
  None,         ///< The array is kept, and nothing was searched.
  BoundReached, ///< No layout needs fewer wavefronts.
  Exhausted,    ///< All members of the families were counted.
  BestFound,    ///< Some family was searched by descent, or not to its end.
};

/// Returns "bound reached", "exhausted" or "best found"; empty for None.
llvm::StringRef getName(Certificate C);

/// That fewer blocks fit on a multiprocessor with a layout, and the time of the
/// kernel that is predicted nevertheless, as a part of what it is without.
struct BlocksLost {
  unsigned Before = 0, After = 0;
  double Time = 1;
};

/// The decision of bank-layout on one array.
struct LayoutDecision {
  Layout New; ///< Identity if the array is kept.
  /// Why the array is kept; std::nullopt if it is rewritten.
  std::optional<Refusal> Refused;
  /// The wavefronts of the accesses that can be counted, with accesses merged
  /// as the compiler does.
  Wavefronts Cost;
  /// The same with accesses as the source has them.
  Wavefronts SourceCost;
  /// The number of accesses, over all instances, that cannot be counted.
  unsigned NumUncounted = 0;
  bool IsExact = true; ///< False if loops were sampled or parameters assumed.
  Certificate Proof = Certificate::None;
  /// How far it may be believed that the kernel computes the same with New;
  /// never Assumed.
  Trust Rests = Trust::Proved;
  /// The instructions that New adds, expressed in the wavefronts that could be
  /// served while they are executed.
  double Charge = 0;
  /// Set if New is worth more than the blocks that it costs.
  std::optional<BlocksLost> Lost;
  /// What New changes, by instance. If that is the reason to keep the array,
  /// what the layout would change that it does not get. Empty if it does not
  /// matter: the user asks for New.
  std::vector<LayoutEffect> Effects;

  bool isRewritten() const { return New.Kind != Layout::Family::Identity; }
  /// Returns this decision with the change reverted, because of \p R.
  LayoutDecision kept(Refusal R) const;
};

/// The decisions on the layouts of a kernel's arrays.
using LayoutMap = llvm::MapVector<ArrayId, LayoutDecision>;

/// The storage of several variables in one object, as a tree of what becomes
/// nested structs and unions (see StorageTree.h): a variable, a sequence of
/// nodes one after the other (a struct), or alternatives in the same bytes (a
/// union). Alternatives usually do not interfere at all, so that the tree is
/// correct for variables of any size. Otherwise only parts of them interfere,
/// and gaps keep these parts apart for the sizes that the variables have.
struct StorageNode {
  enum class Kind { Variable, Sequence, Alternatives, Gap };
  Kind What = Kind::Variable;
  /// The index of a Variable in ReuseDecision::Variables.
  unsigned Variable = 0;
  /// The members of a Sequence or of Alternatives; usually two or more.
  std::vector<StorageNode> Members;
  uint64_t Bytes = 0; ///< The size of a Gap.
  bool operator==(const StorageNode &) const = default;
};

/// Returns the variables of \p Tree, from left to right.
llvm::SmallVector<unsigned, 8> listVariables(const StorageNode &Tree);

/// A `__shared__` variable whose place may be changed.
struct StoredVariable {
  /// The declaration in the first instance that has it. Other instances have a
  /// declaration of their own at the same source location.
  const clang::VarDecl *Decl;
  std::string Name;
  /// Returns the function that declares it: the kernel, or one that only the
  /// kernel calls.
  const clang::FunctionDecl *owner() const;
};

/// An array that could be privatized (each thread has an element of its own) or
/// shrunk (its last rows are not accessed), and why it is not.
struct StaysShared {
  ArrayId Array;
  Refusal Refused;
};

/// An array of which only the first \c Extent rows (or elements) are accessed.
struct TrimmedArray {
  ArrayId Array;
  uint64_t Extent; ///< The new outermost extent.
};

/// Two variables that share bytes although both are live in one barrier
/// interval: each thread overwrites with elements of the one only what it has
/// itself read of the other, and no other thread accesses these bytes.
struct InPlacePair {
  unsigned A, B; ///< Indices into ReuseDecision::Variables; A < B.
  bool operator==(const InPlacePair &) const = default;
};

/// Two variables of which one dies in the barrier interval where the other one
/// is born, and why they cannot share bytes in place.
struct StaysApart {
  std::string Dying, Born;
  Refusal Refused;
};

/// A launch that must ask for dynamic shared memory.
struct DynamicLaunch {
  const clang::CUDAKernelCallExpr *Call;
  /// The text that names the kernel's instance at the launch, such as
  /// "reduce<float, 4>".
  std::string Kernel;
  uint64_t Bytes = 0; ///< The dynamic memory that the launch must ask for.
};

/// What the pass privatize decided.
struct PrivatizeDecision {
  /// The arrays that are privatized: each thread accesses only one element, and
  /// no other thread accesses that element.
  std::vector<ArrayId> Private;
  /// Those of Private of which, in launches that are not known, several threads
  /// may access one element, but only threads that the kernel cannot tell apart
  /// (ObservedThread.h).
  std::vector<ArrayId> Duplicated;
  /// The arrays that could be private, and why they are not.
  std::vector<StaysShared> NotPrivate;
};

/// What the pass shrink decided.
struct ShrinkDecision {
  /// The arrays that are cut. None of them is private.
  std::vector<TrimmedArray> Trimmed;
  /// The arrays whose last rows are not accessed, and why they keep them.
  std::vector<StaysShared> NotTrimmed;
};

/// What the pass overlay decided.
struct OverlayDecision {
  /// The variables that could share bytes; the index space of trees and pairs.
  std::vector<StoredVariable> Variables;
  /// The new objects, each a tree whose root is no Variable. Variables that are
  /// in none of them keep their declarations. There is one object for each
  /// connected group of variables that share bytes, never one pool for all:
  /// the compiler knows that distinct objects do not alias.
  std::vector<StorageNode> Objects;
  /// The statements in front of which a `__syncthreads()` is inserted.
  std::vector<const clang::Stmt *> NewBarriers;
  /// The variables that share bytes in place.
  std::vector<InPlacePair> InPlace;
  std::vector<StaysApart> NotInPlace;
  /// The number of combinations of layouts, if they were too many to be tried,
  /// so that layouts were chosen for one array after the other; else 0.
  uint64_t NumCombinations = 0;
};

/// What the pass promote decided.
struct PromoteDecision {
  /// If there are any launches here, the last one of the objects (a Sequence,
  /// perhaps with one member) becomes dynamic memory, of which a block may have
  /// more than of static memory.
  std::vector<DynamicLaunch> Launches;
};

/// The decision of the group shared-reuse on the shared memory of a kernel:
/// what its passes decided, and the resulting figures for reports.
struct ReuseDecision : PrivatizeDecision,
                       ShrinkDecision,
                       OverlayDecision,
                       PromoteDecision {
  /// True if some array has another layout, or another reason to keep its own,
  /// than bank-layout alone has found: the new storage makes the difference.
  bool ChoosesLayouts = false;
  /// Why the storage is kept; std::nullopt if the source changes.
  std::optional<Refusal> Refused;
  /// By analysed instance (see ReuseProblem): the bytes that the new storage
  /// must not exceed. That is what the variables take with their first layouts
  /// if none shares bytes.
  std::vector<uint64_t> MostBytes;
  /// Figures of the instance that takes most bytes: the static bytes of a block
  /// in the source and in the end, a lower bound for any placement, and the
  /// blocks that fit on a multiprocessor.
  uint64_t BytesBefore = 0, BytesAfter = 0, LowerBound = 0;
  unsigned BlocksBefore = 0, BlocksAfter = 0;
  bool IsOptimal = false; ///< True if BytesAfter reaches LowerBound.
  /// How far it may be believed that the kernel computes the same with the new
  /// storage; never Assumed.
  Trust Rests = Trust::Proved;

  bool isRewritten() const {
    return !Objects.empty() || !Private.empty() || !Trimmed.empty();
  }
  /// Returns true if the layouts of the arrays were chosen for this storage, so
  /// that they may need bytes which the source's storage has not.
  bool placesLayouts() const { return !Objects.empty() || ChoosesLayouts; }
  /// Returns this decision with all changes reverted, because of \p R.
  ReuseDecision kept(Refusal R) const;
  /// Returns the functions called by the kernel whose text changes.
  llvm::SmallVector<const clang::FunctionDecl *, 2> callees() const;
  /// Returns the bytes of shared memory that \p Array, of \p Shape in some
  /// instance, takes if it is private (0) or trimmed; std::nullopt if it is
  /// neither.
  std::optional<uint64_t> newBytesOf(ArrayId Array,
                                     const ArrayShape &Shape) const;
  /// Returns the bytes of dynamic memory that launches of \p Instance must ask
  /// for; 0 if none.
  uint64_t dynamicBytesOf(const clang::FunctionDecl *Instance) const;
};

/// A statement of a reordered body.
struct OrderedItem {
  /// The statement; null for a new `__syncthreads()`.
  const clang::Stmt *Statement = nullptr;
  /// If the statement is a loop that is split, and one part of it stands here:
  /// the body of that part. Else empty.
  std::vector<OrderedItem> Parts;
  bool operator==(const OrderedItem &) const = default;
};

/// The decision of the pass reorder on the statements of a kernel's body.
struct OrderDecision {
  /// The whole body in its new order; empty if the order is kept.
  std::vector<OrderedItem> Items;
  /// True if the text that is planned has been reordered already.
  bool IsApplied = false;
  /// Why the order is kept; std::nullopt otherwise, and if there was nothing to
  /// reorder.
  std::optional<Refusal> Refused;
};

/// An observation of a pass that changes nothing: a remark for the reports.
struct Note {
  diag::Kind What = {};
  llvm::StringRef Pass; ///< The name of the pass in Passes.def.
  /// The array that it is about; std::nullopt if it is about the kernel.
  std::optional<ArrayId> Array;
  clang::SourceLocation Loc;
  /// The arguments of the message, by name and value.
  std::vector<std::pair<std::string, std::string>> Arguments;
};

/// A change of a kernel's text that is neither a layout nor storage nor an
/// order. A pass that makes such a change derives from this class; the later
/// stages and the reports know the change only by this interface.
class KernelRewrite {
public:
  virtual ~KernelRewrite();

  /// Returns the remark on the change. If it is not made (\p IsMade is false),
  /// the caller adds the reason as the last argument of the message.
  virtual Note describe(const Kernel &K, bool IsMade) const = 0;
  /// Adds the edits of the change to \p All; adds none if it returns an error.
  /// The edits of layouts and storage are in All already.
  virtual llvm::Error write(const Kernel &K, clang::ASTContext &Context,
                            Edits &All) const = 0;
  /// Returns an error if a condition that the change relies on does not hold.
  /// An implementation shares no code with the pass.
  virtual llvm::Error verify(const Kernel &K,
                             clang::ASTContext &Context) const = 0;
  /// Returns the bytes of static shared memory that the change adds to a block.
  virtual uint64_t sharedBytes() const { return 0; }
  /// Prints lines for --print=plan.
  virtual void print(const Kernel &K, llvm::raw_ostream &OS) const = 0;
};

/// The decision on a KernelRewrite.
struct RewriteDecision {
  std::shared_ptr<const KernelRewrite> Wanted;
  /// Why it is not made; std::nullopt if it is made. The pass itself may refuse
  /// what it has found, so that reports say why.
  std::optional<Refusal> Refused;

  bool isRewritten() const { return !Refused; }
};

/// All decisions on one kernel.
struct Plan {
  LayoutMap Layouts;
  /// std::nullopt if no pass of shared-reuse has run.
  std::optional<ReuseDecision> Reuse;
  /// std::nullopt if the pass reorder has not run.
  std::optional<OrderDecision> Order;
  std::vector<RewriteDecision> Rewrites; ///< In the order of the passes.
  std::vector<Note> Notes;

  /// Returns true if the plan changes the source, apart from the order of
  /// statements.
  bool isRewritten() const;
  void print(const Kernel &K, llvm::raw_ostream &OS) const;
};

} // namespace cudaopt

#endif // CUDAOPT_PLAN_PLAN_H
