// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::reserve: rounds of reservations and commits, for loops whose
/// slices read what the loop writes: greedy matchings, union-find. In a round
/// each iteration of a stretch reserves what it would access if it ran now.
/// Those run that conflict with no smaller iteration and are below the first
/// whose slice read what a smaller one will write: the accesses of that one,
/// and whatever they imply for later ones, cannot be trusted yet. The rest goes
/// to the next round. The smallest one always runs, so that each round makes
/// progress.
///
/// Slices may load only what the iteration has not written before. All rounds
/// are in one cooperative kernel. execute() waits for the stream, as it must
/// tell of indices out of range; in that case it restores the conflict arrays
/// from a backup, which loops have whose slices read them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RESERVE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RESERVE_HPP

#include "cudaopt/levelize/detail/inspect/bounds_check.hpp"
#include "cudaopt/levelize/detail/strategies/reserve_rounds.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

template <> struct on_device<strategy::reserve> {
  struct state : plan_state {
    location_map map;
    buffer<reservation> words; ///< Of writers, then of readers, by location.
    buffer<index_t> lists;     ///< Two lists of iterations.
    buffer<std::uint8_t> flags;
    buffer<round_counters> counters;
    buffer<rounds_result> result;
    buffer<char> backup;
    unsigned rounds = 0; ///< Rounds of the last execution.

    std::size_t bytes() const override {
      return words.bytes() + lists.bytes() + flags.bytes() + counters.bytes() +
             result.bytes() + backup.bytes();
    }
  };

  template <class Loop> static constexpr bool applies = true;

  template <class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    if (in.iterations >= index_t(iteration_mask))
      return status::unsupported;
    auto made = std::make_unique<state>();
    made->map = in.map;
    std::size_t array_bytes = 0;
    if constexpr (is_self_indexing<Loop>::value) {
      const extents e = loop.arrays();
      for (int a = 0; a < e.count; ++a)
        array_bytes += bytes_of(e.items[a]);
    } else if (status s = check_bounds(in, loop); s != status::ok) {
      return s;
    }
    const index_t capacity = std::min(in.iterations, most_in_a_round);
    status s = expect_code(in.memory, run_rounds<Loop>);
    if (s == status::ok)
      s = made->words.allocate(in.memory, 2 * in.map.locations);
    if (s == status::ok)
      s = made->lists.allocate(in.memory, 2 * capacity);
    if (s == status::ok)
      s = made->flags.allocate(in.memory, capacity);
    if (s == status::ok)
      s = made->counters.allocate(in.memory, counter_sets);
    if (s == status::ok)
      s = made->result.allocate(in.memory, 1);
    if (s == status::ok)
      s = made->backup.allocate(in.memory, index_t(array_bytes));
    if (s == status::ok)
      result = std::move(made);
    return s;
  }

  template <class Loop>
  static status execute(state &of, const Loop &loop, index_t iterations,
                        stream s) {
    if (iterations == 0)
      return status::ok;
    if (is_captured(s))
      return status::capturing;
    const extents arrays = loop.arrays();
    cudaError_t e = copy_arrays(of, arrays, true, s);
    if (e == cudaSuccess)
      e = cudaMemsetAsync(of.words.data(), 0xff, of.words.bytes(), s);
    if (e == cudaSuccess)
      e = launch(of, loop, iterations, s);
    rounds_result result{};
    if (e == cudaSuccess)
      e = cudaMemcpyAsync(&result, of.result.data(), sizeof(result),
                          cudaMemcpyDeviceToHost, s);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(s);
    of.rounds = result.rounds;
    if (e == cudaSuccess && result.bad_iteration != ~0ull) {
      e = copy_arrays(of, arrays, false, s);
      if (e == cudaSuccess)
        return status::index_out_of_range;
    }
    return e == cudaSuccess ? status::ok : status::cuda_error;
  }

private:
  static std::size_t bytes_of(const extent &e) {
    return std::size_t(e.size) * e.element_bytes;
  }

  /// Copies all arrays into the backup (\p in) or out of it, if there is one.
  static cudaError_t copy_arrays(state &of, const extents &arrays, bool in,
                                 stream s) {
    char *place = of.backup.data();
    for (int a = 0; place && a < arrays.count; ++a) {
      const std::size_t bytes = bytes_of(arrays.items[a]);
      void *data = arrays.items[a].data;
      const cudaError_t e =
          cudaMemcpyAsync(in ? place : data, in ? data : place, bytes,
                          cudaMemcpyDeviceToDevice, s);
      if (e != cudaSuccess)
        return e;
      place += bytes;
    }
    return cudaSuccess;
  }

  template <class Loop>
  static cudaError_t launch(state &of, Loop loop, index_t iterations,
                            stream s) {
    const index_t capacity = of.flags.size();
    rounds_view view{{of.words.data(), of.words.data() + of.map.locations},
                     {of.lists.data(), of.lists.data() + capacity},
                     of.flags.data(),
                     of.counters.data(),
                     of.result.data(),
                     capacity};
    void *arguments[] = {&loop, &of.map, &iterations, &view};
    const int blocks = blocks_for(run_rounds<Loop>, capacity);
    return cudaLaunchCooperativeKernel(
        reinterpret_cast<const void *>(run_rounds<Loop>),
        dim3(unsigned(blocks)), dim3(block_threads), arguments, 0, s);
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RESERVE_HPP
