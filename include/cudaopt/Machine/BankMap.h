// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The cost of one warp request to shared memory, in wavefronts: passes of the
/// hardware over the request. A request of at most 4 bytes per lane without
/// bank conflicts takes one. The rule for 4-byte banks was measured on an H200
/// (sm_90) and holds there for all of 1340 single-warp patterns;
/// test/Unit/Machine replays them. The file depends on nothing but the standard
/// library: analyses use it as an oracle, the interpreter as its memory.
///
/// \verbatim
///   byte address   0    4    8   ...  124  128  132
///   bank           0    1    2   ...   31    0    1      (32 banks x 4 bytes)
///
///   32 lanes load s[lane], 4 bytes each      1 wavefront
///   32 lanes load s[2 * lane]                2: lanes 0 and 16 meet in bank 0
///   32 lanes load s[32 * lane]              32: all lanes meet in bank 0
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
  /// Bytes of one bank word: 4, or 8 in Kepler's 8-byte mode ("Experimental
  /// evaluation of memory optimizations on an embedded GPU platform", section
  /// II).
  uint32_t Width = 4;

  constexpr uint32_t wordOf(uint32_t Address) const { return Address / Width; }
  constexpr uint32_t bankOf(uint32_t Address) const {
    return wordOf(Address) % Banks;
  }
};

/// What a warp request does to shared memory.
enum class MemoryOp {
  Load,
  Store,
  /// An atomic operation on 32-bit integers whose result is not used.
  Reduce,
};

/// One instruction of one warp: where each active lane accesses shared memory.
/// The addresses of inactive lanes are ignored.
struct WarpRequest {
  MemoryOp Op = MemoryOp::Load;
  uint32_t Width = 4;       ///< Bytes per lane: 1, 2, 4, 8 or 16.
  uint32_t ActiveLanes = 0; ///< Bit l is set if lane l is active.
  /// In bytes; multiples of Width.
  std::array<uint32_t, WarpSize> Addresses = {};

  constexpr bool isActive(unsigned Lane) const {
    return ActiveLanes >> Lane & 1;
  }
};

/// The groups of lanes that shared memory serves one after the other, as lane
/// masks; a mask of 0 stands for a phase that does not exist or has no active
/// lane.
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

/// Splits the active lanes of \p Request into the phases in which the hardware
/// serves them. With banks of 4 bytes a phase moves at most 128 distinct bytes:
///
///   width          <= 4   8            16
///   lanes a phase  32     16           8
///   merged load    -      32           16
///
/// A load is merged, which doubles the lanes of a phase, if all partners at
/// distance 1, or all at distance 2, read the same address. No layout changes
/// the phases: a layout maps equal addresses to equal ones and different
/// addresses to different ones.
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

/// Returns the number of wavefronts for the lanes \p Phase of \p Request: the
/// greatest number of different words that lie in one bank, since a bank
/// delivers one word in each wavefront. In a reduction every lane counts, also
/// those at equal addresses, which the bank serves one after the other.
constexpr unsigned countPhase(const BankMap &Map, const WarpRequest &Request,
                              uint32_t Phase) {
  // The words of each bank form a linked list: Last is the word that was added
  // last, Previous the one added before it. A phase has at most 64 words: 32
  // lanes of two words each, or 16 lanes of four.
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

/// Returns a lower bound of countPhase over all layouts that keep the bytes of
/// an element together: the distinct bytes, or lanes of a reduction, divided
/// evenly among the banks.
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

  // Lanes of a reduction at one address stay at one address in any layout, so
  // the bank serves them one by one. Other requests need only move their
  // distinct bytes.
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

/// Returns a lower bound of countWavefronts for \p Request over all layouts
/// that keep the bytes of an element together: the sum of what its phases need
/// for their distinct bytes. The bound is the same for every such layout.
constexpr unsigned boundWavefronts(const BankMap &Map,
                                   const WarpRequest &Request) {
  unsigned Bound = 0;
  for (uint32_t Phase : splitIntoPhases(Map, Request))
    Bound += boundPhase(Map, Request, Phase);
  return Bound;
}

} // namespace cudaopt

#endif // CUDAOPT_MACHINE_BANKMAP_H
