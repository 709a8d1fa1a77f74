// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reservations: the smallest iterations of a round that want to read and to
/// write each location. A word holds the round, inverted, above the iteration,
/// so that an atomic minimum keeps the smallest iteration, and words of earlier
/// rounds are larger than any of this one and need no clearing.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RESERVE_TOUCHES_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RESERVE_TOUCHES_HPP

#include "cudaopt/levelize/detail/inspect/findings.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// A round and an iteration in one word; ~0 is none.
using reservation = unsigned long long;
constexpr int iteration_bits = 40;
constexpr reservation iteration_mask = (reservation(1) << iteration_bits) - 1;
/// The round at which all words must be cleared, since the bits for rounds are
/// used up.
constexpr unsigned last_round = (1u << (64 - iteration_bits)) - 2;

/// The tables, by location, of the smallest iterations that write and that
/// read.
struct reservations {
  reservation *writers, *readers;

  /// The word of iteration \p i in \p round.
  CUDAOPT_HOST_DEVICE static reservation word(unsigned round, index_t i) {
    return reservation(last_round - round) << iteration_bits | reservation(i);
  }
  /// Returns true if \p word is of \p round and of an iteration before \p i.
  CUDAOPT_HOST_DEVICE static bool is_before(reservation word, unsigned round,
                                            index_t i) {
    return word >> iteration_bits == last_round - round &&
           index_t(word & iteration_mask) < i;
  }
};

/// The touch of the first step of a round: reserves all that an iteration would
/// access if it ran now. Indices out of range are ignored here.
struct reserving_touch {
  const location_map &map;
  const reservations &words;
  reservation mine;

  template <class T>
  __device__ std::remove_const_t<T> load(const array<T> &a, index_t j) {
    read(a, j);
    return map.contains(a.number(), j) ? load_relaxed(a.data + j)
                                       : std::remove_const_t<T>();
  }
  template <class T> __device__ void read(const array<T> &a, index_t j) {
    enter(words.readers, a.number(), j);
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    enter(words.writers, a.number(), j);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    enter(words.writers, a.number(), j);
  }

private:
  __device__ void enter(reservation *table, int number, index_t j) {
    if (!map.contains(number, j))
      return;
    reservation *p = table + map.first(number, j);
    for (unsigned k = 0; k < map.span[number]; ++k)
      if (load_relaxed(p + k) > mine)
        atomicMin(p + k, mine);
  }
};

/// The touch of the second step: finds out whether the iteration may commit.
struct conflict_touch {
  const location_map &map;
  const reservations &words;
  unsigned round;
  index_t iteration;
  bool is_blocked = false;  ///< A smaller iteration conflicts with it.
  bool is_unstable = false; ///< Its slice read what a smaller one will write.
  bool is_bad = false;      ///< An index is out of range.

  template <class T>
  __device__ std::remove_const_t<T> load(const array<T> &a, index_t j) {
    is_unstable |= is_before(words.writers, a.number(), j);
    return map.contains(a.number(), j) ? load_relaxed(a.data + j)
                                       : std::remove_const_t<T>();
  }
  template <class T> __device__ void read(const array<T> &a, index_t j) {
    is_blocked |= is_before(words.writers, a.number(), j);
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    is_blocked |= is_before(words.writers, a.number(), j);
    is_blocked |= is_before(words.readers, a.number(), j);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    write(a, j);
  }

private:
  __device__ bool is_before(const reservation *table, int number, index_t j) {
    if (!map.contains(number, j)) {
      is_bad = true;
      return false;
    }
    const index_t first = map.first(number, j);
    bool any = false;
    for (unsigned k = 0; k < map.span[number]; ++k)
      any |= reservations::is_before(load_relaxed(table + first + k), round,
                                     iteration);
    return any;
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RESERVE_TOUCHES_HPP
