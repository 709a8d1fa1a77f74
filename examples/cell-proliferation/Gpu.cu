// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Simulates on GPUs: memory, launches and copies around WarpWalk.cuh.
//===----------------------------------------------------------------------===//

#include "Cuda.cuh"
#include "Expected.h"
#include "Simulator.h"
#include "WarpWalk.cuh"

#include <algorithm>
#include <thread>

using namespace cells;

namespace {

/// Tables of results are made and copied in pieces of this size.
constexpr size_t SLAB_BYTES = size_t(12) << 20;
/// The counters of a warp, unless one bin needs more.
constexpr int COUNTER_BYTES = 2048;

template <typename Real> using Kernel = void (*)(Launch<Real>);

/// One GPU, and its part of the roots.
template <typename Real> class Device {
public:
  Device(int number, const Population &population, Shape shape)
      : number(number), shape(shape) {
    use();
    cudaDeviceProp properties;
    CUDA(cudaGetDeviceProperties(&properties, number));
    name = properties.name;
    processors = properties.multiProcessorCount;
    chooseSizes(population, properties.sharedMemPerBlockOptin);
    firstRoot.assign(population.firstRoot);
    limit.assign(population.limit);
    next.resize(1);
  }

  void use() const { CUDA(cudaSetDevice(number)); }
  uint32_t warpCount() const { return blockCount * (BLOCK / WARP); }
  void setJobs(const std::vector<Job> &list) { jobs.assign(list); }
  size_t itemsOfSlab() const {
    size_t bytes = (shape.size() + 1) * sizeof(uint64_t);
    return std::max<size_t>(1, SLAB_BYTES / bytes);
  }

  /// Simulates the items, and adds what this GPU's roots make to \p counts.
  void run(const std::vector<Rules<Real>> &rules, std::vector<Counts> &counts);

  std::string name;
  uint32_t binsOfJob = 1;
  double milliseconds = 0; ///< The kernels' time of the latest run.

  size_t bytes() const {
    size_t sum = firstRoot.bytes() + limit.bytes() + jobs.bytes() +
                 items.bytes() + next.bytes();
    for (const DeviceArray<unsigned long long> &table : tables)
      sum += table.bytes();
    return sum;
  }

private:
  void chooseSizes(const Population &population, size_t mostShared);
  void start(size_t first, size_t count, int slab);
  void collect(size_t first, size_t count, int slab,
               std::vector<Counts> &counts);

  int number;
  Shape shape;
  int processors = 0;
  uint32_t blockCount = 0;
  int stackSize = 0;
  int counterCount = 0;
  size_t sharedBytes = 0;
  Kernel<Real> kernel = nullptr;

  DeviceArray<uint32_t> firstRoot;
  DeviceArray<int> limit;
  DeviceArray<Job> jobs;
  DeviceArray<Rules<Real>> items;
  DeviceArray<unsigned long long> next;
  /// Two tables of results: one is copied while the other is made. The numbers
  /// of divisions follow the cells.
  DeviceArray<unsigned long long> tables[2];
  PinnedArray<unsigned long long> copies[2];
  Stream computing, copying;
  Event started[2], computed[2], copied[2];
};

template <typename Real>
void Device<Real>::chooseSizes(const Population &population,
                               size_t mostShared) {
  int generations = population.mostGenerations;
  stackSize = WARP * std::max(generations, 2);
  int rowSize = int(shape.rowSize());
  binsOfJob = std::clamp(COUNTER_BYTES / 4 / rowSize, 1, MOST_BINS_OF_JOB);
  counterCount = int(binsOfJob) * rowSize;

  // Most trees are shallow enough for paths of 32 bits.
  bool isDeep = generations > 30;
  kernel = isDeep ? followRoots<Real, uint64_t> : followRoots<Real, uint32_t>;
  int slice = isDeep ? Slice<Real, uint64_t>(stackSize, counterCount).size
                     : Slice<Real, uint32_t>(stackSize, counterCount).size;
  sharedBytes = size_t(slice) * (BLOCK / WARP);
  if (sharedBytes > mostShared)
    throw std::runtime_error("the trees are too deep for the shared memory");
  CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            int(sharedBytes)));
  int blocksOfProcessor = 0;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksOfProcessor, kernel,
                                                     BLOCK, sharedBytes));
  blockCount = uint32_t(processors * std::max(blocksOfProcessor, 1));
}

template <typename Real>
void Device<Real>::start(size_t first, size_t count, int slab) {
  size_t size = (shape.size() + 1) * count;
  unsigned long long *table = tables[slab].get();
  CUDA(cudaStreamWaitEvent(computing, copied[slab]));
  CUDA(cudaEventRecord(started[slab], computing));
  CUDA(cudaMemsetAsync(table, 0, size * sizeof(*table), computing));
  CUDA(cudaMemsetAsync(next.get(), 0, next.bytes(), computing));
  Launch<Real> launch{jobs.get(),      items.get() + first,
                      firstRoot.get(), limit.get(),
                      table,           table + shape.size() * count,
                      next.get(),      uint32_t(jobs.size()),
                      uint32_t(count), shape.binCount,
                      shape.typeCount, shape.columnCount,
                      stackSize,       counterCount};
  uint64_t warps = uint64_t(launch.jobCount) * count;
  uint64_t blocks = (warps + BLOCK / WARP - 1) / (BLOCK / WARP);
  kernel<<<uint32_t(std::min<uint64_t>(blocks, blockCount)), BLOCK, sharedBytes,
           computing>>>(launch);
  CUDA(cudaGetLastError());
  CUDA(cudaEventRecord(computed[slab], computing));
  CUDA(cudaStreamWaitEvent(copying, computed[slab]));
  CUDA(cudaMemcpyAsync(copies[slab].get(), table, size * sizeof(*table),
                       cudaMemcpyDeviceToHost, copying));
  CUDA(cudaEventRecord(copied[slab], copying));
}

template <typename Real>
void Device<Real>::collect(size_t first, size_t count, int slab,
                           std::vector<Counts> &counts) {
  CUDA(cudaEventSynchronize(copied[slab]));
  milliseconds += started[slab].millisecondsTo(computed[slab]);
  const unsigned long long *cells = copies[slab].get();
  const unsigned long long *divisions = cells + shape.size() * count;
  for (size_t i = 0; i < count; ++i) {
    Counts &mine = counts[first + i];
    for (size_t j = 0; j < shape.size(); ++j)
      mine.cells[j] += cells[i * shape.size() + j];
    mine.divisions += divisions[i];
  }
}

template <typename Real>
void Device<Real>::run(const std::vector<Rules<Real>> &rules,
                       std::vector<Counts> &counts) {
  use();
  milliseconds = 0;
  if (jobs.size() == 0)
    return;
  items.assign(rules);
  const size_t step = std::min(itemsOfSlab(), rules.size());
  for (int slab = 0; slab < (rules.size() > step ? 2 : 1); ++slab) {
    tables[slab].resize((shape.size() + 1) * step);
    copies[slab].resize((shape.size() + 1) * step);
  }
  auto countAt = [&](size_t first) {
    return std::min(step, rules.size() - first);
  };
  int slab = 0;
  start(0, countAt(0), slab);
  for (size_t first = 0; first < rules.size(); first += step) {
    if (first + step < rules.size())
      start(first + step, countAt(first + step), 1 - slab);
    collect(first, countAt(first), slab, counts);
    slab = 1 - slab;
  }
}

template <typename Real> class GpuSimulator : public Simulator {
public:
  GpuSimulator(const Population &population, const Conditions &conditions,
               int gpuCount)
      : population(population), conditions(conditions), gpuCount(gpuCount) {}

  std::vector<Counts> simulate(const std::vector<Model> &models) override;
  std::string name() const override {
    if (devices.empty())
      return "GPU";
    return std::to_string(gpuCount) + " x " + devices.front()->name;
  }
  double milliseconds() const override {
    double most = 0;
    for (const auto &device : devices)
      most = std::max(most, device->milliseconds);
    return most;
  }
  size_t deviceBytes() const override {
    size_t most = 0;
    for (const auto &device : devices)
      most = std::max(most, device->bytes());
    return most;
  }

private:
  void cut(const std::vector<Model> &models);

  Population population;
  Conditions conditions;
  int gpuCount;
  std::vector<std::unique_ptr<Device<Real>>> devices;
  int typeCount = 0; ///< The number of types that the devices are made for.
};

/// Gives each GPU its jobs.
template <typename Real>
void GpuSimulator<Real>::cut(const std::vector<Model> &models) {
  // Each warp gets several jobs, so that all end at the same time; but a small
  // job has rounds with idle lanes at its beginning and end.
  constexpr double JOBS_OF_WARP = 16, LEAST_DIVISIONS = 512;
  constexpr int POINTS = 96;
  std::vector<double> divisions =
      expectedDivisions(population, models.front(), conditions, POINTS);
  double all = 0;
  for (uint32_t bin = 0; bin < population.binCount(); ++bin)
    all += population.frequency(bin) * (divisions[population.limit[bin]] + 1);
  double warps = double(devices.front()->warpCount()) * gpuCount;
  double items = double(std::min(models.size(), devices[0]->itemsOfSlab()));
  JobSize size{std::max(all * items / (warps * JOBS_OF_WARP), LEAST_DIVISIONS),
               devices.front()->binsOfJob, MOST_ROOTS_OF_JOB};
  std::vector<Job> jobs = cutIntoJobs(population, divisions, size);
  for (int i = 0; i < gpuCount; ++i) {
    // Neighbours are alike, so each GPU takes every so many-th.
    std::vector<Job> mine;
    for (size_t j = i; j < jobs.size(); j += gpuCount)
      mine.push_back(jobs[j]);
    devices[i]->use();
    devices[i]->setJobs(mine);
  }
}

template <typename Real>
std::vector<Counts>
GpuSimulator<Real>::simulate(const std::vector<Model> &models) {
  Shape shape = shapeOf(population, mostTypes(models));
  if (shape.typeCount != typeCount) {
    devices.clear();
    for (int i = 0; i < gpuCount; ++i) {
      CUDA(cudaSetDevice(i)); // Its streams and events are made there.
      devices.push_back(std::make_unique<Device<Real>>(i, population, shape));
    }
    typeCount = shape.typeCount;
  }
  cut(models);
  std::vector<Rules<Real>> rules;
  for (const Model &model : models)
    rules.push_back(rulesOf<Real>(model, conditions));

  std::vector<std::vector<Counts>> parts(
      gpuCount, std::vector<Counts>(models.size(), Counts(shape)));
  std::vector<std::string> errors(gpuCount);
  auto run = [&](int i) {
    try {
      devices[i]->run(rules, parts[i]);
    } catch (const std::exception &error) {
      errors[i] = error.what();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < gpuCount; ++i)
    threads.emplace_back(run, i);
  run(0);
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &error : errors)
    if (!error.empty())
      throw std::runtime_error(error);
  for (int i = 1; i < gpuCount; ++i)
    for (size_t item = 0; item < models.size(); ++item)
      parts[0][item].add(parts[i][item]);
  return std::move(parts[0]);
}

} // namespace

int cells::countGpus() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::unique_ptr<Simulator> cells::makeGpuSimulator(const Population &population,
                                                   const Conditions &conditions,
                                                   Precision precision,
                                                   int gpuCount) {
  if (precision == Precision::FLOAT)
    return std::make_unique<GpuSimulator<float>>(population, conditions,
                                                 gpuCount);
  return std::make_unique<GpuSimulator<double>>(population, conditions,
                                                gpuCount);
}
