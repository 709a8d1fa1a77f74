// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Formats times and energies.
//===----------------------------------------------------------------------===//

#include "TuneReport.h"

#include "cudaopt/Report/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cudaopt;
using namespace llvm;

/// Returns the time; "-" for 0, which means not measured.
static std::string showTime(double Seconds) {
  return Seconds > 0 ? showSeconds(Seconds) : "-";
}

/// Returns what part of \p Old the median \p New is.
static std::string showRatio(const Sample &New, const Sample &Old) {
  if (New.Median <= 0 || Old.Median <= 0)
    return "-";
  return formatv("{0:F3}", New.Median / Old.Median);
}

static std::string showSpread(const Sample &Of) {
  return Of.Median > 0 ? formatv("{0:F1} %", 100 * Of.Spread).str() : "-";
}

static void printRow(ArrayRef<std::string> Cells, raw_ostream &OS) {
  std::string Line = formatv("  {0,-16}", Cells.front());
  for (const std::string &Cell : Cells.drop_front())
    Line += formatv("{0,12}", Cell);
  OS << StringRef(Line).rtrim() << '\n';
}

static void printHead(const Twine &What, StringRef Last, raw_ostream &OS) {
  OS << What << '\n';
  printRow({"", "median", "of default", "spread", Last.str()}, OS);
}

void cudaopt::printVariants(ArrayRef<ProgramVariant> Variants,
                            ArrayRef<KernelChoice> Choices, raw_ostream &OS) {
  const ProgramVariant &First = Variants.front();
  const bool HasEnergy = energiesOf(First).Median > 0;
  printHead("all kernels of a run:", HasEnergy ? "energy" : "", OS);
  for (const ProgramVariant &Each : Variants) {
    const Sample Time = timesOf(Each);
    std::string Energy;
    if (HasEnergy)
      Energy = energiesOf(Each).Median > 0
                   ? formatv("{0:F1} J", energiesOf(Each).Median).str()
                   : "-";
    printRow({Each.Name, showTime(Time.Median), showRatio(Time, timesOf(First)),
              showSpread(Time), Energy},
             OS);
  }
  for (const KernelChoice &Choice : Choices) {
    printHead("a launch of " + Choice.Kernel + ":", "", OS);
    const Sample OfFirst = timesOf(Variants, First, Choice.Kernel);
    for (auto [Number, Each] : enumerate(Variants)) {
      const StringRef Decision = Each.decisionOn(Choice.Kernel);
      // Variants that decide alike are measured together.
      if (any_of(Variants.take_front(Number), [&](const ProgramVariant &Other) {
            return Other.decisionOn(Choice.Kernel) == Decision;
          }))
        continue;
      const Sample Time = timesOf(Variants, Each, Choice.Kernel);
      printRow({Each.Name, showTime(Time.Median), showRatio(Time, OfFirst),
                showSpread(Time), Number == Choice.Best ? "best" : ""},
               OS);
    }
  }
}

static json::Value toJSON(const ProgramRun &Run) {
  json::Object Kernels;
  for (const auto &[Name, Kernel] : Run.Kernels)
    Kernels[Name] = json::Object{{"seconds", Kernel.Seconds},
                                 {"launches", Kernel.Launches}};
  return json::Object{
      {"kernels", std::move(Kernels)},
      {"clock_mhz",
       Run.ClockMHz ? json::Value(*Run.ClockMHz) : json::Value(nullptr)},
      {"joules", Run.Joules ? json::Value(*Run.Joules) : json::Value(nullptr)}};
}

json::Value cudaopt::toJSON(ArrayRef<ProgramVariant> Variants,
                            ArrayRef<PinnedKernel> Pins) {
  json::Array List, Pinned;
  std::string Gpu;
  for (const ProgramVariant &Each : Variants) {
    json::Array Runs;
    for (const ProgramRun &Run : Each.Runs) {
      Runs.push_back(::toJSON(Run));
      Gpu = Run.Gpu;
    }
    List.push_back(json::Object{{"name", Each.Name},
                                {"layout", Each.LayoutFlag},
                                {"reuse", Each.ReuseFlag},
                                {"runs", std::move(Runs)}});
  }
  for (const PinnedKernel &Each : Pins)
    Pinned.push_back(json::Object{{"kernel", Each.Kernel},
                                  {"layout", Each.Layout},
                                  {"reuse", Each.Reuse},
                                  {"measured", Each.Comment}});
  return json::Object{
      {"schema", 1},
      {"gpu", Gpu.empty() ? json::Value(nullptr) : json::Value(Gpu)},
      {"variants", std::move(List)},
      {"pins", std::move(Pinned)}};
}
