// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether the first iterations of a loop meet. What they show is true of the
/// loop; what they do not show may be there all the same, since the tables are
/// small and whoever comes last stays in them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_MEETING_PROBE_HPP
#define CUDAOPT_LEVELIZE_MEETING_PROBE_HPP

#include "cudaopt/levelize/inspection.hpp"
#include "cudaopt/levelize/launch.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

struct found_meetings {
  std::uint32_t meets;       ///< Two iterations meet, and one modifies.
  std::uint32_t meets_twice; ///< One meets others at two locations.
};

constexpr int probe_bits = 14, probe_table_bits = 16;
constexpr index_t probed_iterations = index_t(1) << probe_bits;
constexpr index_t probe_table_size = index_t(1) << probe_table_bits;

/// A location and an iteration for each hash of a location; 0: none.
struct probe_tables {
  unsigned long long *writers, *readers;
};

#if defined(__CUDACC__)
__device__ inline unsigned probe_place(index_t location) {
  return unsigned(std::uint64_t(location) * 0x9e3779b97f4a7c15ull >>
                  (64 - probe_table_bits));
}

/// \p Checks: looks for others at its locations, else leaves its name there.
template <bool Checks> struct probing_touch {
  const location_map &map;
  const probe_tables &tables;
  index_t iteration;
  index_t met = -1; ///< A location where others are.
  bool meets_twice = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    visit(a.number, j, false);
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    visit(a.number, j, true);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    visit(a.number, j, true);
  }

private:
  __device__ unsigned long long name(index_t location) const {
    return static_cast<unsigned long long>(location + 1) << probe_bits |
           static_cast<unsigned long long>(iteration);
  }
  __device__ bool is_other(unsigned long long there, index_t location) const {
    return there >> probe_bits ==
               static_cast<unsigned long long>(location + 1) &&
           there != name(location);
  }
  __device__ void visit(int number, index_t j, bool modifies) {
    if (!map.contains(number, j))
      return;
    for (unsigned k = 0; k < map.span[number]; ++k) {
      const index_t location = map.first(number, j) + index_t(k);
      const unsigned place = probe_place(location);
      if (!Checks) {
        store_relaxed((modifies ? tables.writers : tables.readers) + place,
                      name(location));
      } else if (location != met &&
                 (is_other(tables.writers[place], location) ||
                  (modifies && is_other(tables.readers[place], location)))) {
        meets_twice |= met >= 0;
        met = location;
      }
    }
  }
};

template <class Loop>
__global__ void __launch_bounds__(block_threads)
    leave_names(Loop loop, index_t iterations,
                const __grid_constant__ location_map map, probe_tables tables) {
  const index_t i = grid_thread();
  if (i >= iterations)
    return;
  probing_touch<false> touch{map, tables, i};
  loop.slice(i, touch);
}

template <class Loop>
__global__ void __launch_bounds__(block_threads)
    look_for_names(Loop loop, index_t iterations,
                   const __grid_constant__ location_map map,
                   probe_tables tables, found_meetings *found) {
  const index_t i = grid_thread();
  if (i >= iterations)
    return;
  probing_touch<true> touch{map, tables, i};
  loop.slice(i, touch);
  if (touch.met >= 0)
    store_relaxed(&found->meets, 1u);
  if (touch.meets_twice)
    store_relaxed(&found->meets_twice, 1u);
}

/// Writes to \p found, which is clear. \p tables has twice probe_table_size
/// words, clear as well.
template <class Loop>
void probe_meetings(const inspection &in, const Loop &loop,
                    unsigned long long *tables, found_meetings *found) {
  const index_t n =
      in.iterations < probed_iterations ? in.iterations : probed_iterations;
  const auto blocks = unsigned((n + block_threads - 1) / block_threads);
  const probe_tables both{tables, tables + probe_table_size};
  leave_names<<<blocks, block_threads, 0, in.memory.on()>>>(loop, n, in.map,
                                                            both);
  look_for_names<<<blocks, block_threads, 0, in.memory.on()>>>(loop, n, in.map,
                                                               both, found);
}
#endif

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_MEETING_PROBE_HPP
