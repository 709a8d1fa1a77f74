// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The operations of a warp that compute registers from registers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_ARITHMETIC_H
#define CUDAOPT_LIB_SIMT_ARITHMETIC_H

#include "Warp.h"

#include "llvm/IR/Instructions.h"
#include <optional>

namespace cudaopt::simt {

/// Returns a mask of the low \p Bits bits, 1 to 64.
constexpr uint64_t maskOf(unsigned Bits) { return ~uint64_t(0) >> (64 - Bits); }
constexpr int64_t signExtend(uint64_t Value, unsigned Bits) {
  return static_cast<int64_t>(Value << (64 - Bits)) >> (64 - Bits);
}

/// Returns true if evaluate() computes \p Code.
constexpr bool isArithmetic(Opcode Code) {
  return Code <= Opcode::Address && Code != Opcode::IsSpace;
}

/// Computes \p Op for the active lanes of \p W. No operand may be a term there.
/// Returns the lanes that divide an integer by zero.
uint32_t evaluate(const Operation &Op, Warp &W);

/// Returns the value that an atomic operation leaves in memory.
uint64_t combine(llvm::AtomicRMWInst::BinOp Operator, unsigned Bits,
                 uint64_t Old, uint64_t Operand);
/// Returns the operation that combines terms as \p Operator combines numbers;
/// std::nullopt if there is none.
std::optional<Opcode> opcodeOf(llvm::AtomicRMWInst::BinOp Operator);

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_ARITHMETIC_H
