// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A kernel as the interpreter runs it: basic blocks of operations
/// (Opcodes.def) on registers, each of which holds one 64-bit value per lane of
/// a warp. Lowering from LLVM IR (Lower.h) makes it.
///
/// Addresses are generic, except for pointers that the IR knows to be in shared
/// memory (addrspace 3) or local memory (addrspace 5): those are offsets in
/// their window.
///
/// \verbatim
///   generic  SharedWindow + a    byte a of the block's shared memory
///            LocalWindow + a     byte a of the thread's local memory
///            all else            DeviceMemory
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SIMT_PROGRAM_H
#define CUDAOPT_SIMT_PROGRAM_H

#include "cudaopt/Machine/Memory.h"

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cudaopt::simt {

inline constexpr uint64_t SharedWindow = uint64_t(1) << 60;
inline constexpr uint64_t LocalWindow = uint64_t(2) << 60;
inline constexpr uint64_t WindowSize = uint64_t(1) << 32;
constexpr bool isShared(uint64_t Generic) {
  return Generic - SharedWindow < WindowSize;
}
constexpr bool isLocal(uint64_t Generic) {
  return Generic - LocalWindow < WindowSize;
}

enum class Opcode : uint8_t {
#define OPCODE(Name, Text) Name,
#include "cudaopt/Simt/Opcodes.def"
};
/// The mnemonic of an operation: "add", "mulhi.s", ...
llvm::StringRef nameOf(Opcode Code);

/// The special registers of PTX that tell a thread about itself and the launch.
enum class SpecialReg : uint8_t {
  TidX,
  TidY,
  TidZ,
  NTidX,
  NTidY,
  NTidZ,
  CtaIdX,
  CtaIdY,
  CtaIdZ,
  NCtaIdX,
  NCtaIdY,
  NCtaIdZ,
  LaneId,
  WarpSize,
  WarpId,
  NWarpId,
  SmId,
  NSmId,
  GridId,
  LaneMaskEq,
  LaneMaskLt,
  LaneMaskLe,
  LaneMaskGt,
  LaneMaskGe,
  DynamicSharedSize,
  TotalSharedSize,
};
enum class ShuffleKind : uint8_t { Up, Down, Butterfly, Index };
enum class VoteKind : uint8_t { All, Any, Uniform, Ballot };
enum class ReduceKind : uint8_t { Add, MinS, MaxS, MinU, MaxU, And, Or, Xor };
enum class BarrierReduceKind : uint8_t { PopCount, And, Or };

/// Variants of operations on a barrier that is an object in shared memory
/// (PTX's mbarrier).
enum MbarrierFlags : uint8_t {
  MbarrierDrop = 1,         ///< The thread does not arrive in later phases.
  MbarrierNoComplete = 2,   ///< The arrival must not be the last of its phase.
  MbarrierExpectsBytes = 4, ///< The phase waits for C more bytes.
  MbarrierRelaxed = 8,      ///< The operation neither releases nor acquires.
  MbarrierParity = 16,      ///< B is the phase's parity instead of a token.
  MbarrierCompletes = 32,   ///< The B bytes have arrived (complete_tx).
  MbarrierNoIncrement = 64, ///< The arrival by copies was counted at init.
};

/// The state space in which the IR says a pointer points.
enum class PointerSpace : uint8_t {
  Generic,
  Global,
  Shared,
  Const,
  Local,
  Param
};

/// The variant of a floating-point operation holds the rounding mode, if it
/// rounds, and how inexact the hardware may be. The interpreter computes
/// exactly, but an operation that the hardware may compute differently has
/// terms of its own, so that it never equals an exact one.
inline constexpr uint8_t RoundingMask = 0x0f, Approximate = 0x10,
                         FlushDenormals = 0x20, FullRange = 0x40;
constexpr llvm::RoundingMode roundingOf(uint8_t Variant) {
  return static_cast<llvm::RoundingMode>(Variant & RoundingMask);
}

/// Returns the predicate of a Compare or FCompare.
inline llvm::CmpInst::Predicate predicateOf(Opcode Code, uint8_t Variant) {
  return static_cast<llvm::CmpInst::Predicate>(
      Code == Opcode::FCompare ? Variant & RoundingMask : Variant);
}

/// How the compiler issues an access to shared memory, for the count of
/// wavefronts: perhaps merged with other accesses (Machine/MergedRequests.h).
struct IssuedRequest {
  /// The width of the merged request per lane; 0 if the access is not merged.
  uint8_t Bytes = 0;
  /// Where the merged bytes begin, relative to the address of this access.
  int8_t Begin = 0;
  /// The merged request is counted at another of its accesses.
  bool IsElsewhere = false;
};

using Register = int32_t;
inline constexpr Register NoRegister = -1;

/// One operation. Opcodes.def tells what each opcode reads and writes.
struct Operation {
  Opcode Code;
  /// The width of the result, and of the operands unless SourceBits tells it.
  uint8_t Bits = 32;
  uint8_t SourceBits = 0;
  uint8_t Variant = 0;
  /// The elements of a load or store, or the results of a shuffle.
  uint8_t Count = 1;
  PointerSpace Space = PointerSpace::Generic;
  /// For a load, store or atomic: the values are floating-point numbers.
  bool IsFloat = false;
  /// The access is volatile or atomic: other threads may observe it.
  bool IsVolatile = false;
  /// For an atomic: it names a scope other than the device, or a memory order.
  bool IsScoped = false;
  uint32_t Align = 1; ///< In bytes; for memory operations.
  Register D = NoRegister, A = NoRegister, B = NoRegister, C = NoRegister;
  IssuedRequest Issued = {}; ///< For a load or store.
  int64_t Immediate = 0;
  uint32_t Site = 0; ///< Index into Program::Sites.
  /// More operands, with a number each; see Opcodes.def.
  llvm::SmallVector<std::pair<Register, int64_t>, 0> Extra;
};

/// Control flow to block To. The phi nodes there take Copies (destination,
/// source), all in parallel.
struct Edge {
  unsigned To = 0;
  llvm::SmallVector<std::pair<Register, Register>, 2> Copies;
};

/// A basic block. Its last operation is a control operation.
struct Block {
  std::vector<Operation> Operations;
  llvm::SmallVector<Edge, 2> Edges;
  /// The block where diverged lanes meet again: the immediate post-dominator
  /// (Reconvergence.h), or -1 if that is the exit.
  int Reconvergence = -1;
};

/// A parameter of the kernel.
struct Parameter {
  /// The value of a scalar, or the address of a struct.
  Register Value = NoRegister;
  /// The number of bytes that the launch passes.
  uint32_t Size = 0;
  /// It is a struct, passed in memory.
  bool IsByValue = false;
  /// For a scalar.
  bool IsPointer = false, IsFloat = false;
  /// For a scalar.
  uint8_t Bits = 32;
  std::string Name;
  /// A scalar in a struct, for callers that make up arguments.
  struct Field {
    uint32_t Offset, Size;
    bool IsPointer, IsFloat;
  };
  std::vector<Field> Fields;
};

/// A `__shared__` variable. Program::Shared holds them in the order of
/// addresses.
struct SharedVariable {
  /// The name in the source; without the function's name for a local variable.
  std::string Name;
  uint32_t Size = 0; ///< In bytes; 0 if the variable is dynamic.
  /// The alignment with which SharedMemory::place puts it.
  uint32_t Alignment = 16;
  bool IsDynamic = false; ///< Only the last variable may be dynamic.
  SharedAddr Address = 0; ///< As SharedMemory::place puts it.
  /// The mangled name, which no other variable has.
  std::string Key = {};
  /// The alignment that its address has in every compilation.
  uint32_t PromisedAlignment = 1;
};

/// A register of Program::Constants whose value is made of the address of a
/// shared variable.
struct SharedConstant {
  Register R = NoRegister;
  unsigned Variable = 0; ///< Index into Program::Shared.
  /// The value is computed from the address, instead of being the address of a
  /// byte of the variable.
  bool IsNumber = false;
};

struct Program {
  std::string Name;
  std::vector<Block> Blocks; ///< The first is the entry.
  unsigned NumRegisters = 0;
  /// Registers that never change, with their values, the same in all lanes.
  std::vector<std::pair<Register, uint64_t>> Constants;
  std::vector<SharedConstant> SharedConstants;
  /// Registers that are never set, with their widths in bits: variables that
  /// are read before they are written.
  std::vector<std::pair<Register, unsigned>> Undefined;
  std::vector<Parameter> Parameters;
  std::vector<SharedVariable> Shared;
  std::vector<std::string> Files; ///< Indexed by SourceRef::File.
  std::vector<SourceRef> Sites;   ///< Site 0 stands for an unknown position.

  /// Returns the shared memory of a block with all arrays placed: the static
  /// ones and then the dynamic one, which gets \p DynamicBytes bytes.
  SharedMemory makeSharedMemory(uint32_t DynamicBytes) const;
  /// Formats a position: "file.cu:12:5", or "?" if it is unknown.
  std::string textOf(SourceRef Where) const;
  void print(llvm::raw_ostream &OS) const;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_PROGRAM_H
