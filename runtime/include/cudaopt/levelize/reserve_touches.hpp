// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The smallest iterations of a round that want to read and to write each
/// location. A word holds the round, inverted, above the iteration, so that
/// words of earlier rounds are larger than any of this one and need no
/// clearing.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_RESERVE_TOUCHES_HPP
#define CUDAOPT_LEVELIZE_RESERVE_TOUCHES_HPP

#include "cudaopt/levelize/findings.hpp"
#include "cudaopt/levelize/launch.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

using reservation = unsigned long long;
constexpr int iteration_bits = 40;
constexpr reservation iteration_mask = (reservation(1) << iteration_bits) - 1;
/// Rounds until all words are cleared.
constexpr unsigned last_round = (1u << (64 - iteration_bits)) - 2;

/// Where iterations of a round are smallest at each location.
struct reservations {
  reservation *writers, *readers;

  CUDAOPT_HOST_DEVICE static reservation word(unsigned round, index_t i) {
    return reservation(last_round - round) << iteration_bits | reservation(i);
  }
  /// Whether \p word is an iteration of \p round before \p i.
  CUDAOPT_HOST_DEVICE static bool is_before(reservation word, unsigned round,
                                            index_t i) {
    return word >> iteration_bits == last_round - round &&
           index_t(word & iteration_mask) < i;
  }
};

/// Writes down what an iteration wants, as its slice finds memory now.
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

/// Finds who is in the way.
struct conflict_touch {
  const location_map &map;
  const reservations &words;
  unsigned round;
  index_t iteration;
  bool is_blocked = false;  ///< Someone before it meets it.
  bool is_unstable = false; ///< The slice itself read what will change.
  bool is_bad = false;

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
#endif // CUDAOPT_LEVELIZE_RESERVE_TOUCHES_HPP
