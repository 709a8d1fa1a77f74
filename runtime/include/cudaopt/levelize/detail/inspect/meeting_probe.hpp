// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A probe: do the first iterations of a loop meet, that is, conflict over a
/// location? Each leaves its name in a hash table by location, and then looks
/// for other names. Meetings that are found are real; others may be missed,
/// since the tables are small and the last name stays in an entry.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_MEETING_PROBE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_MEETING_PROBE_HPP

#include "cudaopt/levelize/detail/inspect/inspection.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// What a probe found.
struct found_meetings {
  /// Iterations that meet another, where one of the two modifies.
  std::uint32_t meets;
  std::uint32_t meets_twice; ///< Not 0: one meets others at two locations.
  std::uint32_t iterations;  ///< Those probed; 0: nothing is known.
  std::uint32_t unused;
};

constexpr int probe_bits = 16;
constexpr index_t probed_iterations = index_t(1) << probe_bits;

/// log2 of a table's size: four entries for each iteration, within limits.
inline int probe_table_bits(index_t iterations) {
  int bits = 8;
  while (bits < probe_bits + 2 && index_t(1) << bits < 4 * iterations)
    ++bits;
  return bits;
}

/// Returns how many others an iteration of \p iterations meets on average, if
/// meetings come about by chance: a Poisson distribution whose share of zeros
/// the probe has shown.
inline double partners_of(const found_meetings &found, index_t iterations) {
  if (found.iterations == 0)
    return 0;
  const double probed = found.iterations;
  // An iteration that meets two others counts once. Where nearly all meet, the
  // share of zeros is too small to tell.
  const double share = std::min(double(found.meets) / probed, 0.95);
  return -std::log(1 - share) / probed * double(iterations);
}

/// The tables, by hash of the location: a name, which is a location and an
/// iteration; 0 is none. Null if the loop is not probed.
struct probe_tables {
  unsigned long long *writers, *readers;
  int bits; ///< log2 of their size.

  __device__ unsigned place(index_t location) const {
    return unsigned(std::uint64_t(location) * 0x9e3779b97f4a7c15ull >>
                    (64 - bits));
  }
};

/// \p Checks: looks for others at its locations, else leaves its name there.
template <bool Checks> struct probing_touch {
  const location_map &map;
  const probe_tables &tables;
  index_t iteration;
  index_t met = -1; ///< A location where others are.
  unsigned seen = 0;
  bool meets_twice = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    visit(a.number(), j, false);
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    visit(a.number(), j, true);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    visit(a.number(), j, true);
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
    if (seen++ >= most_looked_at || !map.contains(number, j))
      return;
    for (unsigned k = 0; k < map.span[number]; ++k) {
      const index_t location = map.first(number, j) + index_t(k);
      const unsigned place = tables.place(location);
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

/// Lets iteration \p i leave its names.
template <class Loop>
__device__ void leave_names(const Loop &loop, index_t i,
                            const location_map &map,
                            const probe_tables &tables) {
  probing_touch<false> touch{map, tables, i};
  loop.slice(i, touch);
}

/// Lets all iterations look for other names; all have left theirs.
template <class Loop>
__global__ void __launch_bounds__(block_threads)
    look_for_names(Loop loop, index_t iterations,
                   const __grid_constant__ location_map map,
                   probe_tables tables, found_meetings *found) {
  const index_t i = grid_thread();
  probing_touch<true> touch{map, tables, i};
  if (i < iterations)
    loop.slice(i, touch);
  const int met = __syncthreads_count(touch.met >= 0);
  if (met && threadIdx.x == 0)
    atomicAdd(&found->meets, unsigned(met));
  if (touch.meets_twice)
    store_relaxed(&found->meets_twice, 1u);
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_MEETING_PROBE_HPP
