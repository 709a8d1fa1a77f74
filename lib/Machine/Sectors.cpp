// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Counts the sectors of a request from its sorted addresses.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/Sectors.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <span>

using namespace cudaopt;

namespace {

/// The addresses of the active lanes, in ascending order.
class SortedAddresses {
public:
  explicit SortedAddresses(const GlobalRequest &Request) {
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (Request.ActiveLanes >> Lane & 1)
        Addresses[Count++] = Request.Addresses[Lane];
    std::sort(Addresses.begin(), Addresses.begin() + Count);
  }
  std::span<const uint64_t> get() const { return {Addresses.data(), Count}; }

private:
  std::array<uint64_t, WarpSize> Addresses;
  unsigned Count = 0;
};

} // namespace

// An access lies in one sector, since it is aligned to its width.
unsigned cudaopt::countSectors(const GlobalRequest &Request) {
  const SortedAddresses Sorted(Request);
  unsigned Sum = 0;
  uint64_t Sector = 0, Address = 0;
  unsigned Turns = 0; // What the current sector has been counted.
  unsigned Equal = 0; // The lanes with the current address so far.
  for (const uint64_t Each : Sorted.get()) {
    if (Turns == 0 || Each / SectorSize != Sector) {
      Sector = Each / SectorSize;
      Turns = Equal = 0;
    }
    Equal = Equal && Each == Address ? Equal + 1 : 1;
    Address = Each;
    const unsigned Needed = Request.IsAtomic ? std::max(Turns, Equal) : 1;
    Sum += Needed - Turns;
    Turns = Needed;
  }
  return Sum;
}

unsigned cudaopt::boundSectors(const GlobalRequest &Request) {
  const SortedAddresses Sorted(Request);
  unsigned Bytes = 0, Equal = 0, MostEqual = 0;
  uint64_t Address = 0;
  for (const uint64_t Each : Sorted.get()) {
    const bool IsNew = Equal == 0 || Each != Address;
    Equal = IsNew ? 1 : Equal + 1;
    MostEqual = std::max(MostEqual, Equal);
    Address = Each;
    Bytes += IsNew ? Request.Width : 0;
  }
  const unsigned Filled = (Bytes + SectorSize - 1) / SectorSize;
  return Request.IsAtomic ? std::max(Filled, MostEqual) : Filled;
}

std::string_view cudaopt::nameOf(LaneOrder Order) {
  switch (Order) {
  case LaneOrder::Same:
    return "same";
  case LaneOrder::Groups:
    return "groups";
  case LaneOrder::Adjacent:
    return "adjacent";
  case LaneOrder::Rows:
    return "rows";
  case LaneOrder::Partial:
    return "partial";
  case LaneOrder::Gaps:
    return "gaps";
  case LaneOrder::Far:
    return "far";
  case LaneOrder::Scattered:
    return "scattered";
  }
  return "";
}

LaneDistance cudaopt::findDistance(const GlobalRequest &Request) {
  constexpr int64_t LeastFar = 128;
  std::map<int64_t, unsigned> Counts; // Of pairs, by distance of one lane.
  unsigned NumPairs = 0, Last = WarpSize;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
    if (!(Request.ActiveLanes >> Lane & 1))
      continue;
    if (Last != WarpSize) {
      ++NumPairs;
      const auto Apart =
          int64_t(Request.Addresses[Lane] - Request.Addresses[Last]);
      // A distance that is no multiple is that of no lane.
      if (Apart % int64_t(Lane - Last) == 0)
        ++Counts[Apart / int64_t(Lane - Last)];
    }
    Last = Lane;
  }
  if (Counts[0] == NumPairs)
    return {LaneOrder::Same, 0};
  for (const auto &[Bytes, Number] : Counts) {
    if (4 * Number < 3 * NumPairs)
      continue;
    const int64_t Apart = std::abs(Bytes);
    if (Apart == 0)
      return {LaneOrder::Groups, 0};
    if (Apart <= int64_t(Request.Width))
      return {Number != NumPairs          ? LaneOrder::Rows
              : ~Request.ActiveLanes != 0 ? LaneOrder::Partial
                                          : LaneOrder::Adjacent,
              Bytes};
    return {Apart < LeastFar ? LaneOrder::Gaps : LaneOrder::Far, Bytes};
  }
  return {LaneOrder::Scattered, 0};
}
