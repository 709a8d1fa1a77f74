// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A CUDA kernel as the fuzzer sees it: shared arrays, and phases of statements
/// between barriers. Every kernel of this form is free of races if no array is
/// written by one statement of a phase and used by another, because the threads
/// share out the elements that a statement writes.
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

enum class Element : uint8_t {
  Char,
  Short,
  Int,
  Unsigned,
  LongLong,
  Float,
  Double, // A value may be one.
  Float4,
  Double2,
  Mixed,
};
constexpr bool isRecord(Element E) { return E >= Element::Float4; }
constexpr bool holdsFloat(Element E) { return E >= Element::Float; }
unsigned sizeOf(Element E);

/// What a subscript may be made of.
enum class Variable : uint8_t {
  Tid,
  Tx,
  Ty,
  Tz, ///< The thread.
  Plane,
  Row,
  Column, ///< The element that the statement writes.
  Step,
  Trip, ///< Of the loop in a statement, around phases.
};

/// A subscript; all forms lie in [0, Extent).
struct Index {
  enum class Form : uint8_t {
    Constant,  ///< Offset
    Affine,    ///< v * Factor + Offset
    Quotient,  ///< v / Factor
    Reversed,  ///< Extent - 1 - v
    Modular,   ///< (v * Factor + Offset) % Extent
    Masked,    ///< The same for powers of two.
    Exclusive, ///< v ^ Offset
    Next,      ///< v + 1 < Extent ? v + 1 : v
    Previous,  ///< v > 0 ? v - 1 : 0
    Called,    ///< The same as Modular, by a device function.
    Data,      ///< What an input says, modulo Extent.
    Wrapped,   ///< Arithmetic that wraps, modulo Extent; Factor chooses it.
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

/// Who of the threads executes a statement.
struct Guard {
  enum class Form : uint8_t {
    None,
    TidBelow, ///< tid < Limit
    TxBelow,  ///< tx < Limit
    Even,     ///< (tid & 1) == 0
    Modulo,   ///< tx % Limit != 0
    Data,     ///< What an input says.
    Count,    ///< tid < n
    Never,    ///< Dead code.
  };
  Form Shape = Form::None;
  unsigned Limit = 0;
};

/// What drives a subscript of the element that a statement writes.
enum class Driver : uint8_t { Sequence, Tx, Ty, Tz, Tid };

struct Statement {
  enum class Kind : uint8_t {
    Fill,       ///< Writes every element.
    Store,      ///< Writes some elements of an array that is filled.
    Accumulate, ///< Adds to a local of the thread.
    Count,      ///< Atomic additions at the first access.
    Output,     ///< Copies an array to the output.
    Special,    ///< What its feature says.
  };
  Kind What = Kind::Fill;
  unsigned Array = 0;
  /// One for each extent of Array; empty: one loop over all elements.
  std::vector<Driver> Drivers;
  bool AddsOffset = false; ///< s[ty + j], not s[r].
  bool ReadsInput = false;
  bool IsAddition = false; ///< += instead of =.
  unsigned Steps = 1;      ///< Of the loop in an Accumulate.
  Guard Who;
  std::vector<Access> Reads;

  // Of a Special only: its Reads are the arrays that it uses.
  Feature Of = Feature::Exit;
  unsigned Variant = 0;  ///< Which of the feature's texts.
  unsigned Piece = 0;    ///< Of what it does in several phases.
  unsigned Own = 0;      ///< Of Kernel::Owned.
  unsigned Salt = 0;     ///< Where a text needs a number.
  bool IsWriter = false; ///< Writes the first array of Reads, which is Array.
};

/// How threads leave that leave the kernel early.
enum class Exit : uint8_t {
  Return,
  Asm,                 ///< asm("exit;") under a condition.
  DeviceFunction,      ///< A function with an asm.
  Template,            ///< The same, of a template.
  StatementExpression, ///< `c && ({ return; 0; })`
  Conditional,         ///< `c ? ({ return; 0; }) : 0`
  Goto,                ///< To the end of the kernel.
  Lambda,              ///< A lambda with an asm.
  Loop,                ///< A return inside of a loop.
  AsmInLoop,           ///< An asm inside of a loop.
  PredicatedAsm,       ///< The condition is in the text of the asm.
};
/// Those of Feature::Exit; the last one has a feature of its own.
inline constexpr unsigned NumExits = 10;

struct Phase {
  enum class Form : uint8_t {
    Plain,
    Uniform, ///< Under a condition that is the same for all threads.
    Called,  ///< In a function of its own.
  };
  std::vector<Statement> Statements;
  Form Shape = Form::Plain;
  bool HasBarrier = true;       ///< Behind it, but for the last one.
  bool IsBarrierInside = false; ///< In the branch or the function.
  Guard Leaving;                ///< Who leaves in front of it; None: nobody.
  Exit How = Exit::Return;
  unsigned LeavingTrip = 0; ///< Of the kernel's loop; nobody leaves earlier.
  /// Who returns from the function of a Called phase before it does anything.
  Guard Returning;
};

/// The layouts that cuda-opt may choose from: most arrays leave it to decide.
enum class WantedLayout : uint8_t { Auto, Pad, Xor, Linear, Transform };

struct Array {
  Element Type = Element::Float;
  WantedLayout Wanted = WantedLayout::Auto;
  std::vector<unsigned> Extents; ///< Outermost first.
  bool IsFlat = false;           ///< Declared with one dimension, s[r * C + c].
  bool IsDynamic = false;
  bool IsAligned = false; ///< To 16 bytes, by its declaration.

  unsigned numElements() const;
};

/// What only special statements use: an array of a form of its own, or what
/// became of a pointer.
struct OwnedArray {
  Feature Of = Feature::PrivateArray;
  unsigned Variant = 0;
  unsigned Count = 1; ///< Elements of a thread.
};

enum class Linkage : uint8_t { External, Static, Anonymous };

/// How a number is written that many extents share.
enum class WidthForm : uint8_t { Number, Macro, Template, Local };

struct Kernel {
  uint64_t Number = 0;
  std::array<unsigned, 3> Block = {32, 1, 1};
  unsigned Grid = 1;
  Element Value = Element::Float; ///< Of the input, the output and the local.
  std::vector<Array> Arrays;
  std::vector<Phase> Phases;
  /// Phases [LoopBegin, LoopEnd) are repeated Trips times.
  unsigned LoopBegin = 0, LoopEnd = 0, Trips = 1;

  // How it is written.
  WidthForm Width = WidthForm::Number;
  unsigned WidthValue = 0;
  bool HasTypeParameter = false; ///< Only of templates.
  bool HasCount = false;         ///< A parameter `int n`.
  bool IsRestrict = false, IsUnsigned = false, HasLocals = true;
  bool UsesBlockDim = false, Unrolls = false, LaunchesVariable = false;

  /// What stands in the kernel in place of Arrays and Phases, if any.
  std::vector<Idiom> Idioms;

  // What Decorator.cpp adds.
  FeatureSet Features;
  std::vector<OwnedArray> Owned;
  Linkage Visibility = Linkage::External;
  /// Host code that computes an extent of the block, and its name; empty where
  /// a number is written.
  std::array<std::string, 3> HostText, HostValue;
  /// Another file launches blocks of this shape. It and the launch of the file
  /// are at most Block in each dimension.
  std::optional<std::array<unsigned, 3>> OtherBlock;
  std::optional<std::array<unsigned, 3>>
      SmallerBlock; ///< Of the file's launch.

  /// At most; a file that launches two shapes has threads to spare.
  unsigned numThreads() const { return Block[0] * Block[1] * Block[2]; }
  /// The shape that the file launches.
  std::array<unsigned, 3> launchedBlock() const {
    return SmallerBlock.value_or(Block);
  }
  /// Part of its mangled name, and of no other kernel's.
  std::string name() const;
  unsigned dynamicBytes() const;
};

/// A variable that a statement may use, with its greatest value.
struct Range {
  Variable Name;
  unsigned Max;
};
/// True if \p S uses an element of Kernel::Owned.
bool usesOwned(const Statement &S);

/// \p Inside: the statement is repeated by the loop of the kernel.
std::vector<Range> variablesOf(const Kernel &K, const Statement &S,
                               bool Inside);

/// True if every array is filled, in an earlier phase and by all threads,
/// before it is used, every subscript stays inside its extent, and no barrier
/// is missing.
bool isWellFormed(const Kernel &K);

/// True if data decide where a kernel goes or what it addresses.
bool dependsOnData(const Kernel &K);

/// Roughly, the warp instructions of a launch.
uint64_t estimateCost(const Kernel &K);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_KERNEL_H
