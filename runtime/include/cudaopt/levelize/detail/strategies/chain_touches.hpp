// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The inspection of strategy::chains: finds each iteration's location in
/// conflict, which is one that several iterations access and one of them
/// writes, and refuses loops where an iteration has two. Three passes over all
/// slices:
///
///   1. each iteration leaves its number at its locations; the last one stays
///   2. who finds another's number there marks the location as shared
///   3. each iteration looks which of its locations are shared and written
///
/// A location of two iterations is always marked, since only one of the two
/// numbers can be there.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CHAIN_TOUCHES_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CHAIN_TOUCHES_HPP

#include "cudaopt/levelize/detail/inspect/findings.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// What is known of each location.
template <class Word> struct sharing {
  Word *owners;          ///< Some iteration that accesses it.
  std::uint8_t *written; ///< 1: some iteration writes it.
  std::uint8_t *shared;  ///< 1: at least two iterations access it.
};

/// The touch of the first pass.
template <class Word> struct visiting_touch {
  const location_map &map;
  const sharing<Word> &known;
  index_t iteration;
  bool is_bad = false;

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
  __device__ void visit(int number, index_t j, bool writes) {
    if (!map.contains(number, j)) {
      is_bad = true;
      return;
    }
    const index_t first = map.first(number, j);
    for (unsigned k = 0; k < map.span[number]; ++k) {
      store_relaxed(known.owners + first + k, Word(iteration));
      // Flags of hot locations are in the L1 cache, so that they cost a load.
      if (writes && !known.written[first + k])
        store_relaxed(known.written + first + k, std::uint8_t(1));
    }
  }
};

/// The touch of the second pass. All indices are in range.
template <class Word> struct meeting_touch {
  const location_map &map;
  const sharing<Word> &known;
  index_t iteration;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    const index_t first = map.first(a.number(), j);
    for (unsigned k = 0; k < map.span[a.number()]; ++k)
      if (known.owners[first + k] != Word(iteration) &&
          !known.shared[first + k])
        store_relaxed(known.shared + first + k, std::uint8_t(1));
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    read(a, j);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    read(a, j);
  }
};

/// The touch of the third pass.
template <class Word> struct choosing_touch {
  const location_map &map;
  const sharing<Word> &known;
  /// The location in conflict; map.locations if none was found so far.
  index_t location;
  bool has_two = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    const index_t first = map.first(a.number(), j);
    for (unsigned k = 0; k < map.span[a.number()]; ++k) {
      const index_t here = first + k;
      if (here == location || !known.shared[here] || !known.written[here])
        continue;
      has_two |= location != map.locations;
      location = here;
    }
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    read(a, j);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    read(a, j);
  }
};

template <class Word, class Loop>
__global__ void __launch_bounds__(block_threads)
    visit_locations(Loop loop, const __grid_constant__ location_map map,
                    index_t iterations, sharing<Word> known, findings *found) {
  for (index_t i = grid_thread(); i < iterations; i += grid_threads()) {
    visiting_touch<Word> touch{map, known, i};
    loop.slice(i, touch);
    if (touch.is_bad)
      note_bad(found, i);
  }
}

template <class Word, class Loop>
__global__ void __launch_bounds__(block_threads)
    find_meetings(Loop loop, const __grid_constant__ location_map map,
                  index_t iterations, sharing<Word> known, findings *found) {
  if (first_bad(found) != none_bad)
    return;
  for (index_t i = grid_thread(); i < iterations; i += grid_threads()) {
    meeting_touch<Word> touch{map, known, i};
    loop.slice(i, touch);
  }
}

template <class Word, class Loop>
__global__ void __launch_bounds__(block_threads)
    choose_locations(Loop loop, const __grid_constant__ location_map map,
                     index_t iterations, sharing<Word> known, Word *locations,
                     Word *numbers, findings *found) {
  if (first_bad(found) != none_bad)
    return;
  unsigned step = 0;
  for (index_t i = grid_thread(); i < iterations; i += grid_threads()) {
    if (step++ % 8 == 0 && is_refused(found))
      return;
    choosing_touch<Word> touch{map, known, map.locations};
    loop.slice(i, touch);
    if (touch.has_two)
      refuse(found);
    locations[i] = Word(touch.location);
    numbers[i] = Word(i);
  }
}

/// Writes each iteration's location in conflict, or map.locations if it has
/// none, and the iteration's number. status::unsupported if an iteration has
/// two. Waits for the stream.
template <class Word, class Loop>
status find_chain_locations(inspection &in, const Loop &loop, Word *locations,
                            Word *numbers) {
  buffer<Word> owners;
  buffer<std::uint8_t> flags;
  findings_buffer found;
  status s = owners.allocate(in.memory, in.map.locations);
  if (s == status::ok)
    s = flags.allocate_filled(in.memory, 2 * in.map.locations, 0);
  if (s == status::ok)
    s = found.allocate(in.memory);
  if (s != status::ok)
    return s;
  const stream on = in.memory.on();
  const sharing<Word> known{owners.data(), flags.data(),
                            flags.data() + in.map.locations};
  auto blocks = [&](auto *kernel) { return blocks_for(kernel, in.iterations); };
  visit_locations<<<blocks(visit_locations<Word, Loop>), block_threads, 0,
                    on>>>(loop, in.map, in.iterations, known, found.data());
  find_meetings<<<blocks(find_meetings<Word, Loop>), block_threads, 0, on>>>(
      loop, in.map, in.iterations, known, found.data());
  choose_locations<<<blocks(choose_locations<Word, Loop>), block_threads, 0,
                     on>>>(loop, in.map, in.iterations, known, locations,
                           numbers, found.data());
  s = in.memory.check(cudaGetLastError());
  findings seen;
  if (s == status::ok)
    s = found.judge(in, seen);
  owners.give_back(in.memory);
  flags.give_back(in.memory);
  return s;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CHAIN_TOUCHES_HPP
