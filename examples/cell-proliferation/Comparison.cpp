// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares simulations, see Comparison.h.
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "Rows.h"
#include "Simulator.h"
#include "variants/Variants.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ostream>

using namespace cells;

double Deviation::z() const {
  // The renewal form is exact up to its time steps, about 1e-6.
  double error = std::hypot(this->error, 1e-5 * expected);
  // Too rare for a mean to be normal.
  if (expected < 5 && mean < 50)
    return 0;
  return error > 0 ? (mean - expected) / error : mean == expected ? 0 : 1e9;
}

/// The deviation of the numbers that \p numberOf gives for each simulation.
template <typename Function>
static Deviation deviationOf(const std::vector<Counts> &simulated,
                             double expected, Function numberOf) {
  double sum = 0, squares = 0, count = double(simulated.size());
  for (const Counts &counts : simulated)
    sum += double(numberOf(counts));
  double mean = sum / count;
  for (const Counts &counts : simulated)
    squares +=
        (double(numberOf(counts)) - mean) * (double(numberOf(counts)) - mean);
  return {mean, std::sqrt(squares / (count - 1) / count), expected};
}

std::vector<Deviation>
cells::compareGenerations(const std::vector<Counts> &simulated,
                          const std::vector<double> &expected) {
  const Shape &shape = simulated.front().shape;
  std::vector<Deviation> result;
  double all = 0;
  for (int column = 0; column < shape.columnCount; ++column) {
    double sum = 0;
    for (size_t i = column; i < expected.size(); i += shape.columnCount)
      sum += expected[i];
    if (column != shape.removedColumn())
      all += sum;
    result.push_back(deviationOf(simulated, sum, [=](const Counts &counts) {
      return counts.inGeneration(column);
    }));
  }
  result.push_back(deviationOf(
      simulated, all, [](const Counts &counts) { return counts.counted(); }));
  return result;
}

double cells::printGenerations(std::ostream &out,
                               const std::vector<Counts> &simulated,
                               const std::vector<double> &expected) {
  char line[128];
  std::snprintf(line, sizeof(line), "%-10s %14s %12s %14s %7s\n", "generation",
                "mean", "error", "expected", "z");
  out << line;
  std::vector<Deviation> rows = compareGenerations(simulated, expected);
  double worst = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    std::string name = i + 1 == rows.size()   ? "all"
                       : i + 2 == rows.size() ? "vanished"
                                              : std::to_string(i);
    std::snprintf(line, sizeof(line), "%-10s %14.1f %12.2f %14.1f %7.2f\n",
                  name.c_str(), rows[i].mean, rows[i].error, rows[i].expected,
                  rows[i].z());
    out << line;
    worst = std::max(worst, std::fabs(rows[i].z()));
  }
  return worst;
}

namespace {

struct NamedVariant {
  const char *name;
  Variant variant;
  size_t launchSlots;
  int depth = 0; ///< The depth unless the user chooses; 0: that of the thesis.
};

constexpr int DEEPEST = 23;

/// All variants. The numbers of launch slots are CUDA's default, and more than
/// there are ever launches pending.
constexpr NamedVariant VARIANTS[] = {
    {"host-loop", Variant::HOST_LOOP, 2048},
    {"host-loop-opt", Variant::REWRITTEN_LOOP, 2048},
    {"dynamic", Variant::DYNAMIC, 2048},
    {"dynamic-slots", Variant::DYNAMIC, 131072},
    {"bounding", Variant::BOUNDING, 131072},
    {"depth-inference", Variant::DEPTH_INFERENCE, 131072},
    {"gpu-histogram", Variant::GPU_HISTOGRAM, 131072},
    {"all-levels", Variant::GPU_HISTOGRAM, 131072, DEEPEST},
};

std::string namesOfVariants() {
  std::string names = "all";
  for (const NamedVariant &variant : VARIANTS)
    names += std::string(", ") + variant.name;
  return names;
}

/// Returns how many cells are missing or in excess.
double wrongCells(const VariantRun &run, const VariantRun &truth) {
  double wrong = std::fabs(double(run.removed) - double(truth.removed));
  auto mine = run.rows.begin();
  auto add = [&](const OutputRow &row, const OutputRow *other) {
    for (size_t i = 0; i < row.countOfType.size(); ++i)
      wrong +=
          std::fabs(row.countOfType[i] - (other ? other->countOfType[i] : 0));
  };
  for (const OutputRow &row : truth.rows) {
    for (; mine != run.rows.end() && mine->fluorescence < row.fluorescence;
         ++mine)
      add(*mine, nullptr);
    bool hasBoth =
        mine != run.rows.end() && mine->fluorescence == row.fluorescence;
    add(row, hasBoth ? &*mine++ : nullptr);
  }
  for (; mine != run.rows.end(); ++mine)
    add(*mine, nullptr);
  return wrong;
}

double cellsOf(const VariantRun &run) {
  double sum = double(run.removed);
  for (const OutputRow &row : run.rows)
    sum += row.count;
  return sum;
}

void printVariant(std::ostream &out, const char *name, const VariantRun &run,
                  const VariantRun &truth) {
  double wrong = wrongCells(run, truth);
  char line[160];
  std::snprintf(
      line, sizeof(line), "%-16s %10.3f %10.3f %9.1f %6d %9llu %8llu %s", name,
      run.milliseconds, run.kernelMilliseconds, double(run.deviceBytes) / 1e6,
      run.depth, (unsigned long long)run.launches,
      (unsigned long long)run.refused, wrong > 0 ? "WRONG: " : "exact");
  out << line;
  out.precision(10);
  if (wrong > 0)
    out << cellsOf(run) << " instead of " << cellsOf(truth) << " cells";
  out << std::endl;
}

/// Runs the simulator as if it were a variant.
VariantRun simulateAsVariant(const Population &population, const Model &model,
                             const Conditions &conditions) {
  auto simulator =
      makeGpuSimulator(population, conditions, Precision::DOUBLE, 1);
  simulator->simulate({model}); // Warms up.
  auto start = std::chrono::steady_clock::now();
  Counts counts = std::move(simulator->simulate({model}).front());
  auto time = std::chrono::steady_clock::now() - start;
  VariantRun run;
  run.rows = outputRows(population, counts.shape, counts.cells);
  run.removed = counts.removed();
  run.milliseconds = std::chrono::duration<double, std::milli>(time).count();
  run.kernelMilliseconds = simulator->milliseconds();
  run.deviceBytes = simulator->deviceBytes();
  return run;
}

} // namespace

int cells::compareVariants(std::ostream &out, const Population &population,
                           const Model &model, const Conditions &conditions,
                           const std::string &name, int depth) {
  bool isKnown = name == "all";
  for (const NamedVariant &variant : VARIANTS)
    isKnown |= name == variant.name;
  if (!isKnown)
    throw InputError("--variant: '" + name + "' is none of " +
                     namesOfVariants());
  if (countGpus() == 0)
    throw InputError("--variant: this machine has no GPU that can be used");

  VariantRun ours = simulateAsVariant(population, model, conditions);
  char line[160];
  std::snprintf(line, sizeof(line), "%-16s %10s %10s %9s %6s %9s %8s %s\n",
                "variant", "time_ms", "kernels_ms", "memory_mb", "depth",
                "launches", "refused", "cells");
  out << line;
  for (const NamedVariant &variant : VARIANTS) {
    if ((name != "all" && name != variant.name) || !hasVariant(variant.variant))
      continue;
    VariantSettings settings{variant.variant, depth ? depth : variant.depth,
                             variant.launchSlots};
    VariantRun run = runVariant(population, model, conditions, settings);
    constexpr double LONG = 3000; // Milliseconds, of which few are warming up.
    if (run.milliseconds < LONG)
      run = runVariant(population, model, conditions, settings);
    printVariant(out, variant.name, run, ours);
  }
  printVariant(out, "this program", ours, ours);
  return 0;
}
