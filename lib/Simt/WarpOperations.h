// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Operations in which the lanes of a warp see each other, as the PTX ISA
/// defines them in 9.7.9 (shuffles) and 9.7.13 (votes, matches, reductions,
/// warp barriers).
///
/// Lanes may name different masks, as cooperative-group tiles of a warp do: the
/// lanes that name the same mask form a group. All lanes of a mask that have
/// not exited must take part.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_WARPOPERATIONS_H
#define CUDAOPT_LIB_SIMT_WARPOPERATIONS_H

#include "RaceDetector.h"
#include "RunState.h"

namespace cudaopt::simt {

/// Executes the operations of a warp as a whole.
class WarpOperations {
public:
  WarpOperations(RunState &State, RaceDetector &Races)
      : S(State), Races(Races) {}

  /// Returns true if run() executes \p Code.
  static constexpr bool has(Opcode Code) {
    return Code >= Opcode::WarpBarrier && Code <= Opcode::Elect;
  }
  void run(const Operation &Op, Warp &W);

private:
  template <class Function>
  void forEachGroup(const Operation &Op, const Warp &W, Register Mask,
                    Function Body);
  /// Ends the run and returns true if \p R is a term in an active lane.
  bool dependsOnData(const Operation &Op, const Warp &W, Register R,
                     const char *What);
  void shuffle(const Operation &Op, Warp &W);
  /// Shuffles the values of the lanes \p Lanes, which all name \p Mask.
  void shuffleGroup(const Operation &Op, Warp &W, uint32_t Mask,
                    uint32_t Lanes);
  void vote(const Operation &Op, Warp &W);
  void match(const Operation &Op, Warp &W);
  void reduce(const Operation &Op, Warp &W);
  /// A reduction of values of which one is a term.
  void reduceTerms(const Operation &Op, Warp &W, uint32_t Lanes);
  void elect(const Operation &Op, Warp &W);

  RunState &S;
  RaceDetector &Races;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_WARPOPERATIONS_H
