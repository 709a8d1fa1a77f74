// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Section 3.2.2 of the thesis: a kernel makes one generation of the one
/// before, and the host sorts out who lives.
//===----------------------------------------------------------------------===//

#include "../Cuda.cuh"
#include "Host.cuh"

using namespace cells;

constexpr int THREADS = 128;

/// Cells go through shared memory word by word, so that neighbouring threads
/// read and write neighbouring words of global memory.
static __global__ void __launch_bounds__(THREADS)
    makeGeneration(const uint32_t *parents, uint32_t *daughters, uint32_t count,
                   const Rules<double> *rules, double threshold) {
  __shared__ uint32_t in[THREADS][CELL_WORDS];
  __shared__ uint32_t out[THREADS][2 * CELL_WORDS];
  int thread = threadIdx.x;
  uint32_t first = blockIdx.x * THREADS;

  for (int i = thread; i < THREADS * CELL_WORDS; i += THREADS)
    if (first * CELL_WORDS + i < count * CELL_WORDS)
      in[i / CELL_WORDS][i % CELL_WORDS] = parents[first * CELL_WORDS + i];
  __syncthreads();

  bool hasCell = first + thread < count;
  Cell cell{};
  if (hasCell) {
    uint32_t words[CELL_WORDS];
    for (int i = 0; i < CELL_WORDS; ++i)
      words[i] = in[thread][i];
    memcpy(&cell, words, sizeof(cell));
  }
  __syncthreads(); // From here on nobody needs the parents' words.

  Pair pair{};
  if (hasCell)
    pair = proliferate(*rules, threshold, cell);
  uint32_t made[2 * CELL_WORDS];
  memcpy(made, &pair, sizeof(pair));
  for (int i = 0; i < 2 * CELL_WORDS; ++i)
    out[thread][i] = made[i];
  __syncthreads();

  for (int i = thread; i < THREADS * 2 * CELL_WORDS; i += THREADS)
    if (first * 2 * CELL_WORDS + i < count * 2 * CELL_WORDS)
      daughters[first * 2 * CELL_WORDS + i] =
          out[i / (2 * CELL_WORDS)][i % (2 * CELL_WORDS)];
}

VariantRun cells::runHostLoop(const Population &population, const Model &model,
                              const Conditions &conditions) {
  VariantRun run;
  Tally tally(int(model.types.size()));
  Rules<double> rules = rulesOf<double>(model, conditions);
  DeviceArray<Rules<double>> deviceRules;
  deviceRules.assign({rules});
  DeviceArray<Cell> in, out;
  Event started, ended;

  Stopwatch watch;
  std::vector<Cell> alive = makeRoots(population, rules);
  while (!alive.empty()) {
    in.assign(alive);
    out.resize(2 * alive.size());
    uint32_t count = uint32_t(alive.size());
    CUDA(cudaEventRecord(started));
    makeGeneration<<<(count + THREADS - 1) / THREADS, THREADS>>>(
        reinterpret_cast<const uint32_t *>(in.get()),
        reinterpret_cast<uint32_t *>(out.get()), count, deviceRules.get(),
        population.threshold);
    CUDA(cudaGetLastError());
    CUDA(cudaEventRecord(ended));
    std::vector<Cell> next = out.values();
    run.kernelMilliseconds += started.millisecondsTo(ended);
    alive.clear();
    tally.filter(next, alive);
  }
  run.milliseconds = watch.milliseconds();
  run.deviceBytes = in.bytes() + out.bytes();
  tally.finish(run);
  return run;
}
