// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Random kernels of phases, each of which works on a few variables.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_UNIT_PASSES_RANDOMPHASES_H
#define CUDAOPT_TEST_UNIT_PASSES_RANDOMPHASES_H

#include "../HandMadeProgram.h"

#include <random>

namespace cudaopt {

class RandomPhases {
public:
  explicit RandomPhases(unsigned Seed) : Random(Seed), Made({}) {
    NumVariables = 2 + draw(3);
    IsPhased = draw(2);
    for (unsigned V = 0; V < NumVariables; ++V) {
      const unsigned ElementSize = 1u << draw(3);
      Made.variable(uint64_t(ElementSize) * (1 + draw(6)), ElementSize);
    }
  }
  SharedProgram make() {
    addItems(2 + draw(5), 0);
    return Made.finish();
  }

private:
  unsigned draw(unsigned Bound) { return Random() % Bound; }

  SharedUse makeUse() {
    const VariableId V = draw(NumVariables);
    // Mostly all elements, sometimes a range of them.
    const unsigned Low = draw(3) ? 0 : draw(3);
    const unsigned High = draw(3) ? HandMadeProgram::All : Low + 1 + draw(3);
    const unsigned Size = Made.elements(V).size();
    const unsigned First = std::min(Low, Size - 1);
    switch (draw(8)) {
    case 0:
      return Made.mayWrite(V, First, std::max(High, First));
    case 1:
      return Made.readOwn(V, First, std::max(High, First));
    case 2:
      return HandMadeProgram::pending(draw(3) ? Made.write(V) : Made.read(V));
    case 3:
    case 4:
      return Made.write(V, First, std::max(High, First));
    default:
      return Made.read(V, First, std::max(High, First));
    }
  }
  std::vector<SharedUse> makeUses() {
    std::vector<SharedUse> Uses;
    for (unsigned N = draw(3); N > 0; --N)
      Uses.push_back(makeUse());
    return Uses;
  }

  void addItems(unsigned Number, unsigned Depth) {
    for (; Number > 0; --Number)
      addItem(Depth);
  }
  /// One variable is written in an interval and read in the next.
  void addPhase() {
    const VariableId V = draw(NumVariables);
    Made.work({draw(4) ? Made.write(V) : Made.mayWrite(V)}).barrier();
    Made.work({Made.read(V)}).barrier();
  }
  void addItem(unsigned Depth) {
    if (IsPhased && draw(3))
      return addPhase();
    const unsigned What = draw(Depth < 3 ? 16 : 11);
    if (What < 5)
      Made.work(makeUses());
    else if (What < 9)
      Made.barrier(draw(6) ? std::vector<SharedUse>() : makeUses());
    else if (What == 9)
      Made.wait();
    else if (What == 10)
      draw(3) ? Made.work(makeUses()) : Made.mayReturn(makeUses());
    else if (What < 14) {
      Made.beginLoop();
      addItems(1 + draw(5), Depth + 1);
      Made.endLoop();
    } else {
      Made.beginIf();
      addItems(1 + draw(4), Depth + 1);
      if (draw(2)) {
        Made.otherwise();
        addItems(1 + draw(4), Depth + 1);
        if (!draw(6))
          Made.doReturn();
      }
      Made.endIf();
    }
  }

  std::mt19937 Random;
  HandMadeProgram Made;
  unsigned NumVariables;
  bool IsPhased; ///< Mostly phases, so that many values die.
};

} // namespace cudaopt

#endif // CUDAOPT_TEST_UNIT_PASSES_RANDOMPHASES_H
