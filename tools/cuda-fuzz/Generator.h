// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What makes random kernels: KernelGenerator.cpp has the parts and the kernels
/// for layouts, PhaseGenerator.cpp those whose arrays live in turn.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_GENERATOR_H
#define CUDAOPT_FUZZ_GENERATOR_H

#include "Kernel.h"
#include "Random.h"

namespace cudaopt::fuzz {

class Generator {
public:
  Generator(uint64_t Seed, uint64_t Number) : R(Seed, Number) {
    K.Number = Number;
  }
  Kernel run();
  /// Several arrays that live in turn, and all ways from one to the next.
  Kernel runPhases();

private:
  /// Bytes of all arrays, so that padding still fits into 48 KB.
  static constexpr unsigned MaxBytes = 32 << 10;
  /// Warp instructions of a launch: most kernels are far below.
  static constexpr uint64_t MaxCost = 4000;

  /// The uses of arrays in the phase that is being made.
  struct PhaseUse {
    std::vector<bool> Written, Read;
  };

  void chooseShape();
  void chooseWriting();
  Array makeArray();
  void addArrays(unsigned Count);
  Element chooseElement();
  Phase makeFills(std::vector<unsigned> Unfilled);
  Phase makePhase(bool Inside);
  Phase makeOutputs();
  Statement makeStatement(bool Inside, PhaseUse &Use);
  std::vector<unsigned> usableArrays(const PhaseUse &Use) const;
  std::vector<Driver> makeDrivers(const Array &A);
  Guard makeGuard();
  void addReads(Statement &S, unsigned Count, bool Inside, PhaseUse &Use);
  Access makeAccess(unsigned Array, const Statement &S, bool Inside);
  Index makeIndex(unsigned Extent, Range V);
  Index makeFittingIndex(Index I, unsigned Max);
  bool isFast(Variable V, const Statement &S) const;
  void trim();

  Phase makeTurn(bool Inside);
  void addFill(Phase &P, bool Inside, PhaseUse &Use);
  Phase makeLastPhase();
  void makeCheaper();
  void vary();
  void keepIfWellFormed(const Kernel &Changed);

  Random R;
  Kernel K;
  bool AllowsData = false;
  std::vector<bool> IsFilled;
};

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_GENERATOR_H
