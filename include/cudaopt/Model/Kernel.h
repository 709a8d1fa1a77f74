// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The model of one kernel: its `__shared__` arrays and every access to them as
/// a relation from statement instances to array elements. Built once from the
/// AST, never changed.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_KERNEL_H
#define CUDAOPT_MODEL_KERNEL_H

#include "cudaopt/Model/Trust.h"
#include "cudaopt/Model/ValueGraph.h"
#include "cudaopt/Support/Isl.h"
#include "cudaopt/Support/Reason.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cudaopt {

class KernelCode;
class SourceMarks;

using ArrayId = unsigned;       ///< Index into Kernel::Arrays.
using IntervalId = unsigned;    ///< Barrier interval, in source order from 0.
using FunctionUseId = unsigned; ///< Index into Kernel::FunctionUses.

/// True for each dimension of a thread's index that is meant.
using ThreadDimensions = std::array<bool, 3>;

/// Where the shape of a block is known from, best first.
/// Assumed is one of the shapes that a block of unknown shape may plausibly
/// have: costs are counted for it, and nothing is proved by it.
enum class ShapeOrigin { Option, Mark, Launch, Assumed, LaunchBounds, Unknown };

/// "launch-bounds", ...
llvm::StringRef getName(ShapeOrigin Origin);

/// Largest sizes of a block (CUDA programming guide, compute capabilities).
inline constexpr uint32_t MaxBlockExtents[3] = {1024, 1024, 64};

/// Number of threads of a block in x, y, z. With origin LaunchBounds or Unknown
/// only the number of all threads is bounded (by \c MaxThreads), and Threads is
/// {0, 0, 0}.
struct BlockShape {
  std::array<uint32_t, 3> Threads = {};
  std::array<uint32_t, 3> Grid = {}; ///< Blocks in x, y, z; 0 if not known.
  uint32_t MaxThreads = 1024;
  /// Bytes of `extern __shared__` memory, if a launch tells.
  std::optional<uint64_t> DynamicBytes;
  ShapeOrigin Origin = ShapeOrigin::Unknown;
  /// True if it stands for launches that are not known, beside those that are:
  /// what is proved must hold for it, too, and nothing is counted for it.
  bool IsUnseen = false;

  Trust trust() const {
    return Origin == ShapeOrigin::Assumed ? Trust::Assumed
           : isKnown()                    ? Trust::ClosedWorld
                                          : Trust::Proved;
  }

  bool isKnown() const { return Threads[0] != 0; }
  /// The most threads along \p Dimension, whether or not the shape is known.
  uint32_t maxExtent(unsigned Dimension) const {
    return isKnown() ? Threads[Dimension]
                     : std::min(MaxBlockExtents[Dimension], MaxThreads);
  }
  uint32_t numThreads() const { return Threads[0] * Threads[1] * Threads[2]; }
};

/// A member of the struct that an array's elements are.
struct FieldShape {
  std::string Name;
  unsigned Offset = 0, Size = 0, Alignment = 1; ///< Bytes.
  bool operator==(const FieldShape &) const = default;
};

/// A `__shared__` array as one instance of the kernel sees it.
struct ArrayShape {
  llvm::SmallVector<uint64_t, 4> Extents; ///< Outermost first; 1 to 4.
  unsigned ElementSize = 0;               ///< Bytes.
  /// If the elements are plain structs: their members, in order.
  llvm::SmallVector<FieldShape, 4> Fields;
  /// Of the first byte, where the compiler puts the array as declared (at most
  /// 16).
  unsigned BaseAlignment = 16;
  uint64_t Begin = 0; ///< Of a part: bytes from the start of the whole array.

  uint64_t numElements() const;
};

/// A `__shared__` array as the source declares it; or a part of an `extern`
/// one, `float *a = s + 128;`, that a local pointer names and nothing changes.
struct SharedArray {
  /// In the first instance that declares it. Of a part, the pointer.
  const clang::VarDecl *Decl;
  std::string Name;
  /// `extern __shared__ T a[]`, or a part of one: its size is the launch's.
  bool IsExtern = false;
  std::optional<ArrayId> Whole; ///< Of a part: the array that it is a part of.
  /// Uses that forbid any change of the layout (the array escapes, ...), and
  /// the first place where each is seen.
  std::vector<Blocker> Blockers;
  /// Why the text of the declaration, or of some subscript, cannot be edited.
  std::optional<Blocker> DeclarationBlocker, SubscriptBlocker;
  /// Why the declaration may get longer rows, but no other shape.
  std::optional<Blocker> ShapeBlocker;
  /// Why `a[i].f` cannot become `a.f[i]` everywhere: a use of a whole element.
  std::optional<Blocker> FieldsBlocker;
  /// Parameters of device functions that name the array, too.
  std::vector<const clang::ParmVarDecl *> Parameters;
  /// Pointers to rows of the array, whose subscripts are accesses to it.
  std::vector<const clang::VarDecl *> RowPointers;
  /// What an annotation asks for: "pad", "keep", ...; empty without one.
  std::string WantedLayout;

  /// Adds \p B to the blockers, unless there is one with the same reason.
  void block(Blocker B);
};

enum class AccessKind { Read, Write, Atomic };

/// The subscript of a one-dimensional array that its author uses as rows:
/// `s[Row * Factor + Column]`, with 0 <= Column < Factor proved, and Row in the
/// rows of the array.
struct LinearSplit {
  const clang::Expr *Factor;
  const clang::Expr *Row;
  /// The rest of the sum; null if it is 0 or not contiguous in the text.
  const clang::Expr *Column = nullptr;
  uint64_t Pitch = 0; ///< The value of Factor.
  ValueId RowValue = 0;
  ValueId Rest = 0; ///< The value of all terms but Row * Factor.
};

/// What a function copies, from the element of an access on along its row.
struct RowRun {
  const clang::CallExpr *Call;
  ValueId Bytes = 0;
  /// The byte of the row behind the last one; of an array of one dimension, one
  /// for each of Access::Splits.
  llvm::SmallVector<ValueId, 1> Ends;
  /// Rows may be moved by multiples of that many bytes.
  unsigned Alignment = 1;
  /// True if each thread copies Access::Width bytes with one instruction.
  bool IsOneAccess = false;
  /// If several lines are copied, a fragment of wmma: the argument that says
  /// how many elements lie between them. It changes when rows get longer.
  const clang::Expr *Ldm = nullptr;
};

/// One reference A[f(i)] in one instance of a kernel. An `s[i] += v` is two
/// accesses, a read and a write, with the same Ref.
struct Access {
  const clang::Expr *Ref; ///< The whole subscript; where edits anchor.
  /// The subscript expressions, outermost first, as many as the array has
  /// dimensions.
  llvm::SmallVector<const clang::Expr *, 4> Subscripts;
  ArrayId Array;
  AccessKind Kind;
  unsigned Offset = 0; ///< Bytes from the start of the element: `s[i].y`.
  unsigned Width = 0;  ///< Bytes that one lane accesses: 1, 2, 4, 8 or 16.
  /// Elements that one lane accesses at once, through a cast: they must stay
  /// together, and the first one's number is a multiple of it.
  unsigned Chunk = 1;
  /// True if a pointer to the row is used, whose text is elsewhere: only
  /// layouts that keep rows as they are, however far apart, are legal.
  bool IsThroughRowPointer = false;
  /// True if the compiler does not merge the access with others: the copy is
  /// asynchronous.
  bool IsAlone = false;
  /// Of a copy that only layouts allow that keep rows as they are. Ref and
  /// Subscripts then may lack the last subscript.
  std::optional<RowRun> Run;
  IntervalId Interval = 0;
  /// The subscripts as values; empty if the access is opaque.
  llvm::SmallVector<ValueId, 4> Index;
  Reason WhyOpaque = Reason::None;      ///< None unless opaque.
  llvm::SmallVector<LoopId, 4> Loops;   ///< Enclosing loops, outermost first.
  llvm::SmallVector<ValueId, 8> Guards; ///< Conditions that all hold here.
  /// False if some enclosing condition has no value: fewer threads may get here
  /// than Loops and Guards say.
  bool DomainIsExact = true;
  /// True if isl proved 0 <= subscript < extent for every subscript but the
  /// outermost, for all blocks, threads, iterations and parameters.
  bool InnerSubscriptsInBounds = false;
  /// What InnerSubscriptsInBounds rests on. In an instance of launches that are
  /// not known, a subscript that stays inside its row in all known launches is
  /// believed to do so: one that leaves it has undefined behavior.
  Trust BoundsTrust = Trust::Proved;
  /// The same of the outermost subscript, whatever the user lets us assume;
  /// only found for the parts of an array.
  bool OutermostInBounds = false;
  /// Of an array of one dimension: the split into the shortest rows.
  std::optional<LinearSplit> Split;
  /// What may be such a split, before the proof.
  llvm::SmallVector<LinearSplit, 1> Splits;
  /// { S[b, t, i] -> A[a] }, b block, t thread, i loop iterators; absent if
  /// the access is not quasi-affine. (isl's C++ interface throws when a null
  /// map is copied.)
  std::optional<isl::map> Relation;
  /// The device function that Ref stands in; null in the kernel itself.
  const clang::FunctionDecl *Function = nullptr;
  /// How Function was called; absent in the kernel itself.
  std::optional<FunctionUseId> Use;

  bool isOpaque() const { return Index.empty(); }
  /// False if the bytes go elsewhere than Width says, or in unknown portions.
  bool hasWidth() const { return !Run || Run->IsOneAccess; }
};

/// A loop around accesses. Its iterator counts 0, 1, 2, ...; an iteration is
/// executed by the threads for which Condition (a value that contains the
/// iterator) holds.
struct Loop {
  const clang::Stmt *Statement;
  LoopId Id;
  std::optional<LoopId> Parent;
  /// The iteration test; absent if it has no value (then the trip count is
  /// unknown).
  std::optional<ValueId> Condition;
  /// False if `#pragma unroll 1` keeps iterations apart, or if its body cannot
  /// be repeated in a straight line.
  bool MayUnroll = true;
  /// What `#pragma unroll` asks for; nothing without one.
  std::optional<uint64_t> WantedUnroll = std::nullopt;
  /// False if the trip count is the compiler's to guess, although the shape of
  /// the block tells it.
  bool HasConstantBounds = true;
  /// How the function that contains it was called; absent in the kernel itself.
  std::optional<FunctionUseId> Use = std::nullopt;
};

/// A device function as those calls run it that hand over the same arrays. All
/// specialisations of a text are one function.
struct FunctionUse {
  struct Call {
    const clang::DeclRefExpr *Callee;    ///< Names the function.
    std::optional<FunctionUseId> Caller; ///< Absent in the kernel itself.
  };
  const clang::FunctionDecl *Function; ///< In the first of the calls.
  /// What each parameter names.
  llvm::SmallVector<std::optional<ArrayId>, 4> Arrays;
  std::vector<Call> Calls; ///< By place; at least one.
  /// True if the text serves other arrays, or other kernels, too: a layout of
  /// the arrays changes a copy of it, which these calls get.
  bool NeedsCopy = false;
};

/// The kernel for one set of template arguments and one shape of the block.
struct KernelInstance {
  const clang::FunctionDecl *Decl;
  /// The IR of Decl, which all instances of it share.
  std::shared_ptr<KernelCode> Code;
  BlockShape Block;
  ValueGraph Values;
  std::vector<Loop> Loops;
  std::vector<ArrayShape> Shapes; ///< By ArrayId; no extents if not declared.
  std::vector<Access> Accesses;   ///< In source order.
  unsigned NumBarriers = 0;
  uint64_t StaticSharedBytes = 0; ///< Of all `__shared__` variables.
  /// Names of the functions that it calls and that declare some of them.
  std::set<std::string> SharedOwners;
  /// True if the block is unseen, and nothing but barriers of the whole block
  /// is known to order its threads: no fence, atomic or volatile access.
  bool OrderedByBarriers = false;
  /// If the block is unseen: the dimensions by which the kernel tells its
  /// threads apart, if it does so by nothing else.
  std::optional<ThreadDimensions> Observed;

  void print(const struct Kernel &K, llvm::raw_ostream &OS) const;
};

/// A launch that a file of the program makes (--whole-program).
struct PlacedLaunch {
  BlockShape Block;
  std::string File; ///< The real path.
  unsigned Line = 0;
};

/// What all files of the program do with one kernel.
struct KernelUse {
  std::vector<PlacedLaunch> Launches;
  /// True if some file uses it other than to launch it, or declares a function
  /// of its name that is no kernel.
  bool IsOpen = false;
  std::string OpenFile; ///< If it is open: where that was first seen.
  unsigned OpenLine = 0;

  /// Adds what another file does.
  void add(const KernelUse &Other);
};

/// What the passes know of one `__global__` function of the source: a template
/// is one kernel with an instance for each specialisation and block shape.
struct Kernel {
  const clang::FunctionDecl *Decl; ///< The definition as written.
  std::string Name;
  std::vector<SharedArray> Arrays;
  std::vector<std::unique_ptr<KernelInstance>> Instances;
  std::vector<FunctionUse> FunctionUses;
  /// Why launches that are not known may run it; None if all are known.
  Reason WhyOpen = Reason::None;
  /// True if the language lets other files launch it: then WhyOpen is what the
  /// user, or the other files, tell.
  bool IsOpenToOthers = false;
  /// If so, and all files were read: what they do with it.
  std::optional<KernelUse> InProgram;
  /// What the author of the text wants left alone; null if nothing.
  const SourceMarks *Marks = nullptr;

  /// Returns the use for whose copy an edit for \p Array is, at a place that
  /// \p Use runs; nothing if it is for the text itself.
  std::optional<FunctionUseId> findCopy(ArrayId Array,
                                        std::optional<FunctionUseId> Use) const;

  /// True if pointers name parts of \p Array.
  bool hasParts(ArrayId Array) const;

  void print(llvm::raw_ostream &OS) const;
};

} // namespace cudaopt

#endif // CUDAOPT_MODEL_KERNEL_H
