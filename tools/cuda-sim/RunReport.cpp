// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Sums up launches, and writes findings and costs as text and JSON.
//===----------------------------------------------------------------------===//

#include "RunReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdio>

using namespace cudaopt;
using namespace cudaopt::cudasim;
using namespace llvm;

static std::string extentText(const std::array<uint32_t, 3> &Extent) {
  return formatv("({0},{1},{2})", Extent[0], Extent[1], Extent[2]);
}

/// Adds the costs of a launch to the totals of its kernel.
void RunReport::addLaunch(const simt::Program &P, const simt::Launch &L,
                          const simt::Observations &Seen) {
  ++Launches;
  WarpInstructions += Seen.WarpInstructions;
  KernelTotals &Kernel = Kernels[&P];
  if (Kernel.Launches++ == 0)
    Order.push_back(&P);
  Kernel.Seen.WarpInstructions += Seen.WarpInstructions;
  Kernel.Seen.Barriers += Seen.Barriers;
  for (const auto &[Key, Cost] : Seen.Shared)
    Kernel.Seen.Shared[Key] += Cost;
  for (const auto &[Key, Cost] : Seen.Global)
    Kernel.Seen.Global[Key] += Cost;
  for (const simt::Finding &F : Seen.Findings)
    addFinding(P, L, F);
}

/// Counts a finding, and prints it the first time. Findings are equal if kind
/// and source positions are, whichever instance of a template or launch shows
/// them.
void RunReport::addFinding(const simt::Program &P, const simt::Launch &L,
                           const simt::Finding &F) {
  FindingKey Key(F.Kind, P.textOf(F.Where), P.textOf(F.Other));
  auto [Found, IsNew] = Index.try_emplace(std::move(Key), Findings.size());
  if (!IsNew) {
    Findings[Found->second].What.Count += F.Count;
    return;
  }
  Findings.push_back({F, &P, Launches});
  // The program's own output is printed first, since it tells how far the
  // program was.
  std::fflush(stdout);
  OS << simt::format(F, P) << '\n'
     << formatv("  in {0}, launch {1}, grid {2}, block {3}\n", demangle(P.Name),
                Launches, extentText(L.Grid), extentText(L.Block));
}

void RunReport::addApiError(const std::string &Text) {
  if (ApiErrors[Text]++)
    return;
  std::fflush(stdout);
  OS << "cuda-sim: error: " << Text << " [api-error]\n";
}

bool RunReport::hasErrors() const {
  return !ApiErrors.empty() || any_of(Findings, [](const SeenFinding &F) {
    return simt::isError(F.What.Kind);
  });
}

/// Returns "1.2 M" for 1,234,567.
static std::string textOfLarge(uint64_t Count) {
  if (Count < 10'000)
    return std::to_string(Count);
  double Value = Count / 1e3;
  for (StringRef Unit : {"k", "M", "G"}) {
    if (Value < 1e3 || Unit == "G")
      return formatv("{0:f1} {1}", Value, Unit);
    Value /= 1e3;
  }
  llvm_unreachable("the last unit returns");
}

static std::string countOf(uint64_t Count, StringRef One, StringRef Many) {
  return (textOfLarge(Count) + " " + (Count == 1 ? One : Many)).str();
}

std::string RunReport::summary() const {
  return countOf(Launches, "launch", "launches") + ", " +
         countOf(WarpInstructions, "warp instruction", "warp instructions") +
         ", " +
         countOf(Findings.size() + ApiErrors.size(), "finding", "findings");
}

std::vector<std::string> RunReport::caveats(const SimOptions &Opts) const {
  std::vector<std::string> Result;
  if (HasAskedForTime)
    Result.push_back("times between events: simulated, no time");
  if (Launches == 0)
    return Result;
  std::string Missing;
  if (!Opts.CheckRaces)
    Missing += "races on shared memory (--no-races), ";
  if (!Opts.CheckGlobalRaces)
    Missing += "races on global memory (--global-races looks for them), ";
  Result.push_back("not looked for: " + Missing +
                   "reads of global memory that nobody wrote");
  return Result;
}

void RunReport::printCosts(simt::AccessCosts simt::Observations::*Costs,
                           const simt::CostNames &Names) const {
  for (const simt::Program *P : Order) {
    const KernelTotals &Kernel = Kernels.at(P);
    if ((Kernel.Seen.*Costs).empty())
      continue;
    OS << demangle(P->Name) << ", "
       << countOf(Kernel.Launches, "launch", "launches") << ", " << Names.Memory
       << ":\n";
    simt::printCosts(Kernel.Seen.*Costs, Names, *P, OS);
  }
}

/// Returns the position, or an empty object if it is unknown.
static json::Object placeToJson(const simt::Program &P, SourceRef Where) {
  json::Object Place;
  if (Where.Line == 0)
    return Place;
  Place["file"] = P.Files[Where.File];
  Place["line"] = Where.Line;
  Place["column"] = Where.Column;
  return Place;
}

/// Returns the costs by place.
static json::Array costsToJson(const simt::AccessCosts &Costs,
                               const simt::CostNames &Names,
                               const simt::Program &P) {
  json::Array Result;
  for (const auto &[Key, Cost] : Costs) {
    auto [Where, Op, Width] = Key;
    json::Object Access = placeToJson(P, Where);
    Access["operation"] = simt::nameOf(Op);
    Access["width"] = Width;
    Access["requests"] = Cost.Requests;
    Access[Names.Units] = Cost.Units;
    Access["bound"] = Cost.Bound;
    Result.push_back(std::move(Access));
  }
  return Result;
}

json::Array RunReport::kernelsToJson() const {
  json::Array Result;
  for (const simt::Program *P : Order) {
    const KernelTotals &Kernel = Kernels.at(P);
    const simt::AccessCost Total = simt::totalOf(Kernel.Seen.Shared);
    const simt::AccessCost Global = simt::totalOf(Kernel.Seen.Global);
    Result.push_back(json::Object{
        {"name", demangle(P->Name)},
        {"launches", Kernel.Launches},
        {"warpInstructions", Kernel.Seen.WarpInstructions},
        {"barriers", Kernel.Seen.Barriers},
        {"requests", Total.Requests},
        {"wavefronts", Total.Units},
        {"bound", Total.Bound},
        {"accesses", costsToJson(Kernel.Seen.Shared, simt::SharedCosts, *P)},
        {"sectors", Global.Units},
        {"leastSectors", Global.Bound},
        {"globalAccesses",
         costsToJson(Kernel.Seen.Global, simt::GlobalCosts, *P)}});
  }
  return Result;
}

json::Array RunReport::findingsToJson() const {
  json::Array Result;
  for (const SeenFinding &Seen : Findings) {
    const simt::Finding &F = Seen.What;
    json::Object Entry = placeToJson(*Seen.Kernel, F.Where);
    Entry["id"] = simt::idOf(F.Kind);
    Entry["severity"] = simt::isError(F.Kind) ? "error" : "warning";
    Entry["text"] = simt::format(F, *Seen.Kernel);
    Entry["kernel"] = demangle(Seen.Kernel->Name);
    Entry["launch"] = Seen.Launch;
    Entry["block"] = json::Array{F.Block[0], F.Block[1], F.Block[2]};
    if (F.Thread != simt::NoThread)
      Entry["thread"] = F.Thread;
    if (F.OtherThread != simt::NoThread)
      Entry["otherThread"] = F.OtherThread;
    if (F.OtherBlock)
      Entry["otherBlock"] = json::Array{(*F.OtherBlock)[0], (*F.OtherBlock)[1],
                                        (*F.OtherBlock)[2]};
    if (F.Other.Line)
      Entry["other"] = placeToJson(*Seen.Kernel, F.Other);
    if (!F.Object.empty())
      Entry["object"] = F.Object;
    Entry["count"] = F.Count;
    Result.push_back(std::move(Entry));
  }
  for (const auto &[Text, Count] : ApiErrors)
    Result.push_back(json::Object{{"id", "api-error"},
                                  {"severity", "error"},
                                  {"text", Text},
                                  {"count", Count}});
  return Result;
}

json::Value RunReport::toJson(int ExitCode, const SimOptions &Opts) const {
  return json::Object{{"version", 1},
                      {"exitCode", ExitCode},
                      {"launches", Launches},
                      {"warpInstructions", WarpInstructions},
                      {"optimized", Opts.isOptimized()},
                      {"notes", json::Array(caveats(Opts))},
                      {"findings", findingsToJson()},
                      {"kernels", kernelsToJson()}};
}
