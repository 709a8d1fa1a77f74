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

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

struct found_meetings {
  /// Iterations that meet another, and one modifies.
  std::uint32_t meets;
  std::uint32_t meets_far;   ///< Of these, others than near ones.
  std::uint32_t meets_twice; ///< Not 0: one meets others at two locations.
  std::uint32_t iterations;  ///< That were probed; 0: nothing is known.
};

constexpr int probe_bits = 14, probe_table_bits = 16;
constexpr index_t probed_iterations = index_t(1) << probe_bits;
constexpr index_t probe_table_size = index_t(1) << probe_table_bits;

/// What is nearer than this, windows (loop_sample.hpp) see.
constexpr index_t near_iterations = 512;

/// The levels of a loop whose iterations meet at random, if its beginning is
/// like the rest: e times as many as those that one iteration waits for.
inline double levels_by_chance(const found_meetings &found,
                               index_t iterations) {
  if (found.iterations == 0)
    return 1;
  const double probed = found.iterations;
  const double before =
      0.5 * double(found.meets_far) / probed * double(iterations) / probed;
  return 1 + 2.7 * before;
}

/// A location and an iteration for each hash of a location; 0: none. Null: the
/// loop is not probed.
struct probe_tables {
  unsigned long long *writers, *readers;
};

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
  bool meets_twice = false, meets_far = false;

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
  __device__ bool is_other(unsigned long long there, index_t location) {
    if (there >> probe_bits != static_cast<unsigned long long>(location + 1) ||
        there == name(location))
      return false;
    const index_t other = index_t(there) & (probed_iterations - 1);
    meets_far |= other - iteration > near_iterations ||
                 iteration - other > near_iterations;
    return true;
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

/// Iteration \p i leaves its names.
template <class Loop>
__device__ void leave_names(const Loop &loop, index_t i,
                            const location_map &map,
                            const probe_tables &tables) {
  probing_touch<false> touch{map, tables, i};
  loop.slice(i, touch);
}

/// Once all names are there.
template <class Loop>
__global__ void __launch_bounds__(block_threads)
    look_for_names(Loop loop, index_t iterations,
                   const __grid_constant__ location_map map,
                   probe_tables tables, found_meetings *found) {
  const index_t i = grid_thread();
  probing_touch<true> touch{map, tables, i};
  if (i < iterations)
    loop.slice(i, touch);
  const unsigned met = __ballot_sync(~0u, touch.met >= 0);
  const unsigned far = __ballot_sync(~0u, touch.meets_far);
  if (met && lane_of_warp() == 0) {
    atomicAdd(&found->meets, unsigned(__popc(met)));
    atomicAdd(&found->meets_far, unsigned(__popc(far)));
  }
  if (touch.meets_twice)
    store_relaxed(&found->meets_twice, 1u);
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_MEETING_PROBE_HPP
