// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Generates random kernels. KernelGenerator.cpp has the common parts and the
/// kernels that test layouts; PhaseGenerator.cpp has those whose arrays are
/// live one after the other, which test the sharing of memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_GENERATOR_H
#define CUDAOPT_FUZZ_GENERATOR_H

#include "Kernel.h"
#include "Random.h"

namespace cudaopt::fuzz {

/// Generates one kernel.
class Generator {
public:
  Generator(uint64_t Seed, uint64_t Number) : R(Seed, Number) {
    K.Number = Number;
  }
  Kernel run();
  /// Generates a kernel with several arrays that are live in turn, with all
  /// kinds of control flow from one to the next.
  Kernel runPhases();

private:
  /// The maximum size of all arrays in bytes, so that padded ones still fit
  /// into 48 KB.
  static constexpr unsigned MaxBytes = 32 << 10;
  /// The maximum number of warp instructions of a launch; most kernels need far
  /// fewer.
  static constexpr uint64_t MaxCost = 4000;

  /// How the arrays are used in the phase that is being generated.
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
