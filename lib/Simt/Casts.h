// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The part of KernelLowering that lowers casts. Included once, by Lower.cpp.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_CASTS_H
#define CUDAOPT_LIB_SIMT_CASTS_H

#include "Lowering.h"

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace cudaopt::simt {

/// Lowers a conversion to an integer of less than 32 bits. The hardware
/// converts to 32 bits and truncates, so that a value that does not fit, which
/// C++ leaves undefined, loses its upper bits.
inline void KernelLowering::lowerNarrowFromFloat(const llvm::CastInst &I) {
  Opcode Code =
      I.getOpcode() == llvm::Instruction::FPToSI ? Opcode::FToS : Opcode::FToU;
  Register Source = registerOf(I.getOperand(0)), D = registerOf(&I);
  for (unsigned E = 0, N = registersOf(I.getType()); E < N; ++E) {
    Register Wide =
        convert(Code, 32, scalarBits(I.getSrcTy()), Source + E,
                static_cast<uint8_t>(llvm::RoundingMode::TowardZero));
    emit(Opcode::Truncate, scalarBits(I.getDestTy()), D + E, Wide).SourceBits =
        32;
  }
}

/// Lowers conversions between numbers, and between pointers and integers, which
/// only change the width.
inline void KernelLowering::lowerCast(const llvm::CastInst &I) {
  if (!llvm::isa<llvm::PtrToIntInst>(I) && !llvm::isa<llvm::IntToPtrInst>(I) &&
      I.getOpcode() != llvm::Instruction::PtrToAddr) {
    if (I.getDestTy()->isIntOrIntVectorTy() &&
        I.getSrcTy()->isFPOrFPVectorTy() && scalarBits(I.getDestTy()) < 32)
      lowerNarrowFromFloat(I);
    else if (!lowerArithmetic(I))
      refuse("the instruction '" + llvm::Twine(I.getOpcodeName()) + "'");
    return;
  }
  unsigned From = scalarBits(I.getSrcTy()), To = scalarBits(I.getDestTy());
  if (From == To)
    return define(&I, registerOf(I.getOperand(0)));
  elementwise(I, From < To ? Opcode::ZeroExtend : Opcode::Truncate,
              {I.getOperand(0)});
}

/// Lowers a cast that keeps the bits: elements are split into, or joined from,
/// narrower ones.
inline void KernelLowering::lowerBitCast(const llvm::CastInst &I) {
  unsigned From = scalarBits(I.getSrcTy()), To = scalarBits(I.getDestTy());
  Register Source = registerOf(I.getOperand(0));
  if (From == To)
    return define(&I, Source);
  Register D = registerOf(&I);
  unsigned Ratio = std::max(From, To) / std::min(From, To);
  if (std::max(From, To) % std::min(From, To))
    return refuse("a cast between these vectors");
  for (unsigned E = 0, N = registersOf(I.getType()); E < N; ++E) {
    if (From > To) {
      Operation &Part = emit(Opcode::Split, To, D + E, Source + E / Ratio);
      Part.SourceBits = static_cast<uint8_t>(From);
      Part.Immediate = E % Ratio;
      continue;
    }
    Operation &Whole = emit(Opcode::Join, To, D + E);
    Whole.SourceBits = static_cast<uint8_t>(From);
    for (unsigned Part = 0; Part < Ratio; ++Part)
      Whole.Extra.emplace_back(Source + E * Ratio + Part, Part * From);
  }
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_CASTS_H
