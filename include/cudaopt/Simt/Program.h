// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A kernel as the interpreter runs it: blocks of operations on registers that
/// hold one 64-bit value for each lane of a warp. Made from LLVM IR by Lower.
///
/// Addresses are generic, but for pointers that the IR knows to be in shared
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
inline constexpr bool isShared(uint64_t Generic) {
  return Generic - SharedWindow < WindowSize;
}
inline constexpr bool isLocal(uint64_t Generic) {
  return Generic - LocalWindow < WindowSize;
}

enum class Opcode : uint8_t {
#define OPCODE(Name, Text) Name,
#include "cudaopt/Simt/Opcodes.def"
};
llvm::StringRef nameOf(Opcode Code);

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

/// What is special about an operation on a barrier that is an object.
enum MbarrierFlags : uint8_t {
  MbarrierDrop = 1,         ///< The thread does not arrive in later phases.
  MbarrierNoComplete = 2,   ///< The arrival must not be the last one.
  MbarrierExpectsBytes = 4, ///< C more bytes are waited for.
  MbarrierRelaxed = 8,      ///< Nothing is released or acquired.
  MbarrierParity = 16,      ///< B is 0 or 1 instead of a token.
  MbarrierCompletes = 32,   ///< The bytes have come.
  MbarrierNoIncrement = 64, ///< The arrival of copies was counted before.
};

/// How the IR says where a pointer points.
enum class PointerSpace : uint8_t {
  Generic,
  Global,
  Shared,
  Const,
  Local,
  Param
};

/// The variant of a floating-point operation is the rounding mode, if it
/// rounds, and how inexact the hardware may be. The interpreter is exact, but
/// what the hardware may compute differently has terms of its own.
inline constexpr uint8_t RoundingMask = 0x0f, Approximate = 0x10,
                         FlushDenormals = 0x20, FullRange = 0x40;
inline constexpr llvm::RoundingMode roundingOf(uint8_t Variant) {
  return static_cast<llvm::RoundingMode>(Variant & RoundingMask);
}

/// The predicate of Compare or FCompare.
inline llvm::CmpInst::Predicate predicateOf(Opcode Code, uint8_t Variant) {
  return static_cast<llvm::CmpInst::Predicate>(
      Code == Opcode::FCompare ? Variant & RoundingMask : Variant);
}

/// How the compiler issues an access to shared memory, for those who count.
struct IssuedRequest {
  uint8_t Bytes = 0; ///< Of a lane; 0: the access is a request of its own.
  int8_t Begin = 0;  ///< Where they begin, from the address of the access.
  bool IsElsewhere = false; ///< Another access's request has it.
};

using Register = int32_t;
inline constexpr Register NoRegister = -1;

struct Operation {
  Opcode Code;
  uint8_t Bits = 32;
  uint8_t SourceBits = 0;
  uint8_t Variant = 0;
  uint8_t Count = 1; ///< Elements of a load or store, results of a shuffle.
  PointerSpace Space = PointerSpace::Generic;
  bool IsFloat = false;    ///< Of a load, store or atomic: floating point.
  bool IsVolatile = false; ///< Or atomic: other threads may look on.
  bool IsScoped = false;   ///< Of an atomic: other threads than those of the
                           ///< device look on, or it orders other accesses.
  uint32_t Align = 1;      ///< Bytes; of memory operations.
  Register D = NoRegister, A = NoRegister, B = NoRegister, C = NoRegister;
  IssuedRequest Issued = {}; ///< Of a load or store.
  int64_t Immediate = 0;
  uint32_t Site = 0; ///< Index into Program::Sites.
  llvm::SmallVector<std::pair<Register, int64_t>, 0> Extra;
};

/// Control goes to block To; the phi nodes there take copies (destination,
/// source), all at once.
struct Edge {
  unsigned To = 0;
  llvm::SmallVector<std::pair<Register, Register>, 2> Copies;
};

struct Block {
  std::vector<Operation> Operations;
  llvm::SmallVector<Edge, 2> Edges;
  /// Where diverged lanes meet again: the immediate post-dominator, or -1 if
  /// that is the exit.
  int Reconvergence = -1;
};

/// A parameter of the kernel.
struct Parameter {
  Register Value = NoRegister; ///< A scalar's, or the address of a struct.
  uint32_t Size = 0;           ///< Bytes that the launch passes.
  bool IsByValue = false;      ///< A struct, passed in memory.
  bool IsPointer = false, IsFloat = false; ///< Of a scalar.
  uint8_t Bits = 32;                       ///< Of a scalar.
  std::string Name;
  /// Of a struct: the scalars in it, for those who make up arguments.
  struct Field {
    uint32_t Offset, Size;
    bool IsPointer, IsFloat;
  };
  std::vector<Field> Fields;
};

/// A `__shared__` variable; Program::Shared holds them in order of address.
struct SharedVariable {
  std::string Name;        ///< Unmangled if it is that of a local variable.
  uint32_t Size = 0;       ///< Bytes; 0 if dynamic.
  uint32_t Alignment = 16; ///< What SharedMemory::place is told.
  bool IsDynamic = false;  ///< At most one is, the last.
  SharedAddr Address = 0;  ///< Where SharedMemory::place puts it.
  std::string Key = {};    ///< Mangled: no other variable's.
  uint32_t PromisedAlignment = 1; ///< Of every address that it may ever get.
};

/// A register of Program::Constants that is made of the address of a variable.
struct SharedConstant {
  Register R = NoRegister;
  unsigned Variable = 0; ///< Index into Program::Shared.
  bool IsNumber = false; ///< It is not the address of a byte of the variable.
};

struct Program {
  std::string Name;
  std::vector<Block> Blocks; ///< The first is the entry.
  unsigned NumRegisters = 0;
  /// Values of registers that never change, the same in all lanes.
  std::vector<std::pair<Register, uint64_t>> Constants;
  std::vector<SharedConstant> SharedConstants;
  /// Registers that are never set, and their bits: variables that are read
  /// before they are written.
  std::vector<std::pair<Register, unsigned>> Undefined;
  std::vector<Parameter> Parameters;
  std::vector<SharedVariable> Shared;
  std::vector<std::string> Files; ///< What SourceRef::File indexes.
  std::vector<SourceRef> Sites;   ///< Site 0 is unknown.

  /// Arrays, static and then dynamic (of \p DynamicBytes bytes), as placed.
  SharedMemory makeSharedMemory(uint32_t DynamicBytes) const;
  /// "file.cu:12:5", or "?" for an unknown place.
  std::string textOf(SourceRef Where) const;
  void print(llvm::raw_ostream &OS) const;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_PROGRAM_H
