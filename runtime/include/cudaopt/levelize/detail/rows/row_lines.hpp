// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// An order of blocks of rows that is cheaply found. A line is a run of rows
/// each of which reads the row before, such as a row of a grid. Lines are cut
/// into blocks of 32 rows, and blocks run by the levels that their lines allow.
///
/// In the loop's order the rows in flight are those of a few lines, each of
/// which waits for the one before; most rows that could run are not in flight.
/// Finding the levels of lines is a dataflow, too, but over tens of times fewer
/// items than the one over rows.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_LINES_HPP
#define CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_LINES_HPP

#include "cudaopt/levelize/detail/rows/row_cuts.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// The number of a row's last terms among which the row before is looked for.
constexpr index_t line_terms = 64;

/// Marks where lines begin: runs[t] is t for the first row of a line, and 0 for
/// a row that reads the row before it.
template <class Loop>
__global__ void __launch_bounds__(256)
    mark_lines(const Loop loop, index_t rows, std::uint32_t *runs) {
  for (index_t t = index_t(blockIdx.x) * blockDim.x + threadIdx.x; t < rows;
       t += index_t(gridDim.x) * blockDim.x) {
    const index_t i = loop.row(t), begin = loop.begin(i), end = loop.end(i);
    bool goes_on = false;
    for (index_t k = end; k > begin && end - k < line_terms && !goes_on; --k)
      goes_on = loop.iteration(loop.source(k - 1)) == t - 1;
    runs[t] = goes_on && t > 0 ? 0 : std::uint32_t(t);
  }
}

/// What find_line_levels() needs to know of all lines.
struct row_line_map {
  index_t rows;
  index_t blocks;
  const std::uint32_t *runs, *starts; ///< See row_cuts.
  std::uint64_t limit_ns;             ///< The watchdog's limit.
};

/// The lines that a line reads, and by how many blocks it must come after each:
/// a line's level is that of its first block, and block k of it has that level
/// plus k. A hash table in shared memory, of one warp.
class row_line_table {
public:
  static constexpr unsigned places = 64; ///< A multiple of 32.
  static constexpr std::uint32_t no_line = ~0u;

  __device__ void clear() {
    for (unsigned e = threadIdx.x % 32; e < places; e += 32) {
      lines_[e] = no_line;
      distances_[e] = none;
    }
    __syncwarp();
  }
  /// Notes that this line must come \p distance blocks after \p line. Returns
  /// false if the table has no entry left near the line's own.
  __device__ bool add(std::uint32_t line, int distance) {
    unsigned e = (line * 0x9E3779B9u) >> 26;
    for (unsigned tries = 0; tries < 8; ++tries, e = (e + 1) % places) {
      std::uint32_t there = *static_cast<volatile std::uint32_t *>(lines_ + e);
      if (there == no_line)
        there = atomicCAS(lines_ + e, no_line, line);
      if (there != no_line && there != line)
        continue;
      if (*static_cast<volatile int *>(distances_ + e) < distance)
        atomicMax(distances_ + e, distance);
      return true;
    }
    return false;
  }
  /// The least level that all lines of the table allow; \p wait(line) returns a
  /// line's level. Called by all lanes; the table is empty afterwards.
  template <class Wait> __device__ int level(Wait wait) {
    __syncwarp();
    int most = 0;
    for (unsigned e = threadIdx.x % 32; e < places; e += 32)
      if (lines_[e] != no_line) {
        const int after = wait(lines_[e]) + distances_[e];
        most = after > most ? after : most;
      }
    __syncwarp();
    clear();
    return warp_max(most);
  }

private:
  static constexpr int none = -(1 << 30);
  std::uint32_t lines_[places];
  int distances_[places];
};

/// Computes the level of one line from those of the lines that it reads, by a
/// warp.
template <class Loop> class row_line {
public:
  __device__ row_line(const Loop &loop, const row_line_map &map,
                      const row_cells<std::int32_t> &cells,
                      row_line_table &table, spin_backoff &limit)
      : loop_(loop), map_(map), cells_(cells), table_(table), limit_(limit) {}

  /// The level of the line that begins at \p first.
  __device__ int level(index_t first) {
    first_ = first;
    least_ = 0;
    const unsigned lane = threadIdx.x % 32;
    for (index_t at = first;; at += 32) {
      const index_t t = at + lane;
      const bool is_row = t < map_.rows && map_.runs[t + 1] == first;
      index_t begin = 0, end = 0;
      if (is_row) {
        const index_t i = loop_.row(t);
        begin = loop_.begin(i);
        end = loop_.end(i);
        look((t - first) / 32, begin, end < begin + alone ? end : begin + alone,
             1);
      }
      // All lanes look at the rest of long rows.
      for (unsigned rest = __ballot_sync(full_warp, end > begin + alone); rest;
           rest &= rest - 1) {
        const int r = __ffs(rest) - 1;
        const index_t from = __shfl_sync(full_warp, begin, r) + alone;
        look((at - first) / 32, from + lane, __shfl_sync(full_warp, end, r),
             32);
      }
      if (!__all_sync(full_warp, is_row))
        break;
    }
    const int level =
        table_.level([&](std::uint32_t line) { return wait(line); });
    return warp_max(level > least_ ? level : least_);
  }

private:
  static constexpr index_t alone = 64; ///< The terms that one lane looks at.

  /// Looks at every \p step-th term of [k, end), of a row in block \p own of
  /// the line. Two sources at a time, so that their loads overlap.
  __device__ void look(index_t own, index_t k, index_t end, index_t step) {
    for (; k < end; k += 2 * step) {
      const index_t a = loop_.iteration(loop_.source(k));
      const index_t b =
          k + step < end ? loop_.iteration(loop_.source(k + step)) : -1;
      const bool has_a = a >= 0 && a < first_, has_b = b >= 0 && b < first_;
      const std::uint32_t line_a = has_a ? map_.runs[a + 1] : 0;
      const std::uint32_t line_b = has_b ? map_.runs[b + 1] : 0;
      if (has_a)
        add(line_a, int((a - line_a) / 32 - own) + 1);
      if (has_b)
        add(line_b, int((b - line_b) / 32 - own) + 1);
    }
  }
  __device__ void add(std::uint32_t line, int distance) {
    if (table_.add(line, distance))
      return;
    const int level = wait(line) + distance;
    least_ = level > least_ ? level : least_;
  }
  __device__ int wait(std::uint32_t line) {
    auto r = cells_.load(line);
    while (!cells_.is_ready(r) && !limit_.is_over())
      r = cells_.load(line);
    return row_cells<std::int32_t>::value(r);
  }

  const Loop &loop_;
  const row_line_map &map_;
  const row_cells<std::int32_t> &cells_;
  row_line_table &table_;
  spin_backoff &limit_;
  index_t first_;
  int least_;
};

/// Threads of a block of find_line_levels().
constexpr int line_threads = 128;

/// Numbers of lines, and of those whose first rows read nothing of the line
/// before.
struct row_line_counts {
  std::uint32_t lines, independent;
};
/// Counts them; a warp has a block of rows.
template <class Loop>
__global__ void __launch_bounds__(256)
    count_lines(const Loop loop, const row_line_map map,
                row_line_counts *counts) {
  std::uint32_t lines = 0, independent = 0;
  for (index_t b = (index_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
       b < map.blocks; b += index_t(gridDim.x) * blockDim.x / 32) {
    const index_t first = map.starts[b], t = first + threadIdx.x % 32;
    if (map.runs[first + 1] != first)
      continue; // Not a line's first block.
    const index_t before = first > 0 ? index_t(map.runs[first]) : 0;
    bool reads = false;
    if (t < index_t(map.starts[b + 1])) {
      const index_t i = loop.row(t), begin = loop.begin(i), end = loop.end(i);
      for (index_t k = end; k > begin && end - k < line_terms && !reads; --k) {
        const index_t from = loop.iteration(loop.source(k - 1));
        reads = from >= before && from < first;
      }
    }
    ++lines;
    independent += !__any_sync(full_warp, reads);
  }
  if (threadIdx.x % 32 == 0 && lines) {
    atomicAdd(&counts->lines, lines);
    if (independent)
      atomicAdd(&counts->independent, independent);
  }
}

/// Computes the levels of all blocks by a dataflow over lines. A warp claims
/// blocks in the loop's order and works on those that begin a line, so that
/// every line that it waits for is finished or some running warp's.
template <class Loop>
__global__ void __launch_bounds__(line_threads)
    find_line_levels(const Loop loop, const row_line_map map, void *cell_memory,
                     row_control *control, std::uint32_t *levels,
                     std::uint32_t *blocks) {
  __shared__ row_line_table tables[line_threads / 32];
  const row_cells<std::int32_t> cells(cell_memory, 1);
  const watchdog dog{&control->watch, map.limit_ns};
  spin_backoff limit(dog);
  row_line_table &table = tables[threadIdx.x / 32];
  table.clear();
  row_line<Loop> line(loop, map, cells, table, limit);
  auto *next = reinterpret_cast<unsigned long long *>(&control->next);
  while (true) {
    index_t b = 0;
    if (threadIdx.x % 32 == 0)
      b = index_t(atomicAdd(next, 1ull));
    b = __shfl_sync(full_warp, b, 0);
    if (b >= map.blocks)
      return;
    const index_t first = map.starts[b];
    if (map.runs[first + 1] != first)
      continue; // Not a line's first block.
    const int level = line.level(first);
    limit.ended();
    if (threadIdx.x % 32 == 0)
      cells.store(first, level);
    for (index_t c = b + threadIdx.x % 32;
         c < map.blocks && map.runs[map.starts[c] + 1] == first; c += 32) {
      levels[c] = std::uint32_t(level + int(c - b));
      blocks[c] = std::uint32_t(c);
    }
    __syncwarp();
  }
}

/// The order by lines, in memory of the device; empty if it does not pay.
struct row_lines {
  /// The first rows of blocks, and the end; the blocks in the order of their
  /// levels.
  buffer<std::uint32_t> starts, blocks;

  bool is_made() const { return blocks.size() > 0; }
  loop_order order() const {
    return {starts.data(), blocks.data(), blocks.size()};
  }
  std::size_t bytes() const { return starts.bytes() + blocks.bytes(); }

  /// The order does not pay where blocks have fewer rows than `small` on
  /// average, or where there are fewer lines than about `few`.
  static constexpr index_t small = 12, few = 32;
  /// If no more lines than this can run without the one before, the lines form
  /// a chain.
  static constexpr index_t few_independent = 2;

  /// Makes the order; makes nothing, and returns status::ok, where neighbours
  /// do not form lines or the order would not be faster than the loop's own.
  /// Waits for the stream.
  template <class Loop>
  status make(scratch &memory, const Loop &loop, index_t n,
              const row_facts &facts, std::uint64_t limit_ns) {
    if (n >= index_t(1) << 31 || index_t(facts.near) < n / 2)
      return status::ok;
    const stream on = memory.on();
    row_cuts cuts;
    status s = cuts.allocate(memory, n);
    if (s != status::ok)
      return s;
    mark_lines<<<row_blocks(n), 256, 0, on>>>(loop, n, cuts.runs.data());
    s = memory.check(cudaGetLastError());
    if (s == status::ok)
      s = cuts.make(memory);
    bool pays = cuts.blocks * small <= n && cuts.blocks >= n / 32 + few;
    if (s == status::ok && pays)
      s = find_profit(memory, loop, n, cuts, pays);
    if (s == status::ok && pays)
      s = find_levels(memory, loop, n, limit_ns, cuts);
    cuts.runs.give_back(memory);
    cuts.before.give_back(memory);
    cuts.starts.give_back(memory);
    return s;
  }

private:
  /// Sets \p pays. Where each line waits for the one before, as many lines run
  /// at a time as a line has blocks. If the rows in flight are those of more
  /// lines, no other order is faster, and the search takes as long as the lines
  /// do.
  template <class Loop>
  status find_profit(scratch &memory, const Loop &loop, index_t n,
                     const row_cuts &cuts, bool &pays) {
    buffer<row_line_counts> counts;
    status s = counts.allocate_filled(memory, 1, 0);
    if (s != status::ok)
      return s;
    const row_line_map map{n, cuts.blocks, cuts.runs.data(), cuts.starts.data(),
                           0};
    count_lines<<<row_blocks(32 * cuts.blocks), 256, 0, memory.on()>>>(
        loop, map, counts.data());
    row_line_counts found{};
    s = memory.check(cudaGetLastError());
    if (s == status::ok)
      s = memory.check(cudaMemcpyAsync(&found, counts.data(), sizeof(found),
                                       cudaMemcpyDefault, memory.on()));
    if (s == status::ok)
      s = memory.check(cudaStreamSynchronize(memory.on()));
    counts.give_back(memory);
    const index_t in_flight = index_t(5 * row_threads) * processor_count();
    const index_t length = n / std::max<index_t>(found.lines, 1);
    pays = index_t(found.independent) > few_independent ||
           length * length > 32 * in_flight;
    return s;
  }

  template <class Loop>
  status find_levels(scratch &memory, const Loop &loop, index_t n,
                     std::uint64_t limit_ns, row_cuts &cuts) {
    const stream on = memory.on();
    buffer<std::uint32_t> levels;
    buffer<std::uint64_t> cells;
    buffer<row_control> control;
    status s = levels.allocate(memory, cuts.blocks);
    if (s == status::ok)
      s = blocks.allocate(memory, cuts.blocks);
    if (s == status::ok)
      s = cells.allocate_filled(memory, n, 0);
    if (s == status::ok)
      s = control.allocate_filled(memory, 1, 0);
    int device = 0, processors = 1, a_processor = 1;
    if (s == status::ok)
      s = memory.check(cudaGetDevice(&device));
    if (s == status::ok)
      s = memory.check(cudaDeviceGetAttribute(
          &processors, cudaDevAttrMultiProcessorCount, device));
    if (s == status::ok)
      s = memory.check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &a_processor, find_line_levels<Loop>, line_threads, 0));
    if (s != status::ok)
      return s;
    const row_line_map map{n, cuts.blocks, cuts.runs.data(), cuts.starts.data(),
                           limit_ns};
    find_line_levels<<<unsigned(processors * a_processor), line_threads, 0,
                       on>>>(loop, map, cells.data(), control.data(),
                             levels.data(), blocks.data());
    s = memory.check(cudaGetLastError());
    int bits = 2; // A level is below twice the number of blocks.
    while (cuts.blocks >> (bits - 1))
      ++bits;
    if (s == status::ok)
      s = sort_pairs(memory, levels, blocks, 0, bits);
    std::uint32_t stalled = 0;
    if (s == status::ok)
      s = memory.check(cudaMemcpyAsync(&stalled, &control.data()->watch.stalled,
                                       4, cudaMemcpyDefault, on));
    if (s == status::ok)
      s = memory.check(cudaStreamSynchronize(on));
    starts = std::move(cuts.starts);
    levels.give_back(memory);
    cells.give_back(memory);
    control.give_back(memory);
    return s == status::ok && stalled ? status::stalled : s;
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_ROWS_ROW_LINES_HPP
