// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cost of one warp request to shared memory, in wavefronts. The rule for
/// 4-byte banks was measured on an H200 (sm_90) and holds there for all of 1340
/// single-warp patterns; test/Unit/Machine replays them. Depends on nothing but
/// the standard library: analyses use it as an oracle, the executor as its
/// memory.
///
/// \verbatim
///   byte address   0    4    8   ...  124  128  132
///   bank           0    1    2   ...   31    0    1      (32 banks x 4 bytes)
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MACHINE_BANKMAP_H
#define CUDAOPT_MACHINE_BANKMAP_H

#include <array>
#include <cstdint>

namespace cudaopt {

inline constexpr unsigned WarpSize = 32;

/// Maps a byte address of shared memory to a bank: (address / Width) mod Banks.
struct BankMap {
  uint32_t Banks = 32; ///< Number of banks; at most 32.
  uint32_t Width = 4;  ///< Bytes of one bank word: 4, or 8 in Kepler's 8-byte
                       ///< mode (document 000, section II).

  constexpr uint32_t wordOf(uint32_t Address) const { return Address / Width; }
  constexpr uint32_t bankOf(uint32_t Address) const {
    return wordOf(Address) % Banks;
  }
};

/// What a warp request does to shared memory.
enum class MemoryOp {
  Load,
  Store,
  Reduce, ///< An atomic without a result, on 32-bit integers.
};

/// One instruction of one warp: where each active lane accesses shared memory.
struct WarpRequest {
  MemoryOp Op = MemoryOp::Load;
  uint32_t Width = 4;       ///< Bytes a lane: 1, 2, 4, 8, 16.
  uint32_t ActiveLanes = 0; ///< Bit l is set if lane l is active.
  std::array<uint32_t, WarpSize> Addresses = {}; ///< Bytes, aligned to Width.

  constexpr bool isActive(unsigned Lane) const {
    return ActiveLanes >> Lane & 1;
  }
};

/// The lanes that shared memory serves together, as masks; 0 for an unused or
/// idle phase.
using LanePhases = std::array<uint32_t, 4>;

/// Returns true if every active lane whose partner `lane ^ Distance` is active
/// reads the same address as the partner.
constexpr bool partnersAgree(const WarpRequest &Request, unsigned Distance) {
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    unsigned Partner = Lane ^ Distance;
    if (Request.isActive(Lane) && Request.isActive(Partner) &&
        Request.Addresses[Lane] != Request.Addresses[Partner])
      return false;
  }
  return true;
}

/// Splits the active lanes of \p Request into phases. With banks of 4 bytes:
///
///   width         <= 4   8            16
///   lanes a phase 32     16           8
///   merged load   -      32           16
///
/// A load is merged if partners at distance 1, or all at distance 2, agree. No
/// layout changes that: it keeps equal addresses equal, and others different.
constexpr LanePhases splitIntoPhases(const BankMap &Map,
                                     const WarpRequest &Request) {
  unsigned Lanes = WarpSize;
  if (Request.Width > Map.Width)
    Lanes = WarpSize * Map.Width / Request.Width;
  if (Lanes < WarpSize && Map.Width == 4 && Request.Op == MemoryOp::Load &&
      (partnersAgree(Request, 1) || partnersAgree(Request, 2)))
    Lanes *= 2;

  LanePhases Phases = {};
  uint32_t Mask = Lanes == WarpSize ? ~0u : (1u << Lanes) - 1;
  for (unsigned First = 0; First < WarpSize; First += Lanes)
    Phases[First / Lanes] = Request.ActiveLanes & (Mask << First);
  return Phases;
}

/// Returns the greatest number of different words, or for reductions of lanes,
/// that meet in one bank when the lanes \p Phase are served.
constexpr unsigned countPhase(const BankMap &Map, const WarpRequest &Request,
                              uint32_t Phase) {
  // Each bank has a list of its words: the last one put in, each linked to the
  // one before. A phase brings at most 32 lanes of two words, 16 of four.
  constexpr uint8_t End = 0xff;
  std::array<uint8_t, 32> Last = {};
  std::array<uint8_t, 32> Size = {};
  std::array<uint8_t, 64> Previous = {};
  std::array<uint32_t, 64> Words = {};
  for (uint8_t &Entry : Last)
    Entry = End;

  unsigned WordsPerLane =
      Request.Width > Map.Width ? Request.Width / Map.Width : 1;
  unsigned NumWords = 0, Most = 0;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!(Phase >> Lane & 1))
      continue;
    uint32_t First = Map.wordOf(Request.Addresses[Lane]);
    for (uint32_t Word = First; Word < First + WordsPerLane; ++Word) {
      unsigned Bank = Word % Map.Banks;
      uint8_t Seen = Request.Op == MemoryOp::Reduce ? End : Last[Bank];
      while (Seen != End && Words[Seen] != Word)
        Seen = Previous[Seen];
      if (Seen != End)
        continue;
      Words[NumWords] = Word;
      Previous[NumWords] = Last[Bank];
      Last[Bank] = static_cast<uint8_t>(NumWords++);
      if (++Size[Bank] > Most)
        Most = Size[Bank];
    }
  }
  return Most;
}

/// Returns the least that countPhase can be under any layout.
constexpr unsigned boundPhase(const BankMap &Map, const WarpRequest &Request,
                              uint32_t Phase) {
  unsigned NumLanes = 0, NumAddresses = 0, MostAtOneAddress = 0;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!(Phase >> Lane & 1))
      continue;
    ++NumLanes;
    unsigned Same = 1;
    for (unsigned Other = 0; Other < Lane; ++Other)
      Same += (Phase >> Other & 1) &&
              Request.Addresses[Other] == Request.Addresses[Lane];
    NumAddresses += Same == 1;
    if (Same > MostAtOneAddress)
      MostAtOneAddress = Same;
  }
  if (NumLanes == 0)
    return 0;

  // Lanes of a reduction that meet at an address meet there in any layout;
  // other requests need only carry their bytes.
  if (Request.Op == MemoryOp::Reduce) {
    unsigned Spread = (NumLanes + Map.Banks - 1) / Map.Banks;
    return Spread > MostAtOneAddress ? Spread : MostAtOneAddress;
  }
  unsigned BytesAtOnce = Map.Banks * Map.Width;
  return (NumAddresses * Request.Width + BytesAtOnce - 1) / BytesAtOnce;
}

/// Returns the number of wavefronts that \p Request takes; 0 if no lane is
/// active.
constexpr unsigned countWavefronts(const BankMap &Map,
                                   const WarpRequest &Request) {
  unsigned Count = 0;
  for (uint32_t Phase : splitIntoPhases(Map, Request))
    Count += countPhase(Map, Request, Phase);
  return Count;
}

/// Returns the least number of wavefronts that any layout can reach for
/// \p Request: what its phases need for their distinct bytes. No layout that
/// keeps the bytes of an element together changes it.
constexpr unsigned boundWavefronts(const BankMap &Map,
                                   const WarpRequest &Request) {
  unsigned Bound = 0;
  for (uint32_t Phase : splitIntoPhases(Map, Request))
    Bound += boundPhase(Map, Request, Phase);
  return Bound;
}

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_BANKMAP_H
