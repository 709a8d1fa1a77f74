// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::last_writer: loops that only write their conflict arrays. An
/// inspection finds the last iteration that writes each location, by an atomic
/// maximum; then all iterations run at once and store only where they are the
/// last. Stores of one iteration to one location stay in their order, as one
/// thread makes them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_LAST_WRITER_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_LAST_WRITER_HPP

#include "cudaopt/levelize/detail/strategies/doall.hpp"
#include "cudaopt/levelize/detail/strategies/relaxed_memory.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

__device__ inline void raise(std::uint32_t *p, std::uint32_t v) {
  atomicMax(p, v);
}
__device__ inline void raise(std::uint64_t *p, std::uint64_t v) {
  atomicMax(reinterpret_cast<unsigned long long *>(p),
            static_cast<unsigned long long>(v));
}

/// The inspection's touch: owners[location] becomes 1 + the last iteration that
/// writes the location; 0 is none.
template <class Word> struct claiming_touch {
  const location_map &map;
  Word *owners;
  index_t iteration;
  bool is_bad = false, reads = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    is_bad |= !map.contains(a.number(), j);
    reads = true;
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    if (!map.contains(a.number(), j)) {
      is_bad = true;
      return;
    }
    const Word mine = Word(iteration + 1);
    const index_t first = map.first(a.number(), j);
    for (unsigned k = 0; k < map.span[a.number()]; ++k)
      // Threads come from the last iteration down: most find a later one.
      if (load_relaxed(owners + first + k) < mine)
        raise(owners + first + k, mine);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    read(a, j);
  }
};

template <class Word, class Loop>
__global__ void __launch_bounds__(block_threads)
    claim_locations(Loop loop, const __grid_constant__ location_map map,
                    index_t iterations, Word *owners, findings *found) {
  unsigned step = 0;
  for (index_t t = grid_thread(); t < iterations; t += grid_threads()) {
    if (step++ % 8 == 0 && is_refused(found))
      return;
    const index_t i = iterations - 1 - t;
    claiming_touch<Word> touch{map, owners, i};
    loop.slice(i, touch);
    if (touch.is_bad)
      note_bad(found, i);
    if (touch.reads)
      refuse(found);
  }
}

/// The execution's memory, which stores only what no later iteration
/// overwrites.
template <class Word> struct last_writer_memory : refused_accesses {
  const location_map &map;
  const Word *owners;
  index_t iteration;

  template <class T>
  __device__ void store(const array<T> &a, index_t j, T v) const {
    const Word mine = Word(iteration + 1);
    const index_t first = map.first(a.number(), j);
    const unsigned span = map.span[a.number()];
    if (span == 1) {
      if (__ldg(owners + first) == mine)
        a.data[j] = v;
      return;
    }
    // Parts of this element may have other owners, by arrays that overlap it.
    const unsigned grain = unsigned(sizeof(T)) / span;
    const char *from = reinterpret_cast<const char *>(&v);
    char *to = reinterpret_cast<char *>(a.data + j);
    for (unsigned k = 0; k < span; ++k)
      if (__ldg(owners + first + k) == mine)
        for (unsigned b = k * grain; b < (k + 1) * grain; ++b)
          to[b] = from[b];
  }
};

template <class Word, class Loop>
__global__ void __launch_bounds__(block_threads)
    run_last_writers(Loop loop, const __grid_constant__ location_map map,
                     index_t first, index_t iterations, const Word *owners) {
  const index_t i = first + grid_thread();
  if (i < iterations) {
    last_writer_memory<Word> memory{{}, map, owners, i};
    loop.body(i, memory);
  }
}

template <> struct on_device<strategy::last_writer> {
  struct state : plan_state {
    location_map map;
    buffer<std::uint32_t> words;      ///< By location: see claiming_touch.
    buffer<std::uint64_t> long_words; ///< Used instead for 2^32 iterations.

    std::size_t bytes() const override {
      return words.bytes() + long_words.bytes();
    }
  };

  template <class Loop>
  static constexpr bool applies = !is_self_indexing<Loop>::value;

  template <class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    auto made = std::make_unique<state>();
    made->map = in.map;
    const status s = fits_word(in.iterations)
                         ? claim(in, loop, made->words)
                         : claim(in, loop, made->long_words);
    if (s == status::ok)
      result = std::move(made);
    return s;
  }

  template <class Loop>
  static status execute(state &of, const Loop &loop, index_t iterations,
                        stream s) {
    if (fits_word(iterations))
      run(of.map, of.words.data(), loop, iterations, s);
    else
      run(of.map, of.long_words.data(), loop, iterations, s);
    return cudaGetLastError() == cudaSuccess ? status::ok : status::cuda_error;
  }

private:
  template <class Loop, class Word>
  static status claim(inspection &in, const Loop &loop, buffer<Word> &owners) {
    findings_buffer found;
    status s = owners.allocate_filled(in.memory, in.map.locations, 0);
    if (s == status::ok)
      s = found.allocate(in.memory);
    if (s != status::ok)
      return s;
    claim_locations<Word>
        <<<blocks_for(claim_locations<Word, Loop>, in.iterations),
           block_threads, 0, in.memory.on()>>>(loop, in.map, in.iterations,
                                               owners.data(), found.data());
    if (s = in.memory.check(cudaGetLastError()); s != status::ok)
      return s;
    findings seen;
    return found.judge(in, seen);
  }

  template <class Loop, class Word>
  static void run(const location_map &map, const Word *owners, const Loop &loop,
                  index_t iterations, stream s) {
    for_each_item(iterations, [&](unsigned blocks, int threads, index_t first) {
      run_last_writers<Word>
          <<<blocks, threads, 0, s>>>(loop, map, first, iterations, owners);
    });
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_LAST_WRITER_HPP
