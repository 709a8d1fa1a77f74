// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Operations in which lanes of a warp see each other: as the PTX ISA has them
/// in 9.7.9 (shuffles) and 9.7.13 (votes, matches, reductions, warp barriers).
///
/// Lanes may name different masks, as tiles of a warp do: those of one mask
/// form a group. All lanes of a mask that have not exited must take part.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_WARPOPERATIONS_H
#define CUDAOPT_LIB_SIMT_WARPOPERATIONS_H

#include "RaceDetector.h"
#include "RunState.h"

namespace cudaopt::simt {

class WarpOperations {
public:
  WarpOperations(RunState &State, RaceDetector &Races)
      : S(State), Races(Races) {}

  static constexpr bool has(Opcode Code) {
    return Code >= Opcode::WarpBarrier && Code <= Opcode::Elect;
  }
  void run(const Operation &Op, Warp &W);

private:
  template <class Function>
  void forEachGroup(const Operation &Op, const Warp &W, Register Mask,
                    Function Body);
  bool dependsOnData(const Operation &Op, const Warp &W, Register R,
                     const char *What);
  void shuffle(const Operation &Op, Warp &W);
  void shuffleGroup(const Operation &Op, Warp &W, uint32_t Mask,
                    uint32_t Lanes);
  void vote(const Operation &Op, Warp &W);
  void match(const Operation &Op, Warp &W);
  void reduce(const Operation &Op, Warp &W);
  void reduceTerms(const Operation &Op, Warp &W, uint32_t Lanes);
  void elect(const Operation &Op, Warp &W);

  RunState &S;
  RaceDetector &Races;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_WARPOPERATIONS_H
