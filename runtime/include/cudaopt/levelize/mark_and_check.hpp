// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds out whether iterations of a loop meet, without sorting: each write
/// leaves its iteration's number at its location, whoever comes last; then each
/// access looks whether another iteration's number is there. Two writers of one
/// location cannot both find their own number. No atomics are needed.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_MARK_AND_CHECK_HPP
#define CUDAOPT_LEVELIZE_MARK_AND_CHECK_HPP

#include "cudaopt/levelize/findings.hpp"
#include "cudaopt/levelize/launch.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

template <class Word> struct marking_touch {
  const location_map &map;
  Word *owners;
  index_t iteration;
  bool is_bad = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    is_bad |= !map.contains(a.number, j);
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    if (!map.contains(a.number, j)) {
      is_bad = true;
      return;
    }
    const index_t first = map.first(a.number, j);
    for (unsigned k = 0; k < map.span[a.number]; ++k)
      store_relaxed(owners + first + k, Word(iteration));
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    write(a, j);
  }
};

template <class Word> struct checking_touch {
  const location_map &map;
  const Word *owners;
  index_t iteration;
  bool meets = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    const index_t first = map.first(a.number, j);
    for (unsigned k = 0; k < map.span[a.number]; ++k) {
      const Word owner = owners[first + k];
      meets |= owner != Word(iteration) && owner != Word(~Word(0));
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
    mark_writes(Loop loop, const __grid_constant__ location_map map,
                index_t iterations, Word *owners, findings *found) {
  if (is_refused(found) || has_bad(found))
    return; // By the sample.
  for (index_t i = grid_thread(); i < iterations; i += grid_threads()) {
    marking_touch<Word> touch{map, owners, i};
    loop.slice(i, touch);
    if (touch.is_bad)
      note_bad(found, i);
  }
}

template <class Word, class Loop>
__global__ void __launch_bounds__(block_threads)
    check_accesses(Loop loop, const __grid_constant__ location_map map,
                   index_t iterations, const Word *owners, findings *found) {
  if (has_bad(found))
    return; // An index out of range has no location.
  unsigned step = 0;
  for (index_t i = grid_thread(); i < iterations; i += grid_threads()) {
    if (step++ % 8 == 0 && is_refused(found))
      return;
    checking_touch<Word> touch{map, owners, i};
    loop.slice(i, touch);
    if (touch.meets)
      refuse(found);
  }
}

/// Loops longer than this are tried on a beginning first: those with many
/// conflicts are given up soon.
constexpr index_t sampled_iterations = index_t(1) << 18;

template <class Word, class Loop>
status mark_and_check(inspection &in, const Loop &loop) {
  buffer<Word> owners;
  findings_buffer found;
  status s = owners.allocate(in.memory, in.map.locations);
  if (s == status::ok)
    s = found.allocate(in.memory);
  if (s == status::ok && owners.size())
    s = in.memory.check(cudaMemsetAsync(owners.data(), 0xff, owners.bytes(),
                                        in.memory.on()));
  if (s != status::ok)
    return s;
  auto pass = [&](index_t iterations) {
    mark_writes<Word><<<blocks_for(mark_writes<Word, Loop>, iterations),
                        block_threads, 0, in.memory.on()>>>(
        loop, in.map, iterations, owners.data(), found.data());
    check_accesses<Word><<<blocks_for(check_accesses<Word, Loop>, iterations),
                           block_threads, 0, in.memory.on()>>>(
        loop, in.map, iterations, owners.data(), found.data());
  };
  if (in.iterations > 4 * sampled_iterations)
    pass(sampled_iterations);
  pass(in.iterations);
  s = in.memory.check(cudaGetLastError());
  findings result;
  if (s == status::ok)
    s = found.judge(in, result);
  owners.give_back(in.memory);
  return s;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_MARK_AND_CHECK_HPP
