// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The time model's formula and constants.
//===----------------------------------------------------------------------===//

#include "cudaopt/Machine/KernelTime.h"

#include <algorithm>
#include <cmath>

namespace cudaopt {

/// The schedulers of a multiprocessor, each of which issues one instruction a
/// cycle.
static constexpr double Schedulers = 4;
static constexpr double SectorBytes = 32;
/// The exponent that joins the resources, and the weight of latencies.
static constexpr double Exponent = 3, LatencyWeight = 2;

std::string_view nameOf(Resource R) {
  switch (R) {
  case Resource::Issue:
    return "issue slots";
  case Resource::Shared:
    return "shared memory";
  case Resource::Math:
    return "arithmetic";
  case Resource::Memory:
    return "device memory";
  case Resource::Latency:
    return "latency";
  }
  return "";
}

Resource KernelTime::limiter() const {
  const auto Most = std::max_element(Busy.begin(), Busy.end());
  return Resource(Most - Busy.begin());
}

/// Returns \p Number without decimals.
static std::string whole(double Number) {
  return std::to_string(std::llround(Number));
}

std::string text(const KernelWork &Work) {
  const InstructionMix &Mix = Work.Instructions;
  return whole(Mix.Issued) + " instructions (" + whole(Mix.Float) + " float, " +
         whole(Mix.Integer) + " integer, " + whole(Mix.Double) + " double, " +
         whole(Mix.Special) + " special), " + whole(Work.SharedRequests) +
         " shared requests in " + whole(Work.SharedWavefronts) +
         " wavefronts, " + whole(Work.GlobalRequests) + " global requests of " +
         whole(Work.RequestedSectors) + " sectors in " +
         whole(Work.GlobalLines) + " lines, " + whole(Work.BlockSectors) +
         " different sectors, " + whole(Work.OwnSectors) +
         " of the block alone, " + whole(Work.Barriers) + " barriers" +
         (Work.IsExact ? "" : " (estimated)");
}

std::string text(const KernelTime &Time) {
  std::string Text = whole(Time.Cycles) + " cycles a block";
  for (unsigned I = 0; I != NumResources; ++I)
    Text += (I ? ", " : ": ") + std::string(nameOf(Resource(I))) + " " +
            whole(100 * Time.share(Resource(I))) + "%";
  return Text;
}

static double mathCycles(const InstructionMix &Mix, const Gpu &Speed) {
  return std::max({Mix.Float / Speed.Float, Mix.Integer / Speed.Integer,
                   Mix.Double / Speed.Double, Mix.Special / Speed.Special});
}

KernelTime predictTime(const KernelWork &Work, const Occupancy &Resident,
                       const Gpu &Speed) {
  KernelTime Time;
  auto busy = [&](Resource R) -> double & { return Time.Busy[unsigned(R)]; };
  busy(Resource::Issue) = Work.Instructions.Issued / Schedulers;
  busy(Resource::Shared) = Work.SharedWavefronts + Work.GlobalLines;
  busy(Resource::Math) = mathCycles(Work.Instructions, Speed);
  busy(Resource::Memory) =
      SectorBytes * std::max(Work.OwnSectors / Speed.MemoryBytes,
                             Work.BlockSectors / Speed.CacheBytes);
  double Sum = 0;
  for (const double Cycles : Time.Busy)
    Sum += std::pow(Cycles, Exponent);
  const double Throughput = std::pow(Sum, 1 / Exponent);
  const double Warps = std::max(1u, Resident.warps());
  const double Waiting = LatencyWeight * Schedulers / Warps;
  Time.Cycles = Throughput * (1 + Waiting);
  busy(Resource::Latency) = Throughput * Waiting;
  return Time;
}

} // namespace cudaopt
