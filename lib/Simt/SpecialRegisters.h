// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The special registers: what a thread knows of itself and of the launch.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_SPECIALREGISTERS_H
#define CUDAOPT_LIB_SIMT_SPECIALREGISTERS_H

#include "RunState.h"

namespace cudaopt::simt {

/// Returns the value of a register that is the same in all lanes; 0 for others.
inline uint64_t uniformSpecial(const RunState &S, SpecialReg Which,
                               const Warp &W) {
  auto Index = static_cast<unsigned>(Which);
  auto In = [Index](SpecialReg First) {
    return Index - static_cast<unsigned>(First);
  };
  if (Which >= SpecialReg::NTidX && Which <= SpecialReg::NTidZ)
    return S.L.Block[In(SpecialReg::NTidX)];
  if (Which >= SpecialReg::CtaIdX && Which <= SpecialReg::CtaIdZ)
    return S.Block[In(SpecialReg::CtaIdX)];
  if (Which >= SpecialReg::NCtaIdX && Which <= SpecialReg::NCtaIdZ)
    return S.L.Grid[In(SpecialReg::NCtaIdX)];
  switch (Which) {
  case SpecialReg::WarpSize:
    return WarpSize;
  case SpecialReg::WarpId:
    return W.Id;
  case SpecialReg::NWarpId:
    return (S.numThreads() + WarpSize - 1) / WarpSize;
  case SpecialReg::NSmId:
    return 1;
  case SpecialReg::DynamicSharedSize:
    return S.L.DynamicShared;
  case SpecialReg::TotalSharedSize: {
    uint64_t Size = S.L.DynamicShared;
    for (const SharedVariable &V : S.P.Shared)
      Size += V.Size;
    return Size;
  }
  default: // There is one multiprocessor and one grid, with number 0.
    return 0;
  }
}

/// Sets the result of a SpecialRegister operation in the active lanes.
inline void readSpecial(const RunState &S, const Operation &Op, Warp &W) {
  auto Which = static_cast<SpecialReg>(Op.Variant);
  const auto [X, Y, Z] = S.L.Block;
  const uint64_t Uniform = uniformSpecial(S, Which, W);
  forEachLane(W.Active.Bits, [&](unsigned Lane) {
    const uint32_t Thread = W.thread(Lane), Bit = 1u << Lane;
    uint64_t Value = Uniform;
    switch (Which) {
    case SpecialReg::TidX:
      Value = Thread % X;
      break;
    case SpecialReg::TidY:
      Value = Thread / X % Y;
      break;
    case SpecialReg::TidZ:
      Value = Thread / (X * Y);
      break;
    case SpecialReg::LaneId:
      Value = Lane;
      break;
    case SpecialReg::LaneMaskEq:
      Value = Bit;
      break;
    case SpecialReg::LaneMaskLt:
      Value = Bit - 1;
      break;
    case SpecialReg::LaneMaskLe:
      Value = Bit | (Bit - 1);
      break;
    case SpecialReg::LaneMaskGt:
      Value = ~(Bit | (Bit - 1));
      break;
    case SpecialReg::LaneMaskGe:
      Value = ~(Bit - 1);
      break;
    default:
      break;
    }
    W.put(Op.D, Lane, Value);
  });
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_SPECIALREGISTERS_H
