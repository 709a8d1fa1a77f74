// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What an instruction of PTX does to memory and to other threads, as far as
/// the analyses and the interpreter need it for inline assembly.
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
    Compute, ///< Operand 0 is computed from the other operands.
    Load,
    Store,
    Atomic,
    CopyAsync, ///< Copies asynchronously from operand 1 to operand 0.
    Commit,    ///< Ends a group of asynchronous copies.
    /// Waits until at most as many groups as operand 0 says are pending; for
    /// all groups if there is no operand.
    Wait,
    LoadMatrix,    ///< Each lane passes the address of 16 bytes to the warp.
    StoreMatrix,   ///< The same for a store.
    BarrierObject, ///< Reads and writes an mbarrier object in shared memory.
    Barrier,       ///< A barrier of the block, or of some of its threads.
    WarpBarrier,
    Fence,
    Exchange, ///< The result depends on other lanes of the warp.
    Nothing,
    Leave, ///< The thread may end.
  };
  enum class Space : uint8_t { Generic, Global, Shared, Constant, Local };
  /// The threads among which an operation has effect: its scope.
  enum class Extent : uint8_t { Block, Device, System };

  Kind What = Compute;
  Space Where = Space::Generic;
  Extent Among = Extent::Device;
  bool IsVolatile = false;     ///< Other threads may observe the access.
  bool HasResult = false;      ///< Operand 0 is written.
  unsigned Address = 0;        ///< The number of the address operand.
  std::optional<PtxType> Type; ///< The first type in the opcode.
  unsigned Count = 1;          ///< The number of elements of a vector.
  /// The number of bytes that are accessed; 0 for CopyAsync, whose operand 2
  /// tells it.
  uint64_t Bytes = 0;
  /// For Compute: nothing but operand 0 is written, and the carry bit is
  /// neither read nor written.
  bool IsPlain = true;
};

/// Returns the effect of an instruction; std::nullopt if it is unknown, or has
/// a form that is. A caller must then assume the worst.
std::optional<PtxEffect> describeEffect(const PtxStatement &S);

/// Returns true if control goes from an instruction to the next one. \p Opcode
/// is the instruction's name without its modifiers ("ld"); false for an unknown
/// one.
bool fallsThrough(llvm::StringRef Opcode);

} // namespace cudaopt

#endif // CUDAOPT_PTX_EFFECTS_H
