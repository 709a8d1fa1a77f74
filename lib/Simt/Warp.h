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

/// One value per lane.
struct alignas(64) LaneValues {
  uint64_t Values[WarpSize];

  uint64_t &operator[](unsigned Lane) { return Values[Lane]; }
  uint64_t operator[](unsigned Lane) const { return Values[Lane]; }
};

/// A set of lanes: as bits and, for loops over all lanes that can be
/// vectorized, as a mask of 64 bits per lane.
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

/// Lanes that are, or will continue, at a block of the program. A warp whose
/// lanes diverge has a stack of paths; the topmost one runs.
struct Path {
  int Block;
  /// The block where the path ends; -1 if it ends at the exit.
  int Reconvergence;
  uint32_t Lanes;
};

/// Waiting: at a barrier of the block. Polling: it has asked without success
/// whether a phase of a barrier object is over.
enum class WarpState : uint8_t { Ready, Waiting, Polling, Done };

/// A warp. Its storage is reused by each block of the grid.
class Warp {
public:
  Warp(unsigned Id, unsigned NumRegisters)
      : Id(Id), Registers(NumRegisters + 2), Symbolic(NumRegisters + 2) {}

  unsigned Id;
  WarpState State = WarpState::Ready;
  uint32_t Live = 0; ///< The lanes that have not exited.
  LaneSet Active;    ///< The lanes of the topmost path.
  /// The index of the next operation in the block of the topmost path.
  size_t Next = 0;
  std::vector<Path> Paths;
  const Operation *Barrier = nullptr; ///< Where a waiting warp waits.
  /// The lanes that found a phase of a barrier object not over.
  uint32_t Blocked = 0;

  /// The value of a register; NoRegister reads as zero.
  LaneValues &operator[](Register R) { return Registers[R + 1]; }
  const LaneValues &operator[](Register R) const { return Registers[R + 1]; }
  /// Returns where a result is written; for NoRegister, a register that is
  /// never read.
  LaneValues &result(Register R) { return Registers[indexOfResult(R)]; }

  /// Returns the lanes in which a register holds a term.
  uint32_t symbolic(Register R) const { return Symbolic[R + 1]; }
  /// Returns the active lanes in which an operand of \p Op is a term.
  uint32_t symbolicOperands(const Operation &Op) const {
    return (symbolic(Op.A) | symbolic(Op.B) | symbolic(Op.C)) & Active.Bits;
  }
  /// Declares the values of \p Lanes to be numbers.
  void setConcrete(Register R, uint32_t Lanes) {
    Symbolic[indexOfResult(R)] &= ~Lanes;
  }
  /// Sets a lane to a number.
  void put(Register R, unsigned Lane, uint64_t Value) {
    size_t Index = indexOfResult(R);
    Registers[Index][Lane] = Value;
    Symbolic[Index] &= ~(1u << Lane);
  }
  /// Sets a lane to a term.
  void putTerm(Register R, unsigned Lane, TermId Term) {
    size_t Index = indexOfResult(R);
    Registers[Index][Lane] = Term;
    Symbolic[Index] |= 1u << Lane;
  }
  /// Copies \p Lanes of \p From to \p To, whether numbers or terms.
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

  /// Returns the linear number of a lane's thread in its block.
  unsigned thread(unsigned Lane) const { return Id * WarpSize + Lane; }
  unsigned firstActive() const {
    return static_cast<unsigned>(std::countr_zero(Active.Bits));
  }

private:
  size_t indexOfResult(Register R) const {
    return R < 0 ? Registers.size() - 1 : static_cast<size_t>(R) + 1;
  }

  /// The zero that NoRegister reads, the registers of the program, and one that
  /// is never read.
  std::vector<LaneValues> Registers;
  /// The lanes that hold a term, parallel to Registers.
  std::vector<uint32_t> Symbolic;
};

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_WARP_H
