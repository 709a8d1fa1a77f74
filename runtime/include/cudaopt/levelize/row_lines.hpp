// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// An order of blocks of rows that is cheaply found: lines of rows are cut into
/// blocks, and blocks run by the levels that their lines allow.
///
/// In the loop's order the rows in flight are those of a few lines, each of
/// which waits for the one before; most that could run is not in flight.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_ROW_LINES_HPP
#define CUDAOPT_LEVELIZE_ROW_LINES_HPP

#include "cudaopt/levelize/row_cuts.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Terms of a row that are looked at for its line, from its end.
constexpr index_t line_terms = 64;

/// A line is a run of rows each of which reads the row before.
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
  const std::uint32_t *runs, *before, *starts; ///< Of row_cuts.
  std::uint64_t limit_ns;
};

/// The lines that a lane's rows read, and by how many blocks a line must come
/// after each: a level of a line is that of its first block.
class row_line_sources {
public:
  __device__ explicit row_line_sources(const row_line_map &map) : Map(map) {}

  /// Block \p own of the line reads iteration \p t. False if there is no place
  /// for one more line.
  __device__ __forceinline__ bool add(index_t own, index_t t) {
#pragma unroll
    for (unsigned e = 0; e < places; ++e)
      if (t >= First[e] && t <= Last[e]) {
        put(e, own, t);
        return true;
      }
    const std::uint32_t first = Map.runs[t + 1];
#pragma unroll
    for (unsigned e = 0; e < places; ++e)
      if (First[e] == first || First[e] == nobody) {
        First[e] = first;
        put(e, own, t);
        return true;
      }
    return false;
  }
  /// The level that all lines so far allow; they are forgotten.
  __device__ __forceinline__ int wait(const row_cells<std::int32_t> &cells,
                                      patience &limit) {
    int level = 0;
#pragma unroll
    for (unsigned e = 0; e < places; ++e)
      if (First[e] != nobody) {
        auto r = cells.load(First[e]);
        while (!cells.is_ready(r) && !limit.is_over())
          r = cells.load(First[e]);
        const int after = row_cells<std::int32_t>::value(r) + Distance[e];
        level = after > level ? after : level;
        First[e] = nobody;
        Last[e] = -1;
        Distance[e] = -(1 << 30);
      }
    return level;
  }

private:
  static constexpr unsigned places = 4;
  static constexpr index_t nobody = index_t(1) << 40;

  __device__ __forceinline__ void put(unsigned e, index_t own, index_t t) {
    const int distance = int((t - First[e]) / 32 - own) + 1;
    Last[e] = t > Last[e] ? t : Last[e];
    Distance[e] = distance > Distance[e] ? distance : Distance[e];
  }

  const row_line_map &Map;
  index_t First[places] = {nobody, nobody, nobody, nobody};
  index_t Last[places] = {-1, -1, -1, -1};
  int Distance[places] = {-(1 << 30), -(1 << 30), -(1 << 30), -(1 << 30)};
};

/// Levels of blocks, by dataflow over lines: a warp has a line.
template <class Loop>
__global__ void __launch_bounds__(128)
    find_line_levels(const Loop loop, const row_line_map map, void *cells_,
                     row_control *control, std::uint32_t *levels,
                     std::uint32_t *blocks) {
  const row_cells<std::int32_t> cells(cells_, 1);
  const watchdog dog{&control->stalled, map.limit_ns};
  patience limit(dog);
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
    row_line_sources sources(map);
    int level = 0;
    index_t t = first + threadIdx.x % 32;
    for (; t < map.rows && map.runs[t + 1] == first; t += 32) {
      const index_t i = loop.row(t), own = (t - first) / 32;
      for (index_t k = loop.begin(i), end = loop.end(i); k < end; ++k) {
        const index_t u = loop.iteration(loop.source(k));
        if (u < 0 || u >= first || sources.add(own, u))
          continue;
        const int before = sources.wait(cells, limit);
        level = before > level ? before : level;
        sources.add(own, u);
      }
    }
    const int before = sources.wait(cells, limit);
    level = __reduce_max_sync(full_warp, before > level ? before : level);
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

struct row_lines {
  buffer<std::uint32_t> starts, blocks;

  bool is_made() const { return blocks.size() > 0; }
  loop_order order() const {
    return {starts.data(), blocks.data(), blocks.size()};
  }
  std::size_t bytes() const { return starts.bytes() + blocks.bytes(); }

  /// Blocks of fewer rows than this on average do not pay, nor do fewer lines.
  static constexpr index_t small = 12, few = 32;

  /// Makes nothing where neighbours do not form lines.
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
    if (s == status::ok && cuts.blocks * small <= n &&
        cuts.blocks >= n / 32 + few)
      s = find_levels(memory, loop, n, limit_ns, cuts);
    cuts.runs.give_back(memory);
    cuts.before.give_back(memory);
    return s;
  }

private:
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
          &a_processor, find_line_levels<Loop>, 128, 0));
    if (s != status::ok)
      return s;
    const row_line_map map{n,
                           cuts.blocks,
                           cuts.runs.data(),
                           cuts.before.data(),
                           cuts.starts.data(),
                           limit_ns};
    find_line_levels<<<unsigned(processors * a_processor), 128, 0, on>>>(
        loop, map, cells.data(), control.data(), levels.data(), blocks.data());
    s = memory.check(cudaGetLastError());
    int bits = 2; // A level is below twice the number of blocks.
    while (cuts.blocks >> (bits - 1))
      ++bits;
    if (s == status::ok)
      s = sort_pairs(memory, levels, blocks, 0, bits);
    std::uint32_t stalled = 0;
    if (s == status::ok)
      s = memory.check(cudaMemcpyAsync(&stalled, &control.data()->stalled, 4,
                                       cudaMemcpyDefault, on));
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
#endif // CUDAOPT_LEVELIZE_ROW_LINES_HPP
