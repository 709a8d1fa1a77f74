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
};

/// A shape that launches of the kernel have: threads of a block, and blocks of
/// the grid; a number that is 0 is not claimed.
struct ShapeClaim {
  std::array<uint32_t, 3> Block = {}, Grid = {};
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
};

/// What the code does and the claims deny.
struct Disagreement {
  enum class Kind { Access, Width, Escape, Leave, Shape, Thread, Code };
  Kind What = Kind::Access;
  std::string Text; ///< "a read of 's' that the plan does not know".
  SourcePoint At;   ///< Not valid if there is none.
};

} // namespace cudaopt::check

#endif // CUDAOPT_CHECK_CLAIMS_H
