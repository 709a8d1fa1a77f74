// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The placements of Triton, IREE and TVM.
//===----------------------------------------------------------------------===//

#include "Peers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace cudaopt {

namespace {

/// [Begin, End) of intervals.
struct Lifetime {
  size_t Begin = 0, End = 0;
  bool meets(const Lifetime &Other) const {
    return Begin < Other.End && Other.Begin < End;
  }
};

using Lifetimes = std::vector<Lifetime>;

} // namespace

static Lifetimes findLifetimes(const PlacementProblem &Problem) {
  Lifetimes Lives(Problem.Items.size());
  for (size_t I = 0; I < Problem.Intervals.size(); ++I)
    for (const BusyBytes &B : Problem.Intervals[I]) {
      Lifetime &L = Lives[B.Item];
      if (L.End == 0)
        L.Begin = I;
      L.End = I + 1;
    }
  return Lives;
}

static uint64_t alignTo(uint64_t Offset, const PlacementItem &Item) {
  return (Offset + Item.Alignment - 1) / Item.Alignment * Item.Alignment;
}

static Placement withHeight(const PlacementProblem &Problem,
                            std::vector<uint64_t> Offsets) {
  Placement P{std::move(Offsets), 0};
  for (ItemId I = 0; I < Problem.Items.size(); ++I)
    P.Height = std::max(P.Height, P.Offsets[I] + Problem.Items[I].Size);
  return P;
}

/// Items that are in use, the largest first.
static std::vector<ItemId> orderBySize(const PlacementProblem &Problem,
                                       const Lifetimes &Lives) {
  std::vector<ItemId> Order;
  for (ItemId I = 0; I < Lives.size(); ++I)
    if (Lives[I].End > 0)
      Order.push_back(I);
  std::ranges::sort(Order, {}, [&](ItemId I) {
    return std::pair(-int64_t(Problem.Items[I].Size), I);
  });
  return Order;
}

static std::vector<uint64_t> findTritonStarts(const PlacementProblem &Problem,
                                              const Lifetimes &Lives) {
  std::multimap<uint64_t, Lifetime> Free;
  Free.insert({0, {0, std::numeric_limits<size_t>::max()}});
  std::vector<ItemId> Rest = orderBySize(Problem, Lives);
  std::vector<uint64_t> Offsets(Lives.size());
  while (!Rest.empty() && !Free.empty()) {
    const auto [Start, Range] = *Free.begin();
    Free.erase(Free.begin());
    const auto Found = std::ranges::find_if(Rest, [&](ItemId I) {
      return Lives[I].meets(Range) &&
             std::ranges::none_of(Free, [&](const auto &Other) {
               return Lives[I].meets(Other.second);
             });
    });
    if (Found == Rest.end())
      continue;
    const Lifetime &Life = Lives[*Found];
    Offsets[*Found] = alignTo(Start, Problem.Items[*Found]);
    Free.insert(
        {Offsets[*Found] + Problem.Items[*Found].Size,
         {std::max(Range.Begin, Life.Begin), std::min(Range.End, Life.End)}});
    if (Range.Begin < Life.Begin)
      Free.insert({Start, {Range.Begin, Life.End}});
    if (Life.End < Range.End)
      Free.insert({Start, {Life.Begin, Range.End}});
    Rest.erase(Found);
  }
  return Offsets;
}

static bool overlap(const PlacementProblem &Problem, const Lifetimes &Lives,
                    const std::vector<uint64_t> &Offsets, ItemId A, ItemId B) {
  return A != B && Lives[A].meets(Lives[B]) &&
         Offsets[A] < Offsets[B] + Problem.Items[B].Size &&
         Offsets[B] < Offsets[A] + Problem.Items[A].Size;
}

/// Every item of a colour but the first goes above those that it overlaps.
/// False if there was none.
static bool raiseOverlapping(const PlacementProblem &Problem,
                             const Lifetimes &Lives,
                             const std::vector<ItemId> &Order,
                             std::vector<uint64_t> &Offsets) {
  std::vector<std::vector<ItemId>> Others(Lives.size());
  bool Any = false;
  for (ItemId A : Order)
    for (ItemId B : Order)
      if (overlap(Problem, Lives, Offsets, A, B)) {
        Others[A].push_back(B);
        Any = true;
      }
  std::vector<int> Colours(Lives.size(), -1);
  for (ItemId A : Order) {
    std::vector<bool> Taken(Others[A].size() + 1);
    for (ItemId B : Others[A])
      if (Colours[B] >= 0 && size_t(Colours[B]) < Taken.size())
        Taken[Colours[B]] = true;
    Colours[A] = std::ranges::find(Taken, false) - Taken.begin();
  }
  for (ItemId A : Order) {
    uint64_t Offset = 0;
    for (ItemId B : Others[A])
      Offset = std::max(Offset, Offsets[B] + Problem.Items[B].Size);
    if (Colours[A] > 0)
      Offsets[A] = alignTo(Offset, Problem.Items[A]);
  }
  return Any;
}

Placement placeLikeTriton(const PlacementProblem &Problem) {
  const Lifetimes Lives = findLifetimes(Problem);
  const std::vector<ItemId> Order = orderBySize(Problem, Lives);
  std::vector<uint64_t> Offsets = findTritonStarts(Problem, Lives);
  while (raiseOverlapping(Problem, Lives, Order, Offsets))
    ;
  return withHeight(Problem, std::move(Offsets));
}

Placement placeLikeIree(const PlacementProblem &Problem) {
  const Lifetimes Lives = findLifetimes(Problem);
  std::vector<ItemId> Order(Lives.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::ranges::sort(Order, {},
                    [&](ItemId I) { return std::pair(Lives[I].Begin, I); });
  std::vector<uint64_t> Offsets(Lives.size());
  size_t GroupEnd = 0;
  uint64_t Top = 0;
  for (ItemId I : Order) {
    if (Lives[I].Begin >= GroupEnd)
      Top = 0;
    GroupEnd = std::max(GroupEnd, Lives[I].End);
    Offsets[I] = alignTo(Top, Problem.Items[I]);
    Top = Offsets[I] + Problem.Items[I].Size;
  }
  return withHeight(Problem, std::move(Offsets));
}

namespace {

struct Room {
  uint64_t Size = 0, Alignment = 1;
  size_t FreeFrom = 0;
  std::vector<ItemId> Tenants;
};

} // namespace

static Room &findRoom(std::vector<Room> &Rooms, uint64_t Size, size_t Begin) {
  Room *Best = nullptr;
  for (Room &R : Rooms) {
    if (R.FreeFrom > Begin || R.Size > 16 * Size || Size > 16 * R.Size)
      continue;
    const bool Fits = R.Size >= Size;
    if (!Best ||
        (Fits ? Best->Size < Size || R.Size < Best->Size : Best->Size < R.Size))
      Best = &R;
  }
  return Best ? *Best : Rooms.emplace_back();
}

Placement placeLikeTvm(const PlacementProblem &Problem) {
  const Lifetimes Lives = findLifetimes(Problem);
  std::vector<ItemId> Order(Lives.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::ranges::sort(Order, {},
                    [&](ItemId I) { return std::pair(Lives[I].Begin, I); });
  std::vector<Room> Rooms;
  for (ItemId I : Order) {
    Room &R = findRoom(Rooms, Problem.Items[I].Size, Lives[I].Begin);
    R.Size = std::max(R.Size, Problem.Items[I].Size);
    R.Alignment = std::max(R.Alignment, Problem.Items[I].Alignment);
    R.FreeFrom = std::max(R.FreeFrom, Lives[I].End);
    R.Tenants.push_back(I);
  }
  std::vector<uint64_t> Offsets(Lives.size());
  uint64_t Top = 0;
  for (const Room &R : Rooms) {
    Top = alignTo(Top, {R.Size, R.Alignment});
    for (ItemId I : R.Tenants)
      Offsets[I] = Top;
    Top += R.Size;
  }
  return withHeight(Problem, std::move(Offsets));
}

} // namespace cudaopt
