// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The state of a warp: its registers, and the paths that its lanes are on.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_WARP_H
#define CUDAOPT_LIB_SIMT_WARP_H

#include "cudaopt/Simt/Program.h"
#include "cudaopt/Simt/Terms.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace cudaopt::simt {

inline constexpr uint32_t AllLanes = ~0u;

/// Calls \p Body for each lane of \p Lanes, in ascending order.
template <class Function> void forEachLane(uint32_t Lanes, Function Body) {
  for (; Lanes; Lanes &= Lanes - 1)
    Body(static_cast<unsigned>(std::countr_zero(Lanes)));
}

/// A value of each lane.
struct alignas(64) LaneValues {
  uint64_t Values[WarpSize];

  uint64_t &operator[](unsigned Lane) { return Values[Lane]; }
  uint64_t operator[](unsigned Lane) const { return Values[Lane]; }
};

/// A set of lanes, as bits and, for loops over all lanes, as masks of words.
struct LaneSet {
  uint32_t Bits = 0;
  LaneValues Words = {};

  void set(uint32_t Lanes) {
    if (Lanes == Bits)
      return;
    Bits = Lanes;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      Words[Lane] = -static_cast<uint64_t>(Lanes >> Lane & 1);
  }
};

/// Lanes that are, or will go on, at a block of the program.
struct Path {
  int Block;
  int Reconvergence; ///< Where the path ends; -1: at the exit.
  uint32_t Lanes;
};

/// A polling warp has asked in vain whether a phase of an object is over.
enum class WarpState : uint8_t { Ready, Waiting, Polling, Done };

/// A warp. Its storage is used again by each block of the grid.
class Warp {
public:
  Warp(unsigned Id, unsigned NumRegisters)
      : Id(Id), Registers(NumRegisters + 2), Symbolic(NumRegisters + 2) {}

  unsigned Id;
  WarpState State = WarpState::Ready;
  uint32_t Live = 0; ///< Lanes that have not exited.
  LaneSet Active;    ///< Lanes of the topmost path.
  size_t Next = 0;   ///< The operation of the block that comes next.
  std::vector<Path> Paths;
  const Operation *Barrier = nullptr; ///< Where a waiting warp waits.
  uint32_t Blocked = 0; ///< Lanes that found a phase of an object not over.

  /// What no register holds is zero.
  LaneValues &operator[](Register R) { return Registers[R + 1]; }
  const LaneValues &operator[](Register R) const { return Registers[R + 1]; }
  /// Where a result goes; that of no register goes nowhere.
  LaneValues &result(Register R) { return Registers[indexOfResult(R)]; }

  /// The lanes of which a register holds a term.
  uint32_t symbolic(Register R) const { return Symbolic[R + 1]; }
  /// Active lanes for which an operand is a term.
  uint32_t symbolicOperands(const Operation &Op) const {
    return (symbolic(Op.A) | symbolic(Op.B) | symbolic(Op.C)) & Active.Bits;
  }
  void setConcrete(Register R, uint32_t Lanes) {
    Symbolic[indexOfResult(R)] &= ~Lanes;
  }
  void put(Register R, unsigned Lane, uint64_t Value) {
    size_t Index = indexOfResult(R);
    Registers[Index][Lane] = Value;
    Symbolic[Index] &= ~(1u << Lane);
  }
  void putTerm(Register R, unsigned Lane, TermId Term) {
    size_t Index = indexOfResult(R);
    Registers[Index][Lane] = Term;
    Symbolic[Index] |= 1u << Lane;
  }
  /// Sets \p Lanes of \p To to those of \p From, terms included.
  void move(Register To, Register From, uint32_t Lanes) {
    LaneValues &D = result(To);
    const LaneValues &A = (*this)[From];
    if (Lanes == AllLanes)
      D = A;
    else if (Lanes == Active.Bits)
      for (unsigned L = 0; L < WarpSize; ++L)
        D[L] = (A[L] & Active.Words[L]) | (D[L] & ~Active.Words[L]);
    else
      forEachLane(Lanes, [&](unsigned Lane) { D[Lane] = A[Lane]; });
    uint32_t &Terms = Symbolic[indexOfResult(To)];
    Terms = (Terms & ~Lanes) | (symbolic(From) & Lanes);
  }

  unsigned thread(unsigned Lane) const { return Id * WarpSize + Lane; }
  unsigned firstActive() const {
    return static_cast<unsigned>(std::countr_zero(Active.Bits));
  }

private:
  size_t indexOfResult(Register R) const {
    return R < 0 ? Registers.size() - 1 : static_cast<size_t>(R) + 1;
  }

  /// Zero, the registers of the program, and one that nobody reads.
  std::vector<LaneValues> Registers;
  std::vector<uint32_t> Symbolic; ///< In the same order.
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_WARP_H
