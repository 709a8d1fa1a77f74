// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::paper_levels: levels as the published algorithm finds them
/// (paper_kernels.hpp), by a pass of two kernels over all iterations for each
/// level, launched from the host. With paper_options::pipelined a pass also
/// runs the level before; inspect() then computes only the first level, and the
/// first execute() the others, waiting for the stream after each. The levels
/// stay for later executions.
///
/// Where the auxiliary array is smaller than the arrays, the loop is cut into
/// as many chunks as it is smaller; dynamic chunks are halved at the first pass
/// with many conflicts and move up by a level at later ones. Levels of pending
/// iterations never fall along the loop, so that a pass always sees the
/// smallest pending iteration of a cell.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_PAPER_LEVELS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_PAPER_LEVELS_HPP

#include "cudaopt/levelize/detail/inspect/bounds_check.hpp"
#include "cudaopt/levelize/detail/strategies/paper_kernels.hpp"

#include <cmath>

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// Where the levels of chunks begin; the host's part of the algorithm. Chunk c
/// starts at level base() + c.
class paper_chunks {
public:
  void begin(index_t iterations, double auxiliary, bool dynamic) {
    const index_t chunks = index_t(std::lround(1.0 / auxiliary));
    size_ = std::max<index_t>(1, (iterations + chunks - 1) / chunks);
    iterations_ = iterations;
    base_ = 1;
    is_dynamic_ = dynamic;
    last_ = base_ + std::uint32_t((iterations - 1) / size_);
  }
  index_t size() const { return size_; }
  std::uint32_t base() const { return base_; }
  std::uint32_t last_level() const { return last_; }

  /// Judges the pass of \p level. Returns true if chunks have changed, so that
  /// the levels of pending iterations must be raised to theirs.
  bool end_pass(std::uint32_t level, const paper_counters &seen) {
    if (seen.pushed)
      last_ = std::max(last_, level + 1);
    const double conflicts = double(seen.conflicts) * paper_sample;
    if (!is_dynamic_ || conflicts < many_conflicts * double(iterations_))
      return false;
    if (!is_halved_ && size_ > 1) {
      is_halved_ = true;
      size_ = (size_ + 1) / 2;
      base_ = level + 1;
    } else {
      ++base_;
    }
    last_ = std::max(last_, base_ + std::uint32_t((iterations_ - 1) / size_));
    return true;
  }

  /// Returns true if neighbours depend on each other, so that nearly nothing
  /// would run at the same time: nearly all of at least 2^14 iterations have
  /// conflicts, whose distances are below 64 on average.
  bool is_hopeless(const paper_counters &seen) const {
    const double conflicts = double(seen.conflicts) * paper_sample;
    return iterations_ >= 1 << 14 && conflicts > 0.9 * double(iterations_) &&
           double(seen.distance) < 64.0 * double(seen.conflicts);
  }

private:
  static constexpr double many_conflicts = 0.5;
  index_t size_ = 1, iterations_ = 0;
  std::uint32_t base_ = 1, last_ = 1;
  bool is_dynamic_ = false, is_halved_ = false;
};

/// Gives each array, or each group of arrays that overlap, cells of the
/// auxiliary array, \p auxiliary times as many as it has locations. Returns the
/// number of all cells.
inline index_t make_hashes(const location_map &map, double auxiliary,
                           paper_hash *hashes) {
  auto end = [&](int a) {
    return map.origin[a] + map.size[a] * index_t(map.span[a]);
  };
  index_t cells = 0;
  bool is_done[max_arrays] = {};
  for (int a = 0; a < max_arrays; ++a) {
    if (is_done[a])
      continue;
    // Everything that overlaps what overlaps a.
    index_t first = map.origin[a], last = end(a);
    for (int round = 0; round < max_arrays; ++round)
      for (int b = 0; b < max_arrays; ++b)
        if (map.origin[b] < last && first < end(b)) {
          first = std::min(first, map.origin[b]);
          last = std::max(last, end(b));
        }
    const index_t mine = std::max<index_t>(
        1, index_t(std::ceil(auxiliary * double(last - first))));
    for (int b = a; b < max_arrays; ++b)
      if (b == a || (map.origin[b] < last && first < end(b))) {
        is_done[b] = true;
        hashes[b] = {first, cells, mine};
      }
    cells += mine;
  }
  return cells;
}

template <> struct on_device<strategy::paper_levels> {
  struct state : plan_state {
    location_map map;
    paper_options wanted;
    paper_hash hashes[max_arrays];
    buffer<std::uint32_t> writers, levels;
    buffer<paper_counters> counters;
    paper_chunks chunks;
    std::uint32_t inspected = 0; ///< The number of levels that are final.

    std::size_t bytes() const override {
      return writers.bytes() + levels.bytes() + counters.bytes();
    }
    bool is_complete() const { return inspected >= chunks.last_level(); }
  };

  template <class Loop>
  static constexpr bool applies = !is_self_indexing<Loop>::value;

  template <class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    const double auxiliary = in.wanted.paper.auxiliary;
    if (!fits_word(in.iterations) || !(auxiliary > 0))
      return status::unsupported;
    auto made = std::make_unique<state>();
    status s = check_bounds(in, loop);
    if (s == status::ok)
      s = allocate(in, *made);
    if (s != status::ok || in.iterations == 0) {
      result = std::move(made);
      return s;
    }
    const stream on = in.memory.on();
    paper_counters seen;
    cudaError_t e = pass<false>(*made, loop, in.iterations, on, seen);
    if (e == cudaSuccess && made->chunks.is_hopeless(seen))
      return status::not_profitable;
    while (e == cudaSuccess && !made->wanted.pipelined && !made->is_complete())
      e = pass<false>(*made, loop, in.iterations, on, seen);
    if (made->is_complete())
      in.info.levels = index_t(made->chunks.last_level());
    result = std::move(made);
    return in.memory.check(e);
  }

  template <class Loop>
  static status execute(state &of, const Loop &loop, index_t iterations,
                        stream s) {
    if (iterations == 0)
      return status::ok;
    const unsigned blocks = blocks_of(iterations);
    std::uint32_t level = 1;
    cudaError_t e = cudaSuccess;
    if (!of.is_complete()) {
      if (is_captured(s))
        return status::capturing;
      paper_counters seen;
      while (e == cudaSuccess && !of.is_complete())
        e = pass<true>(of, loop, iterations, s, seen);
      level = of.inspected;
    }
    for (; e == cudaSuccess && level <= of.chunks.last_level(); ++level) {
      paper_execute<<<blocks, block_threads, 0, s>>>(loop, iterations,
                                                     of.levels.data(), level);
      e = cudaGetLastError();
    }
    return e == cudaSuccess ? status::ok : status::cuda_error;
  }

private:
  static unsigned blocks_of(index_t iterations) {
    return unsigned((iterations + block_threads - 1) / block_threads);
  }

  static status allocate(inspection &in, state &of) {
    of.map = in.map;
    of.wanted = in.wanted.paper;
    const index_t cells =
        make_hashes(in.map, std::min(1.0, of.wanted.auxiliary), of.hashes);
    status s = of.writers.allocate(in.memory, cells);
    if (s == status::ok)
      s = of.levels.allocate(in.memory, in.iterations);
    if (s == status::ok)
      s = of.counters.allocate(in.memory, 1);
    if (s != status::ok || in.iterations == 0)
      return s;
    const stream on = in.memory.on();
    of.chunks.begin(in.iterations, std::min(1.0, of.wanted.auxiliary),
                    of.wanted.dynamic_chunks);
    cudaError_t e =
        cudaMemsetAsync(of.writers.data(), 0xff, of.writers.bytes(), on);
    if (e == cudaSuccess)
      e = cudaMemsetAsync(of.levels.data(), 0, of.levels.bytes(), on);
    // Levels are 0 so far, below 1: all are raised to their chunks'.
    if (e == cudaSuccess)
      e = raise_levels(of, in.iterations, on, true);
    return in.memory.check(e);
  }

  static cudaError_t raise_levels(state &of, index_t iterations, stream s,
                                  bool is_first) {
    paper_raise<block_threads><<<blocks_of(iterations), block_threads, 0, s>>>(
        iterations, of.levels.data(), of.inspected, of.chunks.size(),
        of.chunks.base(), is_first);
    return cudaGetLastError();
  }

  /// Computes the next level, and with \p Executes runs the one before. Waits
  /// for the stream.
  template <bool Executes, class Loop>
  static cudaError_t pass(state &of, const Loop &loop, index_t iterations,
                          stream s, paper_counters &seen) {
    paper_tables tables{
        of.writers.data(), {}, of.levels.data(), of.counters.data()};
    std::copy(of.hashes, of.hashes + max_arrays, tables.hashes);
    const std::uint32_t level = of.inspected + 1;
    const unsigned blocks = blocks_of(iterations);
    cudaError_t e =
        cudaMemsetAsync(of.counters.data(), 0, of.counters.bytes(), s);
    if (e != cudaSuccess)
      return e;
    paper_write_phase<Executes><<<blocks, block_threads, 0, s>>>(
        loop, of.map, iterations, tables, level);
    paper_read_phase<<<blocks, block_threads, 0, s>>>(loop, of.map, iterations,
                                                      tables, level);
    e = cudaGetLastError();
    if (e == cudaSuccess)
      e = cudaMemcpyAsync(&seen, of.counters.data(), sizeof(seen),
                          cudaMemcpyDeviceToHost, s);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(s);
    if (e != cudaSuccess)
      return e;
    of.inspected = level;
    return of.chunks.end_pass(level, seen)
               ? raise_levels(of, iterations, s, false)
               : cudaSuccess;
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_PAPER_LEVELS_HPP
