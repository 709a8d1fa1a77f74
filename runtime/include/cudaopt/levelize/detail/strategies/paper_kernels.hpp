// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Algorithms 2, 3 and 6 of "Runtime Dependence Computation and Execution of
/// Loops on Heterogeneous Systems" (Anantpur and Govindarajan), with what they
/// need to be right:
///   - a push sets a level to at least the next one, however often it happens
///     (an atomic maximum);
///   - who replaces a smallest writer learns in the same step whom it replaced
///     (compare and swap);
///   - a cell without a writer, and one whose writer's level is over, are told
///     apart from one with a writer;
///   - all accesses of an iteration are looked at, whatever the first one says.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_PAPER_KERNELS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_PAPER_KERNELS_HPP

#include "cudaopt/levelize/detail/inspect/findings.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// What a pass counts. A push moves an iteration to a later level.
struct paper_counters {
  std::uint32_t pushed = 0;    ///< Not 0: some iteration was pushed.
  std::uint32_t conflicts = 0; ///< Pushes by the sampled iterations.
  /// The sum of the distances, in iterations, of those conflicts.
  unsigned long long distance = 0;
};

/// Locations { [first, first + ...) } of an array, or of arrays that overlap,
/// share the cells { [cell, cell + cells) }.
struct paper_hash {
  index_t first = 0, cell = 0, cells = 1;

  CUDAOPT_HOST_DEVICE index_t operator()(index_t location) const {
    const index_t l = location - first;
    return cell + (l < cells ? l : l % cells); // The paper's own function.
  }
};

/// The tables of the algorithm, in memory of the device.
struct paper_tables {
  std::uint32_t *writers; ///< By cell: its smallest writer, or no_writer.
  paper_hash hashes[max_arrays];
  std::uint32_t *levels; ///< By iteration.
  paper_counters *counters;

  __device__ std::uint32_t *cell(int array, index_t location) const {
    return writers + hashes[array](location);
  }
};
constexpr std::uint32_t no_writer = ~std::uint32_t(0);
/// One of so many iterations counts its conflicts.
constexpr std::uint32_t paper_sample = 64;

/// What the touches of the two phases have in common: \p iteration in the pass
/// of \p level.
struct paper_pass {
  const location_map &map;
  const paper_tables &tables;
  std::uint32_t iteration;
  std::uint32_t level;
  bool has_pushed = false;

  /// Returns true if iteration \p other is of an earlier level.
  __device__ bool is_over(std::uint32_t other) const {
    return load_relaxed(tables.levels + other) < level;
  }
  /// Moves iteration \p whom to a later level, since it conflicts with the
  /// smaller iteration \p other.
  __device__ void push(std::uint32_t whom, std::uint32_t other) {
    if (load_relaxed(tables.levels + whom) > level)
      return;
    if (iteration % paper_sample == 0) {
      atomicAdd(&tables.counters->conflicts, 1u);
      atomicAdd(&tables.counters->distance,
                static_cast<unsigned long long>(whom > other ? whom - other
                                                             : other - whom));
    }
    atomicMax(tables.levels + whom, level + 1);
    has_pushed = true;
  }
};

/// The touch of the write phase: each cell gets its smallest writer, and all
/// others are pushed.
struct paper_writer_touch : paper_pass {
  template <class T> __device__ void read(const array<T> &, index_t) {}
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    const index_t first = map.first(a.number(), j);
    for (unsigned k = 0; k < map.span[a.number()]; ++k)
      check(tables.cell(a.number(), first + k));
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    write(a, j);
  }

private:
  __device__ void check(std::uint32_t *cell) {
    std::uint32_t seen = load_relaxed(cell);
    for (;;) {
      const bool is_free = seen == no_writer || is_over(seen);
      if (!is_free && seen <= iteration) {
        if (seen != iteration)
          push(iteration, seen);
        return;
      }
      const std::uint32_t before = atomicCAS(cell, seen, iteration);
      if (before == seen) {
        if (!is_free)
          push(seen, iteration);
        return;
      }
      seen = before;
    }
  }
};

/// The touch of the read phase: of a reader and the smallest writer of a cell,
/// the later iteration is pushed.
struct paper_reader_touch : paper_pass {
  template <class T> __device__ void read(const array<T> &a, index_t j) {
    const index_t first = map.first(a.number(), j);
    for (unsigned k = 0; k < map.span[a.number()]; ++k)
      check(tables.cell(a.number(), first + k));
  }
  template <class T> __device__ void write(const array<T> &, index_t) {}
  template <class T, class Op>
  __device__ void update(const array<T> &, index_t, Op) {}

private:
  __device__ void check(std::uint32_t *cell) {
    const std::uint32_t writer = load_relaxed(cell);
    if (writer == no_writer || writer == iteration)
      return;
    if (iteration < writer)
      push(writer, iteration);
    else if (is_over(writer))
      store_relaxed(cell, no_writer);
    else
      push(iteration, writer);
  }
};

/// Algorithm 2, and where \p Executes algorithm 6, which also runs the
/// iterations of the level before.
template <bool Executes, class Loop>
__global__ void __launch_bounds__(block_threads)
    paper_write_phase(Loop loop, const __grid_constant__ location_map map,
                      index_t iterations,
                      const __grid_constant__ paper_tables tables,
                      std::uint32_t level) {
  const index_t i = grid_thread();
  if (i >= iterations)
    return;
  const std::uint32_t mine = load_relaxed(tables.levels + i);
  if (Executes && mine == level - 1) {
    direct_memory memory;
    loop.body(i, memory);
  } else if (mine == level) {
    paper_writer_touch touch{{map, tables, std::uint32_t(i), level}};
    loop.slice(i, touch);
    if (touch.has_pushed)
      store_relaxed(&tables.counters->pushed, 1u);
  }
}

/// Algorithm 3: readers against the smallest writers.
template <class Loop>
__global__ void __launch_bounds__(block_threads)
    paper_read_phase(Loop loop, const __grid_constant__ location_map map,
                     index_t iterations,
                     const __grid_constant__ paper_tables tables,
                     std::uint32_t level) {
  const index_t i = grid_thread();
  if (i >= iterations)
    return;
  const std::uint32_t mine = load_relaxed(tables.levels + i);
  if (mine != level && mine != level + 1)
    return;
  paper_reader_touch touch{{map, tables, std::uint32_t(i), level}};
  loop.slice(i, touch);
  if (touch.has_pushed)
    store_relaxed(&tables.counters->pushed, 1u);
}

/// Algorithm 5's kernel: runs the iterations of one level.
template <class Loop>
__global__ void __launch_bounds__(block_threads)
    paper_execute(Loop loop, index_t iterations, const std::uint32_t *levels,
                  std::uint32_t level) {
  const index_t i = grid_thread();
  if (i >= iterations || levels[i] != level)
    return;
  direct_memory memory;
  loop.body(i, memory);
}

/// Iterations that no pass has taken yet begin at the levels of their chunks:
/// chunk c, of \p size iterations, at level base + c.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    paper_raise(index_t iterations, std::uint32_t *levels, std::uint32_t taken,
                index_t size, std::uint32_t base, bool is_first) {
  const index_t i = grid_thread();
  if (i >= iterations)
    return;
  const std::uint32_t mine = levels[i];
  const std::uint32_t floor = base + std::uint32_t(i / size);
  if ((is_first || mine > taken) && mine < floor)
    levels[i] = floor;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_PAPER_KERNELS_HPP
