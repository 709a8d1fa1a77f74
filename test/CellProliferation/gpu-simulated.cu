// REQUIRES: cuda
// RUN: %cuda-sim %s -- -I%S/../../examples/cell-proliferation -std=c++20 \
// RUN:   -fmad=false -DCELLS_WITHOUT_FMA 2>&1 | FileCheck %s
//
// The kernels count the cells that the CPU counts, in both precisions, with
// short paths and long ones, and so does the host-loop variant. The simulator
// sees no race.
//
// CHECK-COUNT-4: same cells
// CHECK-NOT: {{differ|violation}}
// CHECK: the variant has the same cells
// CHECK: 0 findings

#include "Counts.cpp"
#include "Cpu.cpp"
#include "Expected.cpp"
#include "Gpu.cu"
#include "Jobs.cpp"
#include "Model.cpp"
#include "Population.cpp"
#include "Rows.cpp"
#include "variants/HostLoop.cu"

#include <cstdio>

static Histogram makeHistogram() {
  Histogram histogram;
  for (int i = 0; i < 9; ++i)
    histogram.push_back({24.0 * (i + 1) * (i + 1), uint64_t(2 + i % 4 * 4)});
  return histogram;
}

static void compare(double threshold, Precision precision) {
  Population population = populate(makeHistogram(), threshold);
  Conditions conditions{200};
  std::vector<Model> models = {
      {{{0.1, -1, -1}, {0.5, 63.7, 28.9}, {0.4, 41.1, 14.3}}, 7},
      {{{0.5, 63.7, 28.9}, {0.5, 41.1, 14.3}}, 8}};
  auto cpu = makeCpuSimulator(population, conditions, precision, 1);
  auto gpu = makeGpuSimulator(population, conditions, precision, 1);
  std::vector<Counts> expected = cpu->simulate(models);
  std::vector<Counts> counts = gpu->simulate(models);
  bool isSame = true;
  for (size_t i = 0; i < models.size(); ++i) {
    isSame &= counts[i].hash() == expected[i].hash();
    if (!violation(population, counts[i]).empty())
      std::printf("violation\n");
  }
  std::printf("%s\n", isSame ? "same cells" : "cells differ");
}

static void compareVariant() {
  Population population = populate(makeHistogram(), 11);
  Conditions conditions{200};
  Model model{{{0.5, 63.7, 28.9}, {0.5, 41.1, 14.3}}, 7};
  auto cpu = makeCpuSimulator(population, conditions, Precision::DOUBLE, 1);
  Counts expected = cpu->simulate({model}).front();
  VariantRun run = runHostLoop(population, model, conditions);
  std::vector<OutputRow> rows =
      outputRows(population, expected.shape, expected.cells);
  bool isSame =
      run.removed == expected.removed() && rows.size() == run.rows.size();
  for (size_t i = 0; i < rows.size() && isSame; ++i)
    isSame = rows[i].fluorescence == run.rows[i].fluorescence &&
             rows[i].countOfType == run.rows[i].countOfType;
  std::printf("the variant has %s\n", isSame ? "the same cells" : "others");
}

int main() {
  for (Precision precision : {Precision::DOUBLE, Precision::FLOAT})
    for (double threshold : {11.0, 1e-9}) // The latter needs 64-bit paths.
      compare(threshold, precision);
  compareVariant();
}
