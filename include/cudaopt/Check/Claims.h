// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the plan of a kernel relies on, as neutral values: the checker compares
/// them with the code that clang generates. Nothing here names a type of the
/// model, of the analyses or of clang.
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

/// A place in the source, as debug information names it: where a macro is
/// expanded, not where it is defined.
struct SourcePoint {
  std::string File; ///< The last component of its name.
  unsigned Line = 0, Column = 0;

  bool isValid() const { return Line != 0; }
  auto tie() const { return std::tie(File, Line, Column); }
  bool operator==(const SourcePoint &Other) const {
    return tie() == Other.tie();
  }
  bool operator<(const SourcePoint &Other) const { return tie() < Other.tie(); }
};

enum class UseKind { Read, Write, Atomic, Any };

/// "reads", "writes", ...
const char *getVerb(UseKind Kind);

/// A `__shared__` variable that the plan moves, cuts, or makes private.
struct VariableClaim {
  std::string Name;
  SourcePoint Declared;
  /// True if each access to it is one claim, with a width: not two accesses
  /// may be explained by the same one.
  bool IsExact = true;
  /// True if other names of the same memory are known to escape, so that the
  /// plan relies on no claim about its address.
  bool MayEscape = false;
};

/// A part of the source; not valid if it is none.
struct SourcePart {
  SourcePoint Begin, End; ///< Both included.

  bool contains(const SourcePoint &At) const {
    return Begin.isValid() && Begin.File == At.File && !(At < Begin) &&
           !(End < At);
  }
};

/// One request of a lane, of those that an access to an element is.
struct AccessPiece {
  UseKind Kind = UseKind::Any;
  uint64_t Offset = 0, Width = 0; ///< Bytes from the start of the element.
  bool operator==(const AccessPiece &) const = default;
};

/// An access that the plan knows.
struct AccessClaim {
  unsigned Variable = 0; ///< Index into KernelClaims::Variables.
  UseKind Kind = UseKind::Any;
  uint64_t Width = 0; ///< Bytes that a thread accesses; 0 if not claimed.
  /// True if each thread of a block gets there: none leaves before, and no
  /// condition stands around it.
  bool IsByAll = false;
  /// True if the claim explains as many accesses as there are: all that a
  /// function does with an element that it gets by reference.
  bool IsOfCallee = false;
  /// Places that debug information may give to the access: the expression,
  /// what it is a part of, and the operator that reads or writes.
  std::vector<SourcePoint> Points;
  SourcePart Part; ///< Or that it may have anywhere in a statement.
  /// The bytes of the variable that it stays in, the array or the part of one
  /// that it names; Size is 0 if that is not claimed.
  uint64_t Begin = 0, Size = 0;
  std::vector<AccessPiece> Pieces; ///< None if they are not counted.
  /// Of a copy along a row: the bytes, 0 if that is not known.
  std::optional<uint64_t> Copied;
};

/// A shape that launches of the kernel have: threads of a block, and blocks of
/// the grid; a number that is 0 is not claimed.
struct ShapeClaim {
  std::array<uint32_t, 3> Block = {}, Grid = {};
};

/// The launches that an instance of a kernel stands for.
struct LaunchClaim {
  std::array<uint32_t, 3> Block = {}; ///< 0 if it is not known.
  std::array<uint32_t, 3> Grid = {};
  uint32_t MaxThreads = 1024; ///< Of a block.
  bool IsUnseen = false;      ///< Beside those that are known.
  bool IsAssumed = false;     ///< Nothing but costs rests on it.

  bool isKnown() const { return Block[0] != 0; }
};

/// An array of which each thread accesses one element, and no other thread that
/// element.
struct PrivateClaim {
  unsigned Variable = 0;
  uint64_t ElementSize = 1, NumElements = 0;
  uint64_t LeastExtent = 1; ///< Of its dimensions.
  /// True if threads that KernelClaims::Observed does not tell apart may have
  /// an element together, in launches that are not known.
  bool IsDuplicated = false;
};

/// An array of which only the first elements are accessed.
struct TrimmedClaim {
  unsigned Variable = 0;
  uint64_t ElementSize = 1, NumElements = 0;
  uint64_t OldElements = 0; ///< Of the array as it is declared.
};

/// Where a byte of an array is stored.
using ByteMap = std::function<uint64_t(uint64_t Byte)>;

/// An array, or a part of one, whose elements are stored elsewhere in it.
struct LayoutClaim {
  unsigned Variable = 0;
  unsigned Array = 0;           ///< Index into the WavefrontClaims of the plan.
  uint64_t Begin = 0, Size = 0; ///< Bytes of the variable that it is.
  uint64_t Offset = 0; ///< Where the plan stores it in the block's memory.
  ByteMap Moved;       ///< From the start of the old array, and of the new one.
  uint64_t Row = 0;    ///< Bytes that stay together for copies along a row.
  bool HasRows = false; ///< What follows a row need no longer be the next one.
  /// False if some accesses cannot be counted by elements.
  bool IsCounted = true;
  /// True if it is a part of a variable, so that the others say where it ends.
  bool IsPart = false;
};

/// What a plan promises of an array, summed up over all instances.
struct WavefrontClaim {
  std::string Name;
  double Before = 0, After = 0; ///< Of a block, at the widths of the source.
  bool IsExact = true;
  /// True if it may lose so: accesses that compilers merge gain more.
  bool MayLose = false;
};

/// Two variables that share bytes with no barrier between: each byte is
/// accessed by one thread, as the one before it is as the other.
struct InPlaceClaim {
  struct Side {
    unsigned Variable = 0;
    uint64_t Offset = 0; ///< In the block's memory.
    ByteMap Moved;
  };
  Side A, B;
  /// Steps of the kernel with accesses that no barrier separates: of A and B.
  struct Pair {
    unsigned OfA = 0, OfB = 0;
    bool IsBehind = false, IsBefore = false; ///< A way leads from A to B; back.
  };
  std::vector<Pair> Pairs;
  /// By access claim: its step, if it is one of a pair.
  static constexpr int OfNoPair = -1, NotKnown = -2;
  std::vector<int> Steps;
  /// Steps that write B (or A) and read an older value of the other.
  std::map<int, std::array<bool, 2>> MayLose; ///< If A comes first; if B does.
};

/// One instance of a kernel: one function of the device code.
struct KernelClaims {
  std::string Symbol; ///< Mangled.
  std::string Stub;   ///< The function of the host that launches it, mangled.
  std::vector<VariableClaim> Variables;
  std::vector<AccessClaim> Accesses;
  /// True if the plan relies on which threads run to the end.
  bool ReliesOnLeaves = false;
  std::vector<SourcePart> Leaves; ///< Where threads may leave the kernel.
  SourcePoint End;                ///< The closing brace of the kernel.
  /// If the plan relies on it: the dimensions of which the kernel reads the
  /// index of the thread or the size of the block; it tells threads apart by
  /// nothing else, and no thread but at barriers of the block what others do.
  std::optional<std::array<bool, 3>> Observed;
  /// The plan relies on that nothing but barriers of the block orders threads.
  bool OrderedByBarriers = false;
  /// All shapes that the plan is right for; nothing if it is right for every
  /// shape.
  std::optional<std::vector<ShapeClaim>> Shapes;
  LaunchClaim Launch;
  std::vector<PrivateClaim> Private;
  std::vector<TrimmedClaim> Trimmed;
  std::vector<LayoutClaim> Layouts;
};

/// What the code does and the claims deny.
struct Disagreement {
  enum class Kind {
    Access,
    Width,
    Escape,
    Leave,
    Shape,
    Thread,
    Code,
    Element,  ///< A thread accesses another one than it should.
    Wavefront ///< A layout costs something else.
  };
  Kind What = Kind::Access;
  std::string Text; ///< "a read of 's' that the plan does not know".
  SourcePoint At;   ///< Not valid if there is none.
};

} // namespace cudaopt::check

#endif // CUDAOPT_CHECK_CLAIMS_H
