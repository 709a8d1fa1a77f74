// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The claims of a plan: what a transformation of a kernel relies on, as plain
/// values. The checker compares them with the LLVM IR that clang generates for
/// the kernel, so that an error in the analyses that made the plan is found by
/// code that shares nothing with them. Therefore nothing here names a type of
/// the model, of the analyses or of clang.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_CHECK_CLAIMS_H
#define CUDAOPT_CHECK_CLAIMS_H

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace cudaopt::check {

/// A position in the source, as debug information names it: where a macro is
/// expanded, not where it is defined. Line and column count from 1.
struct SourcePoint {
  std::string File; ///< The last component of the file's name.
  unsigned Line = 0, Column = 0;

  bool isValid() const { return Line != 0; }
  auto tie() const { return std::tie(File, Line, Column); }
  bool operator==(const SourcePoint &Other) const {
    return tie() == Other.tie();
  }
  bool operator<(const SourcePoint &Other) const { return tie() < Other.tie(); }
};

/// How memory is accessed; Any if that is not known.
enum class UseKind { Read, Write, Atomic, Any };

/// Returns the verb for messages: "reads", "writes", ...
const char *getVerb(UseKind Kind);

/// A `__shared__` variable that the plan moves, shrinks, or privatizes.
struct VariableClaim {
  std::string Name;
  SourcePoint Declared; ///< The place of its declaration.
  /// True if there is one AccessClaim, with a width, for each access, so that
  /// no claim may explain two accesses.
  bool IsExact = true;
  /// True if its address is known to escape by other names of the same memory,
  /// so that the plan does not rely on the opposite.
  bool MayEscape = false;
};

/// A range of source text. It is empty if Begin is not valid.
struct SourcePart {
  SourcePoint Begin, End; ///< The first and the last position in it.

  bool contains(const SourcePoint &At) const {
    return Begin.isValid() && Begin.File == At.File && !(At < Begin) &&
           !(End < At);
  }
};

/// One memory request of a lane. An access to an element, such as a struct, may
/// consist of several.
struct AccessPiece {
  UseKind Kind = UseKind::Any;
  uint64_t Offset = 0, Width = 0; ///< Bytes from the start of the element.
  bool operator==(const AccessPiece &) const = default;
};

/// An access to a variable that the plan knows of.
struct AccessClaim {
  unsigned Variable = 0; ///< Index into KernelClaims::Variables.
  UseKind Kind = UseKind::Any;
  uint64_t Width = 0; ///< Bytes that a thread accesses; 0 if not claimed.
  /// True if every thread of a block executes the access: no thread leaves
  /// before, and no condition guards it.
  bool IsByAll = false;
  /// True if the claim may explain any number of accesses: all that a function
  /// does with an element that is passed to it by reference.
  bool IsOfCallee = false;
  /// Positions that debug information may give to the access: those of the
  /// expression, of an expression around it, and of the operator that reads or
  /// writes.
  std::vector<SourcePoint> Points;
  /// A statement in which the access may have any position, besides Points.
  SourcePart Part;
  /// The bytes of the variable in which the access stays: the array, or the
  /// sub-array, that it names. Size is 0 if that is not claimed.
  uint64_t Begin = 0, Size = 0;
  /// The requests that the access consists of; empty if they are not counted.
  std::vector<AccessPiece> Pieces;
  /// If the access is a copy along a row: the number of bytes, or 0 if that is
  /// not known.
  std::optional<uint64_t> Copied;
};

/// A shape that launches of the kernel have: threads of a block, and blocks of
/// the grid, by dimension. A number that is 0 is not claimed.
struct ShapeClaim {
  std::array<uint32_t, 3> Block = {}, Grid = {};
};

/// The launches that an instance of a kernel stands for.
struct LaunchClaim {
  std::array<uint32_t, 3> Block = {}; ///< Its extents; 0 if they are not known.
  std::array<uint32_t, 3> Grid = {};  ///< The same of the grid.
  uint32_t MaxThreads = 1024;         ///< The most threads that a block has.
  /// True if this stands for launches that are not seen, besides known ones.
  bool IsUnseen = false;
  /// True if the shape is a guess: costs depend on it, correctness does not.
  bool IsAssumed = false;

  bool isKnown() const { return Block[0] != 0; }
};

/// An array that can be privatized: each thread accesses one element only, and
/// no other thread accesses that element.
struct PrivateClaim {
  unsigned Variable = 0;
  uint64_t ElementSize = 1, NumElements = 0; ///< The size is in bytes.
  uint64_t LeastExtent = 1; ///< The extent of the array's shortest dimension.
  /// True if, in launches that are not known, several threads may access one
  /// element as long as KernelClaims::Observed does not tell them apart: these
  /// are duplicates, which do the same at the same time.
  bool IsDuplicated = false;
};

/// An array of which only the first NumElements elements are accessed, so that
/// it can be shortened.
struct TrimmedClaim {
  unsigned Variable = 0;
  uint64_t ElementSize = 1, NumElements = 0;
  uint64_t OldElements = 0; ///< The number of elements that are declared.
};

/// Maps a byte of an array to where the plan stores it.
using ByteMap = std::function<uint64_t(uint64_t Byte)>;

/// An array, or a sub-array of a variable, with a new layout.
struct LayoutClaim {
  unsigned Variable = 0;
  /// The index into the WavefrontClaims of the plan.
  unsigned Array = 0;
  /// The bytes of the variable that the array consists of.
  uint64_t Begin = 0, Size = 0;
  uint64_t Offset = 0; ///< Where the plan stores it in the block's memory.
  /// Maps offsets from the start of the old array to offsets from the start of
  /// the new one.
  ByteMap Moved;
  /// The length in bytes of a row, which stays contiguous for copies along it.
  uint64_t Row = 0;
  /// True if rows need not be contiguous with one another any more, so that a
  /// subscript that leaves its row would find another element than before.
  bool HasRows = false;
  /// False if some accesses cannot be counted by elements.
  bool IsCounted = true;
  /// True if the array is only a part of the variable, so that accesses to
  /// other parts must stay outside of it.
  bool IsPart = false;
};

/// The wavefronts that a plan promises for an array, summed up over all
/// instances of the kernel.
struct WavefrontClaim {
  std::string Name;
  /// Wavefronts per block with the old and the new layout, if accesses are as
  /// wide as in the source.
  double Before = 0, After = 0;
  bool IsExact = true; ///< False if the numbers are estimates.
  /// True if After may exceed Before: the layout is for accesses that compilers
  /// merge to wider ones, which then gain more.
  bool MayLose = false;
};

/// Two variables that share bytes although no barrier separates their accesses:
/// each shared byte is accessed by one thread only, and that thread is done
/// with the one variable there before it accesses the other.
struct InPlaceClaim {
  /// Where one of the variables is stored.
  struct Side {
    unsigned Variable = 0;
    uint64_t Offset = 0; ///< In the block's memory, in bytes.
    ByteMap Moved;       ///< Its new layout; empty if that does not change.
  };
  Side A, B;
  /// Two steps of the kernel that no barrier separates, one that accesses A and
  /// one that accesses B. They may be the same step.
  struct Pair {
    unsigned OfA = 0, OfB = 0;
    /// Whether control flow leads from the step of A to that of B, and back.
    bool IsBehind = false, IsBefore = false;
  };
  std::vector<Pair> Pairs;
  /// The step of each access claim; OfNoPair if that is in no pair, NotKnown if
  /// the access may be in any step.
  static constexpr int OfNoPair = -1, NotKnown = -2;
  std::vector<int> Steps;
  /// Steps that write one variable and read an older value of the other, which
  /// could be lost: [0] if A comes first in the shared bytes, [1] if B does.
  std::map<int, std::array<bool, 2>> MayLose;
};

/// The claims for one instance of a kernel, which is one function of the device
/// code.
struct KernelClaims {
  std::string Symbol; ///< The mangled name of the kernel.
  std::string Stub; ///< The mangled name of the host function that launches it.
  std::vector<VariableClaim> Variables;
  std::vector<AccessClaim> Accesses;
  /// True if the plan relies on which threads run to the end.
  bool ReliesOnLeaves = false;
  std::vector<SourcePart> Leaves; ///< Where threads may leave the kernel.
  SourcePoint End;                ///< The closing brace of the kernel.
  /// If the plan relies on duplicate threads: the dimensions in which the
  /// kernel reads the index of the thread or the size of the block. It must not
  /// tell threads apart by anything else, and threads must not learn what
  /// others do except at barriers of the block.
  std::optional<std::array<bool, 3>> Observed;
  /// True if the plan relies on it that only barriers of the block order
  /// threads.
  bool OrderedByBarriers = false;
  /// The launch shapes for which the plan is correct; std::nullopt if it is
  /// correct for every shape.
  std::optional<std::vector<ShapeClaim>> Shapes;
  LaunchClaim Launch;
  std::vector<PrivateClaim> Private;
  std::vector<TrimmedClaim> Trimmed;
  std::vector<LayoutClaim> Layouts;
};

/// Something that the code does and that contradicts the claims. The plan is
/// then rejected.
struct Disagreement {
  enum class Kind {
    Access,   ///< An access that no claim explains.
    Width,    ///< An access of another width than claimed.
    Escape,   ///< The address of a variable escapes.
    Leave,    ///< Threads may leave where they should go on.
    Shape,    ///< A launch has a shape that is not claimed.
    Thread,   ///< Threads are told apart, or ordered, by something else.
    Code,     ///< There is no code to compare with.
    Element,  ///< A thread accesses another element than claimed.
    Wavefront ///< A layout takes another number of wavefronts.
  };
  Kind What = Kind::Access;
  /// The rest of a message whose subject is the kernel: "it reads 's' where
  /// the plan knows of no such access".
  std::string Text;
  SourcePoint At; ///< The place in the source; not valid if there is none.
};

} // namespace cudaopt::check

#endif // CUDAOPT_CHECK_CLAIMS_H
