// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What an instruction of PTX does to memory and to other threads.
///
/// \verbatim
///   ld.volatile.shared.v2.f32 {a, b}, [c + 8];   Load, Shared, 2 of f32,
///                                                volatile, address operand 1
///   bar.sync 0;                                  Barrier
///   add.u32 a, b, c;                             Compute
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_PTX_EFFECTS_H
#define CUDAOPT_PTX_EFFECTS_H

#include "cudaopt/Ptx/Text.h"

namespace cudaopt {

struct PtxEffect {
  enum Kind : uint8_t {
    Compute, ///< Operand 0 from the others.
    Load,
    Store,
    Atomic,
    CopyAsync,     ///< From operand 1 to operand 0, Bytes.
    Commit,        ///< Ends a group of asynchronous copies.
    Wait,          ///< For all but the newest groups, of operand 0 or none.
    LoadMatrix,    ///< Each lane hands over the address of 16 bytes.
    StoreMatrix,   ///< The same.
    BarrierObject, ///< Reads and writes an object in shared memory.
    Barrier,       ///< Of the block, or of some of its threads.
    WarpBarrier,
    Fence,
    Exchange, ///< The result depends on other lanes.
    Nothing,
    Leave, ///< The thread may end.
  };
  enum class Space : uint8_t { Generic, Global, Shared, Constant, Local };
  enum class Extent : uint8_t { Block, Device, System };

  Kind What = Compute;
  Space Where = Space::Generic;
  Extent Among = Extent::Device;
  bool IsVolatile = false; ///< Other threads may look on.
  bool HasResult = false;  ///< Operand 0 is written.
  unsigned Address = 0;    ///< The operand that is one.
  std::optional<PtxType> Type;
  unsigned Count = 1; ///< Of a vector.
  uint64_t Bytes = 0; ///< That are touched; 0 for CopyAsync: operand 2 says.
  /// Of Compute: nothing but operand 0 is written, and neither a carry nor
  /// another register of the hardware is read.
  bool IsPlain = true;
};

/// Nothing for an instruction that is not known, or has a form that is not.
std::optional<PtxEffect> describeEffect(const PtxStatement &S);

/// True if control goes from \p Opcode, without its modifiers, to the next
/// instruction.
bool fallsThrough(llvm::StringRef Opcode);

} // namespace cudaopt

#endif // CUDAOPT_PTX_EFFECTS_H
