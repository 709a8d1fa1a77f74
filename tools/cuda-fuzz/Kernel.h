// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A CUDA kernel as the fuzzer sees it: shared arrays, and phases of statements
/// between barriers. Threads divide the elements that a statement writes among
/// themselves. So a kernel of this form is free of races if no array is written
/// by one statement of a phase and used by another.
///
/// \verbatim
///   Kernel -> Phase ... Phase      a barrier after each, or after some
///   Phase  -> Statement ...        each writes at most one array
///   Statement -> where, under which guard, from which Accesses
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_KERNEL_H
#define CUDAOPT_FUZZ_KERNEL_H

#include "Feature.h"
#include "Idiom.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudaopt::fuzz {

/// The type of an array's elements; up to Double it can be the type of values.
enum class Element : uint8_t {
  Char,
  Short,
  Int,
  Unsigned,
  LongLong,
  Float,
  Double,
  Float4,
  Double2,
  Mixed,
};
constexpr bool isRecord(Element E) { return E >= Element::Float4; }
constexpr bool holdsFloat(Element E) { return E >= Element::Float; }
unsigned sizeOf(Element E);

/// A variable of which a subscript may be made.
enum class Variable : uint8_t {
  // The thread's number in the block, and its coordinates.
  Tid,
  Tx,
  Ty,
  Tz,
  // The subscripts of the element that the statement writes.
  Plane,
  Row,
  Column,
  // The counters of the loop in a statement, and of the loop around phases.
  Step,
  Trip,
};

/// A subscript. All forms have values in [0, Extent).
struct Index {
  enum class Form : uint8_t {
    Constant,  ///< Offset
    Affine,    ///< v * Factor + Offset
    Quotient,  ///< v / Factor
    Reversed,  ///< Extent - 1 - v
    Modular,   ///< (v * Factor + Offset) % Extent
    Masked,    ///< The same as Modular, for powers of two.
    Exclusive, ///< v ^ Offset
    Next,      ///< v + 1 < Extent ? v + 1 : v
    Previous,  ///< v > 0 ? v - 1 : 0
    Called,    ///< The same as Modular, by a device function.
    Data,      ///< A value of the input, modulo Extent.
    /// Arithmetic that wraps around, modulo Extent; Factor selects it.
    Wrapped,
  };
  Form Shape = Form::Constant;
  Variable Base = Variable::Tid;
  unsigned Factor = 1, Offset = 0, Extent = 1;
};

struct Access {
  enum class Form : uint8_t { Plain, Scaled, Called, Conditional, Negated };
  unsigned Array = 0;
  Form Shape = Form::Plain;
  std::vector<Index> Subscripts; ///< One for each extent.
};

/// The condition under which a thread executes a statement.
struct Guard {
  enum class Form : uint8_t {
    None,
    TidBelow, ///< tid < Limit
    TxBelow,  ///< tx < Limit
    Even,     ///< (tid & 1) == 0
    Modulo,   ///< tx % Limit != 0
    Data,     ///< Decided by the input.
    Count,    ///< tid < n
    Never,    ///< Dead code.
  };
  Form Shape = Form::None;
  unsigned Limit = 0;
};

/// What runs through a dimension of the elements that a statement writes: a
/// loop, or the threads of a dimension.
enum class Driver : uint8_t { Sequence, Tx, Ty, Tz, Tid };

struct Statement {
  enum class Kind : uint8_t {
    Fill,       ///< Writes every element.
    Store,      ///< Writes some elements of an array that was filled.
    Accumulate, ///< Adds to a local variable of the thread.
    Count,      ///< Adds atomically to the first access.
    Output,     ///< Copies an array to the output.
    Special,    ///< Does what its feature says.
  };
  Kind What = Kind::Fill;
  unsigned Array = 0;
  /// One for each extent of Array; if empty, one loop runs over all elements.
  std::vector<Driver> Drivers;
  bool AddsOffset = false; ///< The subscript is ty + j instead of r.
  bool ReadsInput = false;
  bool IsAddition = false; ///< Writes with += instead of =.
  unsigned Steps = 1;      ///< The trip count of the loop in an Accumulate.
  Guard Who;
  std::vector<Access> Reads;

  // For a Special only; its Reads are the arrays that it uses.
  Feature Of = Feature::Exit;
  unsigned Variant = 0;  ///< Selects one of the feature's texts.
  unsigned Piece = 0;    ///< Which part, if it works in several phases.
  unsigned Own = 0;      ///< The index in Kernel::Owned.
  unsigned Salt = 0;     ///< A number for the text.
  bool IsWriter = false; ///< Writes Array, the first array of Reads.
};

/// How threads that leave the kernel early do it.
enum class Exit : uint8_t {
  Return,
  Asm,                 ///< Inline assembly, asm("exit;"), under a condition.
  DeviceFunction,      ///< A function with the assembly.
  Template,            ///< The same, as a template.
  StatementExpression, ///< `c && ({ return; 0; })`
  Conditional,         ///< `c ? ({ return; 0; }) : 0`
  Goto,                ///< Jumps to the end of the kernel.
  Lambda,              ///< A lambda with the assembly.
  Loop,                ///< A return inside a loop.
  AsmInLoop,           ///< The assembly inside a loop.
  PredicatedAsm,       ///< The condition is in the text of the assembly.
};
/// The number of forms of Feature::Exit; the last form above has a feature of
/// its own.
inline constexpr unsigned NumExits = 10;

struct Phase {
  enum class Form : uint8_t {
    Plain,
    Uniform, ///< Under a uniform condition.
    Called,  ///< In a function of its own.
  };
  std::vector<Statement> Statements;
  Form Shape = Form::Plain;
  bool HasBarrier = true; ///< A barrier follows; never after the last phase.
  /// The barrier is in the branch or in the function.
  bool IsBarrierInside = false;
  Guard Leaving; ///< Which threads leave before the phase; None if all stay.
  Exit How = Exit::Return;
  /// The first iteration of the kernel's loop in which they leave.
  unsigned LeavingTrip = 0;
  /// Which threads return from the function of a Called phase at its beginning.
  Guard Returning;
};

/// The layouts that an annotation may request; most arrays have none.
enum class WantedLayout : uint8_t { Auto, Pad, Xor, Linear, Transform };

struct Array {
  Element Type = Element::Float;
  WantedLayout Wanted = WantedLayout::Auto;
  std::vector<unsigned> Extents; ///< Outermost first.
  /// Declared with one dimension and accessed as s[r * C + c].
  bool IsFlat = false;
  bool IsDynamic = false;
  bool IsAligned = false; ///< Declared with an alignment of 16 bytes.

  unsigned numElements() const;
};

/// Storage that only special statements use: an array of a special form, or the
/// integer that holds a pointer.
struct OwnedArray {
  Feature Of = Feature::PrivateArray;
  unsigned Variant = 0;
  unsigned Count = 1; ///< Elements per thread.
};

enum class Linkage : uint8_t { External, Static, Anonymous };

/// How a number that many extents share is written.
enum class WidthForm : uint8_t { Number, Macro, Template, Local };

struct Kernel {
  uint64_t Number = 0;
  std::array<unsigned, 3> Block = {32, 1, 1};
  unsigned Grid = 1;
  /// The type of the input, the output and the local variable.
  Element Value = Element::Float;
  std::vector<Array> Arrays;
  std::vector<Phase> Phases;
  /// Phases [LoopBegin, LoopEnd) are executed Trips times.
  unsigned LoopBegin = 0, LoopEnd = 0, Trips = 1;

  // How the kernel is written.
  WidthForm Width = WidthForm::Number;
  unsigned WidthValue = 0;
  bool HasTypeParameter = false; ///< Only for templates.
  bool HasCount = false;         ///< There is a parameter `int n`.
  bool IsRestrict = false, IsUnsigned = false, HasLocals = true;
  bool UsesBlockDim = false, Unrolls = false, LaunchesVariable = false;

  /// If not empty, these stand in the kernel in place of Arrays and Phases.
  std::vector<Idiom> Idioms;

  // Added by Decorator.cpp.
  FeatureSet Features;
  std::vector<OwnedArray> Owned;
  Linkage Visibility = Linkage::External;
  /// For each dimension of the block: host code that computes its extent, and
  /// the expression for the extent; empty where a number is written.
  std::array<std::string, 3> HostText, HostValue;
  /// The block shape of a launch in another file. Both this shape and that of
  /// the file's own launch are at most Block in each dimension.
  std::optional<std::array<unsigned, 3>> OtherBlock;
  /// The block shape of the file's own launch.
  std::optional<std::array<unsigned, 3>> SmallerBlock;

  /// Returns the maximum number of threads; if there are two launches, one has
  /// fewer.
  unsigned numThreads() const { return Block[0] * Block[1] * Block[2]; }
  /// Returns the shape that the file itself launches.
  std::array<unsigned, 3> launchedBlock() const {
    return SmallerBlock.value_or(Block);
  }
  /// Returns a name that is a part of no other kernel's mangled name.
  std::string name() const;
  unsigned dynamicBytes() const;
};

/// A variable that a statement may use, with its maximum.
struct Range {
  Variable Name;
  unsigned Max;
};
/// Returns true if \p S uses an element of Kernel::Owned.
bool usesOwned(const Statement &S);

/// Returns the variables that \p S may use. \p Inside says that the kernel's
/// loop repeats the statement.
std::vector<Range> variablesOf(const Kernel &K, const Statement &S,
                               bool Inside);

/// Returns true if every array is filled, in an earlier phase and by all
/// threads, before it is used, every subscript stays inside its extent, and no
/// barrier is missing.
bool isWellFormed(const Kernel &K);

/// Returns true if data decide about control flow or addresses.
bool dependsOnData(const Kernel &K);

/// Returns an estimate of the warp instructions of a launch.
uint64_t estimateCost(const Kernel &K);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_KERNEL_H
