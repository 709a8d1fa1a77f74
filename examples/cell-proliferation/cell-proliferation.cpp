// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Simulates cell proliferation: stained cells divide, each daughter keeps half
/// of the dye, and a histogram of brightness tells how fast which cells divide.
//===----------------------------------------------------------------------===//

#include "Calibration.h"
#include "CommandLine.h"
#include "Comparison.h"
#include "Expected.h"
#include "Plot.h"
#include "Rows.h"
#include "Simulator.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>
#include <thread>

#include <unistd.h>

using namespace cells;

namespace {

/// The input, read and checked.
struct Task {
  Options options;
  Population population;
  Conditions conditions;
};

std::unique_ptr<Simulator> makeSimulator(const Task &task) {
  const Options &options = task.options;
  int there = options.gpuCount == 0 ? 0 : countGpus();
  if (options.gpuCount.value_or(0) > there)
    throw InputError("--gpus: this machine has " + std::to_string(there) +
                     " that can be used");
  if (there > 0)
    return makeGpuSimulator(task.population, task.conditions, options.precision,
                            options.gpuCount.value_or(1));
  unsigned threads = options.threadCount;
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  return makeCpuSimulator(task.population, task.conditions, options.precision,
                          threads);
}

void writeOutput(const std::string &path, const std::string &text) {
  if (path.empty()) {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file)
    refuse(path, "cannot be written");
}

/// Simulates as often as --repeat says, and prints the --report.
std::vector<Counts> simulate(const Task &task,
                             const std::vector<Model> &models) {
  std::unique_ptr<Simulator> simulator = makeSimulator(task);
  std::vector<Counts> counts = simulator->simulate(models);
  std::vector<double> times = {simulator->milliseconds()};
  for (int i = 1; i < task.options.repetitions; ++i) {
    counts = simulator->simulate(models);
    times.push_back(simulator->milliseconds());
  }
  for (const Counts &mine : counts)
    if (std::string what = violation(task.population, mine); !what.empty())
      throw std::runtime_error("the result is wrong: " + what);
  if (!task.options.hasReport)
    return counts;

  std::sort(times.begin(), times.end());
  double time = times[times.size() / 2];
  uint64_t counted = 0, removed = 0, divisions = 0, hash = 0;
  for (const Counts &mine : counts) {
    counted += mine.counted();
    removed += mine.removed();
    divisions += mine.divisions;
    hash = hash * 0x100000001B3u ^ mine.hash();
  }
  double cells = double(task.population.rootCount()) * double(models.size()) +
                 2.0 * double(divisions);
  std::fprintf(stderr,
               "device     %s\nprecision  %s\nsimulated  %zu\nroots      %u\n"
               "counted    %llu\nremoved    %llu\ndivisions  %llu\n"
               "hash       %016llx\ntime_ms    %.4f (%.4f to %.4f, %zu runs)\n"
               "cells_s    %.4g\nmemory_mb  %.2f\n",
               simulator->name().c_str(),
               task.options.precision == Precision::FLOAT ? "float" : "double",
               models.size(), task.population.rootCount(),
               (unsigned long long)counted, (unsigned long long)removed,
               (unsigned long long)divisions, (unsigned long long)hash, time,
               times.front(), times.back(), times.size(), cells / time * 1e3,
               double(simulator->deviceBytes()) / 1e6);
  return counts;
}

void plot(const Task &task, const Model &model, const Spectrum *simulated) {
  const Options &options = task.options;
  if (options.plot.empty())
    return;
  Shape shape = shapeOf(task.population, int(model.types.size()));
  Spectrum expected = spectrumOf(
      outputRows(task.population, shape,
                 expectedCounts(task.population, model, task.conditions)));
  std::vector<Curve> curves;
  char title[128];
  int length =
      std::snprintf(title, sizeof(title), "%g h, least fluorescence %g",
                    task.conditions.duration, task.population.threshold);
  if (!options.data.empty()) {
    Spectrum data = spectrumOf(readHistogram(options.data));
    std::snprintf(title + length, sizeof(title) - size_t(length),
                  ": overlap %.3f, Hellinger distance %.3f",
                  overlap(simulated ? *simulated : expected, data),
                  hellingerDistance(simulated ? *simulated : expected, data));
    curves.push_back({"measured", 0x999999, Look::AREA, data});
  }
  if (simulated)
    curves.push_back({"simulated", 0x1f77b4, Look::AREA, *simulated});
  curves.push_back({"expected", 0xd62728, Look::DASHES, expected});
  if (!options.plot.ends_with(".png"))
    writeOutput(options.plot, drawCurves(title, curves));
  else if (!writePicture(options.plot, curves))
    refuse(options.plot, "cannot be written");
}

void runSimulation(const Task &task) {
  Model model{readTypes(task.options.types), task.options.seed};
  Counts counts = std::move(simulate(task, {model}).front());
  std::vector<OutputRow> rows =
      outputRows(task.population, counts.shape, counts.cells);
  std::ostringstream out;
  print(out, rows, task.options.hasTypes);
  writeOutput(task.options.output, out.str());
  Spectrum simulated = spectrumOf(rows);
  plot(task, model, &simulated);
}

void runExpected(const Task &task) {
  Model model{readTypes(task.options.types), task.options.seed};
  std::vector<double> counts =
      expectedCounts(task.population, model, task.conditions);
  std::ostringstream out;
  print(out,
        outputRows(task.population,
                   shapeOf(task.population, int(model.types.size())), counts),
        task.options.hasTypes);
  writeOutput(task.options.output, out.str());
  plot(task, model, nullptr);
}

void runBatch(const Task &task) {
  std::vector<Model> models = readModels(task.options.batch);
  std::vector<Counts> counts = simulate(task, models);
  std::ostringstream out;
  if (task.options.data.empty()) {
    for (size_t i = 0; i < counts.size(); ++i)
      print(out, outputRows(task.population, counts[i].shape, counts[i].cells),
            task.options.hasTypes, std::to_string(i + 1) + '\t');
  } else {
    Spectrum data = spectrumOf(readHistogram(task.options.data));
    SpectrumMaker makeSpectrum(task.population, counts.front().shape);
    out << "row\tcounted\thellinger\toverlap\n";
    for (size_t i = 0; i < counts.size(); ++i) {
      Spectrum mine = makeSpectrum(counts[i]);
      out << i + 1 << '\t' << counts[i].counted() << '\t'
          << hellingerDistance(mine, data) << '\t' << overlap(mine, data)
          << '\n';
    }
  }
  writeOutput(task.options.output, out.str());
}

void runCalibration(const Task &task) {
  const Options &options = task.options;
  Spectrum target = spectrumOf(readHistogram(options.data));
  std::unique_ptr<Simulator> simulator = makeSimulator(task);
  bool hasBar = isatty(STDERR_FILENO);
  auto showProgress = [&](int done, double distance) {
    constexpr int WIDTH = 40;
    int filled = done * WIDTH / options.iterations;
    if (hasBar)
      std::fprintf(stderr, "\r[%s%s] %d/%d  distance %.4f%s",
                   std::string(filled, '#').c_str(),
                   std::string(WIDTH - filled, '.').c_str(), done,
                   options.iterations, distance,
                   done == options.iterations ? "\n" : "");
  };
  Calibration found = calibrate(*simulator, task.population, target,
                                {options.particles, options.iterations},
                                options.seed, showProgress);
  print(std::cout, found);
  std::cout << options.particles * options.iterations << " simulations, "
            << found.milliseconds << " ms on " << simulator->name() << "\n";
  std::ostringstream types;
  types.precision(17);
  for (const CellType &type : found.types)
    types << type.proportion << ' ' << type.mean << ' ' << type.deviation
          << '\n';
  if (!options.output.empty())
    writeOutput(options.output, types.str());
  if (options.plot.empty())
    return;
  Model model{found.types, options.seed};
  Counts counts = std::move(simulator->simulate({model}).front());
  Spectrum simulated =
      spectrumOf(outputRows(task.population, counts.shape, counts.cells));
  plot(task, model, &simulated);
}

/// Returns the exit code.
int runValidation(const Task &task) {
  std::vector<Model> models;
  for (int i = 0; i < task.options.seedCount; ++i)
    models.push_back(
        {readTypes(task.options.types), task.options.seed + uint64_t(i)});
  std::vector<Counts> counts = simulate(task, models);
  std::vector<double> expected =
      expectedCounts(task.population, models.front(), task.conditions);
  double worst = printGenerations(std::cout, counts, expected);
  std::cout << "worst |z| " << worst << (worst < 4 ? " ok" : " WRONG") << '\n';
  return worst < 4 ? 0 : 1;
}

int run(int argc, char **argv) {
  Task task;
  task.options = parseCommandLine(argc, argv);
  if (task.options.mode == Mode::HELP) {
    std::cout << helpText();
    return 0;
  }
  Histogram histogram = readHistogram(task.options.histogram);
  double threshold = task.options.threshold ? *task.options.threshold
                                            : leastFluorescence(histogram);
  task.population = populate(histogram, threshold);
  task.conditions = {*task.options.duration, task.options.start};
  switch (task.options.mode) {
  case Mode::EXPECT:
    runExpected(task);
    return 0;
  case Mode::BATCH:
    runBatch(task);
    return 0;
  case Mode::CALIBRATE:
    runCalibration(task);
    return 0;
  case Mode::VALIDATE:
    return runValidation(task);
  case Mode::VARIANTS:
    return compareVariants(std::cout, task.population,
                           {readTypes(task.options.types), task.options.seed},
                           task.conditions, task.options.variant,
                           task.options.depth);
  default:
    runSimulation(task);
    return 0;
  }
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const InputError &error) {
    std::cerr << "cell-proliferation: " << error.what() << '\n';
    return 2;
  } catch (const std::exception &error) {
    std::cerr << "cell-proliferation: " << error.what() << '\n';
    return 1;
  }
}
