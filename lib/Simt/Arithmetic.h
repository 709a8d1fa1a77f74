// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The operations of a warp that compute a register from registers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_ARITHMETIC_H
#define CUDAOPT_LIB_SIMT_ARITHMETIC_H

#include "Warp.h"

#include "llvm/IR/Instructions.h"
#include <optional>

namespace cudaopt::simt {

constexpr uint64_t maskOf(unsigned Bits) { return ~uint64_t(0) >> (64 - Bits); }
constexpr int64_t signExtend(uint64_t Value, unsigned Bits) {
  return static_cast<int64_t>(Value << (64 - Bits)) >> (64 - Bits);
}

/// True if evaluate() computes \p Code.
constexpr bool isArithmetic(Opcode Code) {
  return Code <= Opcode::Address && Code != Opcode::IsSpace;
}

/// Computes \p Op for the active lanes of \p W, of which no operand is a term.
/// Returns the lanes that divide an integer by zero.
uint32_t evaluate(const Operation &Op, Warp &W);

/// What an atomic operation leaves in memory.
uint64_t combine(llvm::AtomicRMWInst::BinOp Operator, unsigned Bits,
                 uint64_t Old, uint64_t Operand);
/// The operation that combines terms, or nothing if none does.
std::optional<Opcode> opcodeOf(llvm::AtomicRMWInst::BinOp Operator);

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_ARITHMETIC_H
