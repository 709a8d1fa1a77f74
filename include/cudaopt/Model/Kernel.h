// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The model of one kernel: its `__shared__` arrays and every access to them,
/// as an isl relation from statement instances to array elements. It is built
/// once from the AST and the IR (KernelBuilder.h) and not changed by the
/// passes.
///
/// A kernel has instances, one for each set of template arguments and each
/// shape of the block it is launched with. In an instance `blockDim` and
/// template arguments are numbers, so that most subscripts become functions of
/// the block, the thread and the iterations of loops.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_KERNEL_H
#define CUDAOPT_MODEL_KERNEL_H

#include "cudaopt/IR/Function.h"
#include "cudaopt/Launches/ProgramLaunches.h"
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

using ArrayId = unsigned; ///< Index into Kernel::Arrays.
/// A barrier interval: the code between two barriers, numbered in source order
/// from 0.
using IntervalId = unsigned;
using FunctionUseId = unsigned; ///< Index into Kernel::FunctionUses.

/// A set of dimensions of the thread index: true for x, y, z if it is in the
/// set.
using ThreadDimensions = std::array<bool, 3>;

/// A member of the struct type of an array's elements. Offset, size and
/// alignment are in bytes.
struct FieldShape {
  std::string Name;
  unsigned Offset = 0, Size = 0, Alignment = 1; ///< In bytes.
  bool operator==(const FieldShape &) const = default;
};

/// The shape of a `__shared__` array in one instance of the kernel.
struct ArrayShape {
  llvm::SmallVector<uint64_t, 4> Extents; ///< Outermost first; 1 to 4.
  /// In bytes.
  unsigned ElementSize = 0;
  /// The members in their order, if the elements are plain structs; else empty.
  llvm::SmallVector<FieldShape, 4> Fields;
  /// The alignment of the first byte, in bytes, where the compiler puts the
  /// array as declared. At most 16 is relied on.
  unsigned BaseAlignment = 16;
  /// The offset of a sub-array, in bytes from the start of the whole array.
  uint64_t Begin = 0;

  uint64_t numElements() const;
};

/// A `__shared__` array as the source declares it; or a sub-array of an
/// `extern` one, `float *a = s + 128;`, which a local pointer names that never
/// changes.
struct SharedArray {
  /// The declaration in the first instance that has it; of a sub-array, the
  /// pointer.
  const clang::VarDecl *Decl;
  std::string Name;
  /// True for `extern __shared__ T a[]` and its sub-arrays: the launch decides
  /// the size.
  bool IsExtern = false;
  /// The array that this one is a sub-array of.
  std::optional<ArrayId> Whole;
  /// Uses that forbid any change of the layout (the address escapes, ...), with
  /// the first place where each kind is seen.
  std::vector<Refusal> Refusals;
  /// Why the text of the declaration, or of some subscript, cannot be edited.
  std::optional<Refusal> DeclarationRefusal, SubscriptRefusal;
  /// Why the declaration may get longer rows, but no other shape.
  std::optional<Refusal> ShapeRefusal;
  /// Why `a[i].f` cannot become `a.f[i]` everywhere: some use needs a whole
  /// element.
  std::optional<Refusal> FieldsRefusal;
  /// Parameters of device functions that name the array in some call.
  std::vector<const clang::ParmVarDecl *> Parameters;
  /// Pointers to rows of the array, whose subscripts are accesses to it.
  std::vector<const clang::VarDecl *> RowPointers;
  /// The layout that CUDAOPT_LAYOUT asks for: "pad", "keep", ...; empty without
  /// one.
  std::string WantedLayout;

  /// Adds \p R to the refusals, unless there is one with the same reason.
  void refuse(Refusal R);
};

enum class AccessKind { Read, Write, Atomic };

/// A split of the subscript of a one-dimensional array that its author uses as
/// a matrix: `s[Row * Factor + Column]`. It is proved that 0 <= Column < Factor
/// and that Row is a row of the array.
struct LinearSplit {
  const clang::Expr *Factor;
  const clang::Expr *Row;
  /// The remaining terms of the sum; null if there are none, or if they are not
  /// contiguous in the text.
  const clang::Expr *Column = nullptr;
  uint64_t Pitch = 0; ///< The value of Factor.
  ValueId RowValue = 0;
  ValueId Rest = 0; ///< The value of all terms but Row * Factor.
};

/// A term of a subscript that is a sum: `4 * t` and `k` of `s[4 * t + k]`.
struct SubscriptTerm {
  const clang::Expr *E; ///< Without parentheses and conversions around it.
  ValueId Value;
};

/// A run of bytes that a function copies: it begins at the element of an access
/// and goes on along the row of that element.
struct RowRun {
  const clang::CallExpr *Call;
  ValueId Bytes = 0;
  /// The offset in its row, in bytes, behind the last byte copied. For an array
  /// of one dimension, one offset for each of Access::Splits.
  llvm::SmallVector<ValueId, 1> Ends;
  /// The alignment that the copy needs: rows may be moved by multiples of that
  /// many bytes.
  unsigned Alignment = 1;
  /// True if each thread copies Access::Width bytes with one instruction.
  bool IsOneAccess = false;
  /// The leading dimension, for a fragment of wmma, which is copied in several
  /// lines: the argument that says how many elements lie between two lines. It
  /// has to change when rows get longer.
  const clang::Expr *Ldm = nullptr;
};

/// One reference A[f(i)] in one instance of a kernel. An `s[i] += v` is two
/// accesses, a read and a write, with the same Ref.
struct Access {
  /// The whole subscript expression; edits are anchored here.
  const clang::Expr *Ref;
  /// The subscript expressions, outermost first, as many as the array has
  /// dimensions.
  llvm::SmallVector<const clang::Expr *, 4> Subscripts;
  ArrayId Array;
  AccessKind Kind;
  unsigned Offset = 0; ///< Bytes from the start of the element: `s[i].y`.
  unsigned Width = 0;  ///< Bytes that one lane accesses: 1, 2, 4, 8 or 16.
  /// The number of elements that one lane accesses at once, through a cast to a
  /// wider type. These must stay together, and the first one's number is a
  /// multiple of Chunk.
  unsigned Chunk = 1;
  /// True if a pointer to the row is used, which the source forms elsewhere.
  /// Then only layouts that keep each row contiguous are legal.
  bool IsThroughRowPointer = false;
  /// True if the compiler does not merge the access with others: an
  /// asynchronous copy.
  bool IsAlone = false;
  /// Set for a copy of contiguous bytes, which only layouts allow that keep
  /// each row contiguous. Ref and Subscripts then may lack the last subscript.
  std::optional<RowRun> Run;
  IntervalId Interval = 0;
  /// The subscripts as values; empty if the access is opaque.
  llvm::SmallVector<ValueId, 4> Index;
  /// The terms of the last subscript, in the order of the text; the subscript
  /// itself if it is no sum. Empty if some term has no value, or is subtracted.
  llvm::SmallVector<SubscriptTerm, 2> Terms;
  /// Why Index is empty; std::nullopt if it is not.
  std::optional<Reason> WhyOpaque;
  llvm::SmallVector<LoopId, 4> Loops; ///< Enclosing loops, outermost first.
  /// Conditions that all hold at the access.
  llvm::SmallVector<ValueId, 8> Guards;
  /// False if some enclosing condition has no value: then fewer threads may get
  /// here, or less often, than Loops and Guards say.
  bool DomainIsExact = true;
  /// True if 0 <= subscript < extent is proved for every subscript but the
  /// outermost, for all blocks, threads, iterations and parameters.
  bool InnerSubscriptsInBounds = false;
  /// What InnerSubscriptsInBounds rests on. In an instance for unknown
  /// launches, a subscript that stays inside its row in all known launches is
  /// believed to do so as well: one that leaves its row has undefined
  /// behaviour.
  Trust BoundsTrust = Trust::Proved;
  /// The same for the outermost subscript, without relying on anything that the
  /// user lets us assume. Only computed for sub-arrays.
  bool OutermostInBounds = false;
  /// The split into the shortest rows for which the proof succeeds, for an
  /// array of one dimension.
  std::optional<LinearSplit> Split;
  /// The candidates for Split, before the proof.
  llvm::SmallVector<LinearSplit, 1> Splits;
  /// { S[b, t, i] -> A[a] } with b the block, t the thread and i the loop
  /// iterators; absent if the access is not quasi-affine. (It is optional
  /// because isl's C++ interface throws when a null map is copied.)
  std::optional<isl::map> Relation;
  /// The device function that Ref stands in; null in the kernel itself.
  const clang::FunctionDecl *Function = nullptr;
  /// How Function was called; absent in the kernel itself.
  std::optional<FunctionUseId> Use;
  /// The calls that lead to Ref, in the kernel's IR.
  ir::CallPathId Path = 0;

  bool isOpaque() const { return Index.empty(); }
  /// Returns false if the access is not Width bytes at the element: the bytes
  /// go elsewhere, or in portions of unknown size.
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
  /// The count that `#pragma unroll` asks for; std::nullopt without one.
  std::optional<uint64_t> WantedUnroll = std::nullopt;
  /// False if the compiler cannot know the trip count, although it is known
  /// here from the shape of the block (`i < blockDim.x`).
  bool HasConstantBounds = true;
  /// How the function that contains it was called; absent in the kernel itself.
  std::optional<FunctionUseId> Use = std::nullopt;
};

/// A device function together with all calls that hand over the same arrays.
/// All specialisations of one text are one function.
struct FunctionUse {
  struct Call {
    const clang::DeclRefExpr *Callee; ///< Names the function.
    /// The function that contains the call; absent in the kernel itself.
    std::optional<FunctionUseId> Caller;
  };
  /// The callee of the first of the calls.
  const clang::FunctionDecl *Function;
  /// The array that each parameter names, if any.
  llvm::SmallVector<std::optional<ArrayId>, 4> Arrays;
  /// The calls, one for each place; at least one.
  std::vector<Call> Calls;
  /// True if the text serves other arrays, or other kernels, too. A new layout
  /// then changes a copy of the function, which these calls get.
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
  /// Indexed by ArrayId; without extents if the instance does not declare the
  /// array.
  std::vector<ArrayShape> Shapes; ///< By ArrayId; no extents if not declared.
  std::vector<Access> Accesses;   ///< In source order.
  unsigned NumBarriers = 0;
  /// The bytes of all `__shared__` variables of static size.
  uint64_t StaticSharedBytes = 0;
  /// Names of the called functions that declare some of these variables.
  std::set<std::string> SharedOwners;
  /// Set for an unseen block only: true if nothing but barriers of the whole
  /// block orders its threads, that is, the code has no fence, atomic or
  /// volatile access.
  bool OrderedByBarriers = false;
  /// Set for an unseen block only: the dimensions of the thread index that the
  /// kernel reads; std::nullopt if it may tell its threads apart by other means
  /// (ObservedThread.h).
  std::optional<ThreadDimensions> Observed;

  void print(const struct Kernel &K, llvm::raw_ostream &OS) const;
};

/// What the passes know of one `__global__` function of the source. A template
/// is one kernel, with an instance for each specialisation and block shape.
struct Kernel {
  const clang::FunctionDecl *Decl; ///< The definition as written.
  std::string Name;
  std::vector<SharedArray> Arrays;
  std::vector<std::unique_ptr<KernelInstance>> Instances;
  std::vector<FunctionUse> FunctionUses;
  /// Why launches that are not known may run the kernel; std::nullopt if all
  /// are known.
  std::optional<Reason> WhyOpen;
  /// True if the language lets other files launch the kernel. WhyOpen then
  /// rests on what the user, or the scan of the other files, says.
  bool IsOpenToOthers = false;
  /// What all files of the program do with the kernel, if it is open to others
  /// and they were scanned.
  std::optional<KernelUse> InProgram;
  /// What the author of the text wants left alone; null if nothing.
  const SourceMarks *Marks = nullptr;

  /// An edit for \p Array at a place that \p Use runs goes either into the text
  /// itself or into a copy of a function. Returns the use whose copy it is;
  /// std::nullopt if the text itself is edited.
  std::optional<FunctionUseId> findCopy(ArrayId Array,
                                        std::optional<FunctionUseId> Use) const;

  /// Returns true if pointers name sub-arrays of \p Array.
  bool hasParts(ArrayId Array) const;

  void print(llvm::raw_ostream &OS) const;
};

} // namespace cudaopt

#endif // CUDAOPT_MODEL_KERNEL_H
