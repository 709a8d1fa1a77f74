// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::atomic_reduction: loops that only update, by atomics in any order.
/// For operations that give the same bits in any order, and for others if the
/// caller does not want exact results. Where few locations get many updates,
/// they are privatized by block (private_bins.hpp).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_ATOMIC_REDUCTION_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_ATOMIC_REDUCTION_HPP

#include "cudaopt/levelize/detail/strategies/doall.hpp"
#include "cudaopt/levelize/detail/strategies/private_bins.hpp"
#include "cudaopt/levelize/detail/strategies/relaxed_memory.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The memory whose updates are atomics. If all 32 lanes of a warp update the
/// same element, their values are combined first, and one atomic remains.
struct atomic_memory : refused_accesses {
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op op, T v) const {
    T *place = a.data + j;
    if (__activemask() == ~0u) {
      int is_one = 0;
      (void)__match_all_sync(~0u, reinterpret_cast<unsigned long long>(place),
                             &is_one);
      if (is_one) {
        v = of_warp(op, v);
        if (lane_of_warp() == 0)
          update_atomic(place, op, v);
        return;
      }
    }
    update_atomic(place, op, v);
  }

private:
  template <class T, class Op> __device__ static T of_warp(Op op, T v) {
    if constexpr (sizeof(T) >= 2 && sizeof(T) <= 8) {
      using B =
          std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
      for (int d = warp_lanes / 2; d; d /= 2) {
        const B other = __shfl_xor_sync(~0u, B(bit_cast<bits_of<T>>(v)), d);
        v = op(v, bit_cast<T>(bits_of<T>(other)));
      }
    }
    return v;
  }
};

template <class Loop>
__global__ void __launch_bounds__(block_threads)
    run_atomically(Loop loop, index_t first, index_t iterations) {
  const index_t i = first + grid_thread();
  if (i < iterations) {
    atomic_memory memory;
    loop.body(i, memory);
  }
}

template <> struct on_device<strategy::atomic_reduction> {
  struct state : plan_state {
    updated_arrays arrays;
    neutral_bits nothing;
    buffer<std::uint64_t> tables; ///< Private ones of blocks, if there are any.
    int blocks = 0;               ///< The number of these tables.
    unsigned slot_bytes = 8;

    std::size_t bytes() const override { return tables.bytes(); }
  };

  template <class Loop>
  static constexpr bool applies = !is_self_indexing<Loop>::value;

  template <class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    auto made = std::make_unique<state>();
    update_facts facts{};
    status s = examine(in, loop, facts, made->arrays);
    if (s != status::ok)
      return s;
    if (facts.inexact && in.wanted.exact)
      return status::unsupported;
    for (int a = 0; a < made->arrays.count; ++a) {
      const update_kind &kind = made->arrays.kinds[a];
      if (kind.type != number_type::none && kind.bytes == 1)
        return status::unsupported; // CUDA has no atomics of bytes.
      made->nothing.of[a] = neutral(kind);
    }
    in.info.accesses = index_t(facts.accesses);
    made->slot_bytes = loop.arrays().largest_element <= 4 ? 4 : 8;
    if (s = make_tables(in, loop, *made, in.info.accesses); s != status::ok)
      return s;
    result = std::move(made);
    return status::ok;
  }

  template <class Loop>
  static status execute(state &of, const Loop &loop, index_t iterations,
                        stream s) {
    const updated_arrays arrays = arrays_at(of.arrays, loop.arrays());
    if (of.blocks > 0) {
      char *tables = reinterpret_cast<char *>(of.tables.data());
      const index_t locations = arrays.map.locations;
      gather_privately<<<of.blocks, private_threads,
                         unsigned(locations * of.slot_bytes), s>>>(
          loop, arrays, of.nothing, iterations, of.slot_bytes, tables);
      fold_tables<block_threads>
          <<<unsigned((locations + block_threads - 1) / block_threads),
             block_threads, 0, s>>>(arrays, of.nothing, of.blocks,
                                    of.slot_bytes, tables);
    } else {
      for_each_item(
          iterations, [&](unsigned blocks, int threads, index_t first) {
            run_atomically<<<blocks, threads, 0, s>>>(loop, first, iterations);
          });
    }
    return cudaGetLastError() == cudaSuccess ? status::ok : status::cuda_error;
  }

private:
  /// Makes private tables if they fit into shared memory and each location is
  /// updated at least 64 times on average.
  template <class Loop>
  static status make_tables(inspection &in, const Loop &, state &of,
                            index_t accesses) {
    const index_t bytes = in.map.locations * of.slot_bytes;
    if (bytes == 0 || bytes > most_private_bytes ||
        accesses < 64 * in.map.locations || accesses < (1 << 14))
      return status::ok;
    int a_processor = 1;
    (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &a_processor, gather_privately<Loop>, private_threads,
        std::size_t(bytes));
    const index_t enough =
        (in.iterations + private_threads - 1) / private_threads;
    of.blocks = int(std::min<index_t>(enough, std::max(1, a_processor) *
                                                  index_t(processor_count())));
    return of.tables.allocate(in.memory, (bytes * of.blocks + 7) / 8);
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_ATOMIC_REDUCTION_HPP
