// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pass bank-layout on hand-made kernels.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_PASSES_DECIDEDLAYOUT_H
#define CUDAOPT_TEST_UNIT_PASSES_DECIDEDLAYOUT_H

#include "../HandMadeKernel.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Passes/KernelAnalyses.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Plan/PlanRules.h"

#include "gtest/gtest.h"

namespace cudaopt {

using Family = Layout::Family;

inline Plan planOf(const HandMadeKernel &H, PassOptions Options = {},
                   const PlanRules &Rules = PlanRules(),
                   llvm::StringRef Gpu = "sm_90") {
  KernelAnalyses Analyses(H.K);
  return planBankLayout({H.K, *findTarget(Gpu), Options, Rules, Analyses}, {});
}

inline LayoutDecision decide(const HandMadeKernel &H,
                             LayoutChoice Choice = LayoutChoice::Auto) {
  return planOf(H, {Choice}).Layouts.front().second;
}

/// Rows Padding elements longer.
inline Layout makePad(unsigned Padding, uint64_t Pitch = 0) {
  Layout L;
  L.Kind = Family::Pad;
  L.Pitch = Pitch;
  L.Padding = Padding;
  return L;
}

/// { A[r, c] -> A'[r, c xor term(r)] }
inline Layout makeXor(BitTerm Term, uint64_t Pitch = 0) {
  Layout L;
  L.Kind = Family::Xor;
  L.Pitch = Pitch;
  L.Terms.push_back(Term);
  return L;
}

/// Writes rows and reads columns of an N x N tile; the block is N x Rows.
inline ArrayId addTranspose(HandMadeKernel &H, uint32_t N, uint32_t Rows,
                            unsigned ElementSize) {
  ArrayId Tile = H.array({N, N}, ElementSize);
  ValueId Y = H.add(H.threadY(), H.mul(H.beginLoop(N / Rows), Rows));
  H.write(Tile, {Y, H.threadX()});
  H.read(Tile, {H.threadX(), Y});
  H.endLoop();
  return Tile;
}

inline void expectCost(const LayoutDecision &D, double Before, double After,
                       double Bound) {
  EXPECT_NEAR(D.Cost.Before, Before, 1e-9 * Before);
  EXPECT_NEAR(D.Cost.After, After, 1e-9 * After);
  EXPECT_NEAR(D.Cost.Bound, Bound, 1e-9 * Bound);
}

/// Reads the antidiagonal and the rows of a 32 x 33 tile: only padding helps,
/// with 128 bytes.
inline ArrayId addAntidiagonal(HandMadeKernel &H) {
  ArrayId Tile = H.array({32, 33}, 4);
  H.read(Tile, {H.threadX(), H.sub(H.constant(31), H.threadX())});
  H.read(Tile, {H.beginLoop(32), H.threadX()});
  H.endLoop();
  return Tile;
}

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_PASSES_DECIDEDLAYOUT_H
