// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Privatization of updates where few locations are hot, as in a histogram of
/// 256 bins: each block of threads updates a table of its own in shared memory,
/// and the blocks' tables are folded into the arrays afterwards. Only for
/// operations that may be made in any order.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_PRIVATE_BINS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_PRIVATE_BINS_HPP

#include "cudaopt/levelize/detail/inspect/update_kinds.hpp"
#include "cudaopt/levelize/detail/strategies/atomic_update.hpp"
#include "cudaopt/levelize/detail/strategies/relaxed_memory.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// Threads of a block, and the most bytes of its table: what shared memory a
/// kernel gets without asking for more.
constexpr int private_threads = 512;
constexpr index_t most_private_bytes = 48 * 1024;

/// The neutral element of each array's operation, as bits.
struct neutral_bits {
  std::uint64_t of[max_arrays] = {};
};

/// The bits of the value e with op(x, e) = x for all x.
inline std::uint64_t neutral(const update_kind &k) {
  const unsigned bits = 8u * k.bytes;
  const std::uint64_t ones = ~std::uint64_t(0) >> (64 - (bits ? bits : 64));
  const std::uint64_t top = ones ^ (ones >> 1);
  const bool is_float = k.type == number_type::floating;
  const bool is_double = is_float && k.bytes == 8;
  const std::uint64_t infinity = is_double ? 0x7ff0000000000000u : 0x7f800000u;
  switch (k.operation) {
  case plus::id: // x + -0.0 is x, 0.0 and -0.0 among them.
    return is_float ? top : 0;
  case multiplies::id:
    return !is_float ? 1 : is_double ? 0x3ff0000000000000u : 0x3f800000u;
  case minimum::id:
    return is_float                         ? infinity
           : k.type == number_type::integer ? ones >> 1
                                            : ones;
  case maximum::id:
    return is_float ? infinity | top : k.type == number_type::integer ? top : 0;
  case bit_and::id:
    return ones;
  default:
    return 0;
  }
}

/// The memory that updates a block's own table, which has a slot for each
/// location.
struct private_memory : refused_accesses {
  const location_map &map;
  char *slots;
  unsigned slot_bytes;

  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op op, T v) const {
    update_atomic(
        reinterpret_cast<T *>(slots + map.first(a.number(), j) * slot_bytes),
        op, v);
  }
};

/// Runs all iterations on tables in shared memory, and copies each block's
/// table to \p tables.
template <class Loop>
__global__ void __launch_bounds__(private_threads)
    gather_privately(Loop loop, const __grid_constant__ updated_arrays arrays,
                     const __grid_constant__ neutral_bits nothing,
                     index_t iterations, unsigned slot_bytes, char *tables) {
  extern __shared__ std::uint64_t shared_slots[];
  char *slots = reinterpret_cast<char *>(shared_slots);
  const index_t locations = arrays.map.locations;
  for (index_t l = threadIdx.x; l < locations; l += blockDim.x)
    memcpy(slots + l * slot_bytes, &nothing.of[arrays.array_of(l)],
           slot_bytes == 8 ? 8 : 4);
  __syncthreads();
  private_memory memory{{}, arrays.map, slots, slot_bytes};
  for (index_t i = grid_thread(); i < iterations; i += grid_threads())
    loop.body(i, memory);
  __syncthreads();
  const index_t words = locations * slot_bytes / 4;
  std::uint32_t *table =
      reinterpret_cast<std::uint32_t *>(tables) + blockIdx.x * words;
  for (index_t w = threadIdx.x; w < words; w += blockDim.x)
    table[w] = reinterpret_cast<const std::uint32_t *>(slots)[w];
}

/// Folds the tables of \p number blocks into the arrays; a thread has a
/// location. Slots that still hold the neutral element are left out, so that an
/// element that no iteration updated keeps its bits.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    fold_tables(const __grid_constant__ updated_arrays arrays,
                const __grid_constant__ neutral_bits nothing, int number,
                unsigned slot_bytes, const char *tables) {
  const index_t locations = arrays.map.locations;
  const index_t l = grid_thread();
  if (l >= locations)
    return;
  const folded_element e = element_at(arrays, l);
  const std::uint64_t skip = nothing.of[arrays.array_of(l)];
  with_kind(e.kind, [&](auto zero, auto op) {
    using V = decltype(zero);
    V x = load_number<V>(e.place, e.kind.bytes);
    for (int t = 0; t < number; ++t) {
      const char *slot = tables + (t * locations + l) * slot_bytes;
      if (load_number<std::uint64_t>(slot, e.kind.bytes) != skip)
        x = op(x, load_number<V>(slot, e.kind.bytes));
    }
    store_number(e.place, e.kind.bytes, x);
  });
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_PRIVATE_BINS_HPP
