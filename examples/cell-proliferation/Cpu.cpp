// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Simulates on the CPU, see Cpu.h.
//===----------------------------------------------------------------------===//

#include "Cpu.h"

#include "Simulator.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using namespace cells;

#if defined(__x86_64__) && !defined(CELLS_WITHOUT_FMA)
#define CELLS_WITH_FMA [[gnu::target("avx2,fma")]]
static bool hasFma() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else // fma is an instruction, or nothing can be done about it.
#define CELLS_WITH_FMA
static bool hasFma() { return true; }
#endif

template <typename Real>
CELLS_INLINE uint64_t follow(const Rules<Real> &rules, uint32_t root, int limit,
                             const Shape &shape, uint64_t *rows) {
  struct Cell {
    uint64_t path;
    Real time;
  };
  Cell pending[MOST_GENERATIONS + 1];
  int depth = 0;
  Founder<Real> first = founder(rules, root);
  const TruncatedNormal<Real> interval = rules.intervals[first.type];
  uint64_t *row = rows + size_t(first.type) * shape.columnCount;

  uint64_t divisions = 0;
  auto meet = [&](uint64_t path, int generation, Real time)
                  __attribute__((always_inline)) {
                    if (time > rules.duration)
                      ++row[generation];
                    else if (generation >= limit)
                      ++row[shape.removedColumn()];
                    else
                      pending[depth++] = {path, time};
                  };
  meet(1, 0, first.divisionTime);
  while (depth > 0) {
    Cell cell = pending[--depth];
    auto [left, right] =
        divide(rules.key, interval, root, cell.path, cell.time);
    ++divisions;
    int generation = highestBit(cell.path) + 1;
    meet(2 * cell.path, generation, left);
    meet(2 * cell.path + 1, generation, right);
  }
  return divisions;
}

/// The roots that a thread takes at a time.
struct Chunk {
  uint32_t first, last;
};

/// Counts the descendants of the roots of a chunk. \p rows is scratch of a
/// thread; \p counts is shared by all threads, which add to it atomically.
template <typename Real>
CELLS_INLINE void followChunk(const Population &population,
                              const Rules<Real> &rules, Chunk chunk,
                              std::vector<uint64_t> &rows, Counts &counts) {
  const Shape &shape = counts.shape;
  auto above = std::upper_bound(population.firstRoot.begin(),
                                population.firstRoot.end(), chunk.first);
  uint32_t bin = uint32_t(above - population.firstRoot.begin()) - 1;
  uint64_t divisions = 0;
  for (uint32_t root = chunk.first; root < chunk.last; ++bin) {
    uint32_t last = std::min(chunk.last, population.firstRoot[bin + 1]);
    std::fill(rows.begin(), rows.end(), 0);
    for (; root < last; ++root)
      divisions +=
          follow(rules, root, population.limit[bin], shape, rows.data());
    for (size_t i = 0; i < rows.size(); ++i)
      if (rows[i])
        std::atomic_ref(counts.cells[shape.at(bin, 0, 0) + i])
            .fetch_add(rows[i], std::memory_order_relaxed);
  }
  std::atomic_ref(counts.divisions)
      .fetch_add(divisions, std::memory_order_relaxed);
}

// The same code is compiled twice: with and without the instruction for
// std::fma. Both give the same bits.
template <typename Real>
CELLS_WITH_FMA static void
followFast(const Population &population, const Rules<Real> &rules, Chunk chunk,
           std::vector<uint64_t> &rows, Counts &counts) {
  followChunk(population, rules, chunk, rows, counts);
}

template <typename Real>
static void followPlain(const Population &population, const Rules<Real> &rules,
                        Chunk chunk, std::vector<uint64_t> &rows,
                        Counts &counts) {
  followChunk(population, rules, chunk, rows, counts);
}

template <typename Real>
uint64_t cells::followRoot(const Rules<Real> &rules, uint32_t root, int limit,
                           const Shape &shape, uint64_t *rows) {
  return follow(rules, root, limit, shape, rows);
}

template <typename Real>
std::vector<Counts> cells::simulateOnCpu(const Population &population,
                                         const std::vector<Model> &models,
                                         const Conditions &conditions,
                                         unsigned threadCount) {
  constexpr uint32_t CHUNK = 64;
  const Shape shape = shapeOf(population, mostTypes(models));
  std::vector<Rules<Real>> rules;
  for (const Model &model : models)
    rules.push_back(rulesOf<Real>(model, conditions));
  std::vector<Counts> counts(models.size(), Counts(shape));

  const uint32_t rootCount = population.rootCount();
  const uint64_t chunkCount = (uint64_t(rootCount) + CHUNK - 1) / CHUNK;
  std::atomic<uint64_t> next = 0;
  auto *run = hasFma() ? followFast<Real> : followPlain<Real>;
  auto work = [&] {
    std::vector<uint64_t> rows(shape.rowSize());
    for (uint64_t i; (i = next++) < chunkCount * models.size();) {
      size_t item = i / chunkCount;
      uint64_t first = i % chunkCount * CHUNK;
      uint64_t last = std::min<uint64_t>(first + CHUNK, rootCount);
      run(population, rules[item], {uint32_t(first), uint32_t(last)}, rows,
          counts[item]);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < threadCount; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  return counts;
}

namespace {

class CpuSimulator : public Simulator {
public:
  CpuSimulator(const Population &population, const Conditions &conditions,
               Precision precision, unsigned threadCount)
      : population(population), conditions(conditions), precision(precision),
        threadCount(threadCount) {}

  std::vector<Counts> simulate(const std::vector<Model> &models) override {
    auto *run = precision == Precision::FLOAT ? simulateOnCpu<float>
                                              : simulateOnCpu<double>;
    auto start = std::chrono::steady_clock::now();
    std::vector<Counts> counts =
        run(population, models, conditions, threadCount);
    auto time = std::chrono::steady_clock::now() - start;
    elapsed = std::chrono::duration<double, std::milli>(time).count();
    return counts;
  }
  std::string name() const override {
    return std::to_string(threadCount) + " threads of the CPU";
  }
  double milliseconds() const override { return elapsed; }

private:
  Population population;
  Conditions conditions;
  Precision precision;
  unsigned threadCount;
  double elapsed = 0;
};

} // namespace

std::unique_ptr<Simulator> cells::makeCpuSimulator(const Population &population,
                                                   const Conditions &conditions,
                                                   Precision precision,
                                                   unsigned threadCount) {
  return std::make_unique<CpuSimulator>(population, conditions, precision,
                                        threadCount);
}

#define CELLS_INSTANTIATE(Real)                                                \
  template uint64_t cells::followRoot(const Rules<Real> &, uint32_t, int,      \
                                      const Shape &, uint64_t *);              \
  template std::vector<Counts> cells::simulateOnCpu<Real>(                     \
      const Population &, const std::vector<Model> &, const Conditions &,      \
      unsigned);
CELLS_INSTANTIATE(float)
CELLS_INSTANTIATE(double)
