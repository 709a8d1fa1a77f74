// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Section 3.2.3 of the thesis: a kernel launches the kernels of its daughters.
/// Three further steps are switches: bounding, a depth inferred from the model,
/// and a histogram on the GPU.
///
/// In CUDA 13 a device may have a limited number of launches pending, and
/// refuses more. A parent is pending until its children have ended, so whole
/// trees are. A refused launch is a subtree without cells; it is noticed only
/// if the kernel asks for its error.
//===----------------------------------------------------------------------===//

#include "../Cuda.cuh"
#include "Host.cuh"

#include <algorithm>
#include <cmath>

using namespace cells;

constexpr int BLOCK = 1024;
constexpr int MOST_LEVELS = 23;

namespace {

/// The argument of the kernels: the levels of all trees, and where to count.
struct Tree {
  Rules<double> rules;
  double threshold;
  Cell *levels[MOST_LEVELS + 1]; ///< Level g has rootCount * 2^g cells.
  uint64_t rootCount;
  int depth; ///< The level that is not divided any more.
  bool isBounded, isCountedHere;

  const double *brightness; ///< All values that cells can have, ascending.
  uint32_t brightnessCount;
  unsigned long long *histogram; ///< By brightness and type.
  unsigned long long *removed, *launches, *refused, *survivors;
};

} // namespace

/// Counts a cell in the histogram, whose bin is found as in the thesis: by a
/// binary search.
__device__ static void countCell(const Tree &tree, const Cell &cell) {
  uint32_t low = 0, high = tree.brightnessCount - 1;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (tree.brightness[middle] < cell.fluorescence)
      low = middle + 1;
    else
      high = middle;
  }
  atomicAdd(&tree.histogram[low * tree.rules.typeCount + cell.type], 1ull);
}

__global__ void divideLevel(const Tree *theTree, int level,
                            uint64_t firstBlock) {
  const Tree &tree = *theTree;
  uint64_t block = firstBlock + blockIdx.x;
  uint64_t i = block * BLOCK + threadIdx.x;
  bool lives = false;
  if (i < tree.rootCount << level) {
    const Cell cell = tree.levels[level][i];
    if (cell.state == State::ALIVE) {
      Pair pair = proliferate(tree.rules, tree.threshold, cell);
      lives = pair.left.state == State::ALIVE;
      tree.levels[level + 1][2 * i] = pair.left;
      tree.levels[level + 1][2 * i + 1] = pair.right;
      if (tree.isCountedHere && pair.left.state == State::INACTIVE)
        countCell(tree, pair.left);
      if (tree.isCountedHere && pair.left.state == State::VANISHED)
        atomicAdd(tree.removed, 1ull);
    }
  }
  bool anyLives = __syncthreads_or(lives);
  if (threadIdx.x != 0)
    return;
  if (level + 1 == tree.depth) {
    if (anyLives)
      atomicAdd(tree.survivors, 1ull);
    return;
  }
  if (tree.isBounded && !anyLives)
    return;
  divideLevel<<<2, BLOCK, 0, cudaStreamFireAndForget>>>(theTree, level + 1,
                                                        2 * block);
  atomicAdd(tree.launches, 1ull);
  if (cudaGetLastError() != cudaSuccess)
    atomicAdd(tree.refused, 1ull);
}

namespace {

/// The most bytes of all levels: enough for the ten divisions of the published
/// experiments, twice what the GPU of the thesis had.
constexpr size_t MEMORY = size_t(8) << 30;

class DynamicRun {
public:
  DynamicRun(const Population &population, const Model &model,
             const Conditions &conditions, const VariantSettings &settings)
      : rules(rulesOf<double>(model, conditions)), settings(settings),
        tally(rules.typeCount) {
    tree.rules = rules;
    tree.threshold = population.threshold;
    tree.isBounded = settings.variant >= Variant::BOUNDING;
    tree.isCountedHere = settings.variant == Variant::GPU_HISTOGRAM;
    tree.depth = chooseDepth(population, model, conditions);
    capacity = population.rootCount();
    cells.resize(capacity * ((size_t(2) << tree.depth) - 1));
    for (int level = 0; level <= tree.depth; ++level)
      tree.levels[level] = cells.get() + capacity * ((size_t(1) << level) - 1);
    listBrightness(population);
    counters.resize(4 + brightness.size() * rules.typeCount);
    CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount,
                            settings.launchSlots));
  }

  VariantRun run(const Population &population) {
    CUDA(cudaDeviceSynchronize());
    Stopwatch watch;
    CUDA(cudaMemset(counters.get(), 0, counters.bytes()));
    std::vector<Cell> alive = makeRoots(population, rules), survivors;
    while (!alive.empty()) {
      survivors.clear();
      for (size_t first = 0; first < alive.size(); first += capacity) {
        size_t last = std::min(first + capacity, alive.size());
        runTrees({alive.begin() + first, alive.begin() + last}, survivors);
      }
      alive.swap(survivors);
    }
    VariantRun result;
    readCounters(result);
    result.milliseconds = watch.milliseconds();
    result.kernelMilliseconds = kernelMilliseconds;
    result.deviceBytes = cells.bytes() + counters.bytes();
    result.depth = tree.depth;
    tally.finish(result);
    return result;
  }

private:
  int chooseDepth(const Population &population, const Model &model,
                  const Conditions &conditions) const {
    int fitting = 1;
    while (fitting < MOST_LEVELS && population.rootCount() *
                                            ((size_t(4) << fitting) - 1) *
                                            sizeof(Cell) <=
                                        MEMORY)
      ++fitting;
    if (settings.depth > 0)
      return std::min(settings.depth, fitting);
    if (settings.variant < Variant::DEPTH_INFERENCE)
      return fitting;
    // As deep as the mean interval of the most frequent type fits into the
    // duration.
    const CellType *type = nullptr;
    for (const CellType &other : model.types)
      if (!other.isQuiescent() &&
          (!type || other.proportion > type->proportion))
        type = &other;
    int inferred = type ? int(std::ceil(conditions.duration / type->mean)) : 1;
    return std::clamp(inferred, 1, fitting);
  }

  void listBrightness(const Population &population) {
    for (uint32_t bin = 0; bin < population.binCount(); ++bin)
      for (int g = 0; g <= population.limit[bin]; ++g)
        brightnessList.push_back(std::ldexp(population.fluorescence[bin], -g));
    std::sort(brightnessList.begin(), brightnessList.end());
    brightnessList.erase(
        std::unique(brightnessList.begin(), brightnessList.end()),
        brightnessList.end());
    brightness.assign(brightnessList);
  }

  /// Divides the roots down to the last level; cells that live there are
  /// appended to \p survivors, to be the roots of further trees.
  void runTrees(const std::vector<Cell> &roots, std::vector<Cell> &survivors) {
    tree.rootCount = roots.size();
    tree.brightness = brightness.get();
    tree.brightnessCount = uint32_t(brightness.size());
    tree.removed = counters.get();
    tree.launches = counters.get() + 1;
    tree.refused = counters.get() + 2;
    tree.survivors = counters.get() + 3;
    tree.histogram = counters.get() + 4;
    // Otherwise cells of an earlier run would stay where no kernel writes.
    CUDA(cudaMemset(cells.get(), 0, cells.bytes()));
    CUDA(cudaMemset(tree.survivors, 0, sizeof(*tree.survivors)));
    CUDA(cudaMemcpy(tree.levels[0], roots.data(), roots.size() * sizeof(Cell),
                    cudaMemcpyHostToDevice));
    trees.assign({tree});
    CUDA(cudaEventRecord(started));
    divideLevel<<<uint32_t((roots.size() + BLOCK - 1) / BLOCK), BLOCK>>>(
        trees.get(), 0, 0);
    CUDA(cudaGetLastError());
    CUDA(cudaEventRecord(ended));
    CUDA(cudaDeviceSynchronize());
    kernelMilliseconds += started.millisecondsTo(ended);
    if (!tree.isCountedHere) {
      for (int level = 1; level <= tree.depth; ++level)
        collect(level, survivors);
      return;
    }
    unsigned long long count = 0;
    CUDA(cudaMemcpy(&count, tree.survivors, sizeof(count),
                    cudaMemcpyDeviceToHost));
    if (count > 0) { // The last level's other cells are counted already.
      Tally counted(rules.typeCount);
      std::swap(counted, tally);
      collect(tree.depth, survivors);
      std::swap(counted, tally);
    }
  }

  void collect(int level, std::vector<Cell> &survivors) {
    std::vector<Cell> copy(tree.rootCount << level);
    CUDA(cudaMemcpy(copy.data(), tree.levels[level], copy.size() * sizeof(Cell),
                    cudaMemcpyDeviceToHost));
    // Cells that are alive above the last level have daughters in the next one.
    std::vector<Cell> parents;
    tally.filter(copy, level == tree.depth ? survivors : parents);
  }

  void readCounters(VariantRun &result) {
    std::vector<unsigned long long> values = counters.values();
    result.launches = values[1];
    result.refused = values[2];
    if (!tree.isCountedHere)
      return;
    tally.addRemoved(values[0]);
    for (size_t i = 0; i + 4 < values.size(); ++i)
      if (values[4 + i])
        tally.add(brightnessList[i / rules.typeCount], int(i % rules.typeCount),
                  values[4 + i]);
  }

  Rules<double> rules;
  VariantSettings settings;
  Tally tally;
  Tree tree{};
  size_t capacity = 0; ///< The most roots that the levels have room for.
  DeviceArray<Cell> cells;
  DeviceArray<Tree> trees;
  DeviceArray<double> brightness;
  std::vector<double> brightnessList;
  DeviceArray<unsigned long long> counters;
  Event started, ended;
  double kernelMilliseconds = 0;
};

} // namespace

VariantRun cells::runDynamic(const Population &population, const Model &model,
                             const Conditions &conditions,
                             const VariantSettings &settings) {
  return DynamicRun(population, model, conditions, settings).run(population);
}
