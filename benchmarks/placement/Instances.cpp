// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads MiniMalloc's files; draws graphs; solves tiny ones by brute force.
//===----------------------------------------------------------------------===//

#include "Instances.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace cudaopt {

namespace {

struct Buffer {
  uint64_t Lower, Upper, Size;
};

/// First fit in every order of rising offsets that can lead below the best
/// height.
class AllOrders {
public:
  AllOrders(const PlacementProblem &Problem, uint64_t Height)
      : Problem(Problem), Best(Height), Offsets(Problem.Items.size()),
        Interferes(Problem.Items.size(),
                   std::vector<bool>(Problem.Items.size())),
        IsPlaced(Problem.Items.size()) {
    for (const std::vector<BusyBytes> &Interval : Problem.Intervals)
      for (const BusyBytes &A : Interval)
        for (const BusyBytes &B : Interval)
          Interferes[A.Item][B.Item] = true;
  }

  uint64_t run() {
    place(0, 0, 0);
    return Best;
  }

private:
  /// Above all placed neighbours: in the order of offsets, that is first fit.
  uint64_t findTop(ItemId I) const {
    uint64_t Top = 0;
    for (ItemId Other = 0; Other < Offsets.size(); ++Other)
      if (IsPlaced[Other] && Interferes[I][Other])
        Top = std::max(Top, Offsets[Other] + Problem.Items[Other].Size);
    return Top;
  }

  void place(unsigned Count, uint64_t Height, uint64_t Level) {
    if (Height >= Best)
      return;
    if (Count == Offsets.size()) {
      Best = Height;
      return;
    }
    for (ItemId I = 0; I < Offsets.size(); ++I) {
      if (IsPlaced[I])
        continue;
      Offsets[I] = findTop(I);
      if (Offsets[I] < Level)
        continue;
      IsPlaced[I] = true;
      place(Count + 1, std::max(Height, Offsets[I] + Problem.Items[I].Size),
            Offsets[I]);
      IsPlaced[I] = false;
    }
  }

  const PlacementProblem &Problem;
  uint64_t Best;
  std::vector<uint64_t> Offsets;
  std::vector<std::vector<bool>> Interferes;
  std::vector<bool> IsPlaced;
};

} // namespace

static PlacementProblem makeProblem(const std::vector<Buffer> &Buffers) {
  PlacementProblem Problem;
  std::set<uint64_t> Times;
  for (const Buffer &B : Buffers) {
    Problem.Items.push_back({B.Size, 1});
    Times.insert({B.Lower, B.Upper});
  }
  for (auto Next = Times.begin(); Next != Times.end();) {
    const uint64_t Time = *Next++;
    Problem.Durations.push_back(Next == Times.end() ? 0 : *Next - Time);
    std::vector<BusyBytes> &Busy = Problem.Intervals.emplace_back();
    for (ItemId I = 0; I < Buffers.size(); ++I)
      if (Buffers[I].Lower <= Time && Time < Buffers[I].Upper)
        Busy.push_back({I, 0, Buffers[I].Size});
  }
  return Problem;
}

static Instance readInstance(const std::filesystem::path &File) {
  std::ifstream In(File);
  std::string Line;
  std::getline(In, Line); // The names of the columns.
  std::vector<Buffer> Buffers;
  while (std::getline(In, Line)) {
    std::ranges::replace(Line, ',', ' ');
    std::istringstream Fields(Line);
    std::string Id;
    Buffer B;
    if (Fields >> Id >> B.Lower >> B.Upper >> B.Size)
      Buffers.push_back(B);
  }
  return {File.stem().string(), makeProblem(Buffers)};
}

std::vector<Instance> readInstances(const std::filesystem::path &Folder) {
  std::set<std::filesystem::path> Files;
  for (const auto &Entry : std::filesystem::directory_iterator(Folder))
    if (Entry.path().extension() == ".csv")
      Files.insert(Entry.path());
  std::vector<Instance> Instances;
  for (const std::filesystem::path &File : Files)
    Instances.push_back(readInstance(File));
  return Instances;
}

PlacementProblem drawGraph(std::mt19937 &Random, unsigned Count) {
  PlacementProblem Problem;
  for (unsigned I = 0; I < Count; ++I)
    Problem.Items.push_back({4 * (1 + Random() % 500), 1});
  const unsigned Density = 20 + Random() % 70;
  for (ItemId A = 0; A < Count; ++A)
    for (ItemId B = A + 1; B < Count; ++B)
      if (Random() % 100 < Density)
        Problem.Intervals.push_back(
            {{A, 0, Problem.Items[A].Size}, {B, 0, Problem.Items[B].Size}});
  return Problem;
}

PlacementProblem drawKernel(std::mt19937 &Random, unsigned Count) {
  PlacementProblem Problem;
  for (unsigned I = 0; I < Count; ++I)
    Problem.Items.push_back(
        {4 * (16 + Random() % 18) * (8 + Random() % 27),
         std::vector<uint64_t>{4, 4, 4, 8, 16, 16, 128}[Random() % 7]});
  Problem.Intervals.resize(2 + Count);
  const unsigned Most = 2 + Random() % 6;
  for (ItemId I = 0; I < Count; ++I) {
    // A stretch of intervals, and now and then one far away, round a loop.
    const size_t Begin = Random() % Problem.Intervals.size();
    std::set<size_t> Uses;
    for (size_t Use = 0; Use <= Random() % Most; ++Use)
      Uses.insert((Begin + Use) % Problem.Intervals.size());
    if (Random() % 4 == 0)
      Uses.insert(Random() % Problem.Intervals.size());
    for (size_t Interval : Uses)
      Problem.Intervals[Interval].push_back({I, 0, Problem.Items[I].Size});
  }
  return Problem;
}

uint64_t findLeastHeight(const PlacementProblem &Problem, uint64_t Height) {
  return AllOrders(Problem, Height).run();
}

} // namespace cudaopt
