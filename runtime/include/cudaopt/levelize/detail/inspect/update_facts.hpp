// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the updates of a loop are: whether there is nothing else, of what types
/// and by what operations. A loop's code alone knows the types; folds that are
/// compiled once get them from here as numbers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_UPDATE_FACTS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_UPDATE_FACTS_HPP

#include "cudaopt/levelize/detail/inspect/findings.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

enum class number_type : std::uint8_t { none, natural, integer, floating };

template <class T> CUDAOPT_HOST_DEVICE constexpr number_type type_of() {
  if (std::is_same_v<T, bool> || !std::is_arithmetic_v<T> || !is_word<T>)
    return number_type::none;
  if (std::is_floating_point_v<T>)
    return number_type::floating;
  return std::is_signed_v<T> ? number_type::integer : number_type::natural;
}

/// How the elements of an array are updated.
struct update_kind {
  number_type type = number_type::none; ///< None: they are not updated.
  std::uint8_t bytes = 0;
  std::uint8_t operation = 0; ///< Op::id
};

/// The arrays of a loop that only updates, with the type and the operation of
/// each: what kernels that are compiled once for all loops need to know.
struct updated_arrays {
  location_map map;
  void *data[max_arrays] = {};
  update_kind kinds[max_arrays] = {};
  int count = 0;

  /// The array that has \p location; arrays do not overlap.
  CUDAOPT_HOST_DEVICE int array_of(index_t location) const {
    for (int a = 0; a < count; ++a)
      if (std::uint64_t(location - map.origin[a]) < std::uint64_t(map.size[a]))
        return a;
    return 0;
  }
};

struct examining_touch {
  const location_map &map;
  update_facts &facts;
  bool is_bad = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    is_bad |= !map.contains(a.number(), j);
    facts.others = 1;
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    read(a, j);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    is_bad |= !map.contains(a.number(), j);
    if constexpr (type_of<T>() == number_type::none || (Op::id > 6)) {
      facts.others = 1;
    } else {
      facts.operations |= 1ull << ((8 * a.number() + int(Op::id)) & 63);
      facts.types |= std::uint32_t(type_of<T>()) << (4 * a.number() & 31);
      if (!Op::template is_exact_in_any_order<T>)
        facts.inexact = 1;
      ++facts.accesses;
    }
  }
};

/// Adds a block's facts to those of the grid; called by one thread.
__device__ inline void add_of_block(const update_facts &some,
                                    update_facts &sum) {
  atomicOr(&sum.operations, some.operations);
  atomicAdd(&sum.accesses, some.accesses);
  atomicOr(&sum.types, some.types);
  atomicOr(&sum.others, some.others);
  atomicOr(&sum.inexact, some.inexact);
}
/// Adds the facts \p some of each lane to the block's; called by all lanes.
__device__ inline void add_of_warp(update_facts some, update_facts &block) {
  some.operations = warp_or(some.operations);
  some.accesses = warp_sum(some.accesses);
  some.types = warp_or(some.types);
  some.others = warp_or(some.others);
  some.inexact = warp_or(some.inexact);
  if (lane_of_warp() == 0)
    add_of_block(some, block);
}

template <class Loop>
__global__ void __launch_bounds__(block_threads)
    examine_updates(Loop loop, const __grid_constant__ location_map map,
                    index_t iterations, update_facts *result, findings *found) {
  update_facts mine{};
  for (index_t i = grid_thread(); i < iterations; i += grid_threads()) {
    examining_touch touch{map, mine};
    loop.slice(i, touch);
    if (touch.is_bad)
      note_bad(found, i);
  }
  __shared__ update_facts block;
  if (threadIdx.x == 0)
    block = update_facts{};
  __syncthreads();
  add_of_warp(mine, block);
  __syncthreads();
  if (threadIdx.x == 0)
    add_of_block(block, *result);
}

/// Returns \p arrays with the addresses of \p e.
inline updated_arrays arrays_at(updated_arrays arrays, const extents &e) {
  for (int a = 0; a < e.count; ++a)
    arrays.data[a] = e.items[a].data;
  return arrays;
}

/// Fills \p result from what the slices showed. status::unsupported unless the
/// loop only updates arrays that do not overlap, each by one operation.
inline status describe(const update_facts &facts, const extents &e,
                       const location_map &map, updated_arrays &result) {
  index_t elements = 0;
  result.map = map;
  result.count = e.count;
  for (int a = 0; a < e.count; ++a) {
    elements += map.size[a];
    const unsigned operations = unsigned(facts.operations >> (8 * a)) & 0xff;
    if (operations & (operations - 1))
      return status::unsupported;
    unsigned operation = 0;
    while (operations >> operation > 1)
      ++operation;
    result.kinds[a] = {number_type(facts.types >> (4 * a) & 15),
                       std::uint8_t(e.items[a].element_bytes),
                       std::uint8_t(operation)};
  }
  const bool overlap = !map.has_single_spans || elements != map.locations;
  return facts.others || overlap ? status::unsupported : status::ok;
}

/// Looks at all slices, unless that has been done, and waits for the stream.
template <class Loop>
status examine(inspection &in, const Loop &loop, update_facts &facts,
               updated_arrays &result) {
  if (in.is_examined) {
    facts = in.updates;
    return describe(facts, loop.arrays(), in.map, result);
  }
  buffer<update_facts> on_device;
  findings_buffer found;
  status s = on_device.allocate_filled(in.memory, 1, 0);
  if (s == status::ok)
    s = found.allocate(in.memory);
  if (s != status::ok)
    return s;
  const stream on = in.memory.on();
  examine_updates<<<blocks_for(examine_updates<Loop>, in.iterations),
                    block_threads, 0, on>>>(loop, in.map, in.iterations,
                                            on_device.data(), found.data());
  s = in.memory.check(cudaGetLastError());
  if (s == status::ok)
    s = in.memory.check(cudaMemcpyAsync(&facts, on_device.data(), sizeof(facts),
                                        cudaMemcpyDeviceToHost, on));
  findings seen;
  if (s == status::ok)
    s = found.judge(in, seen);
  if (s == status::ok)
    s = describe(facts, loop.arrays(), in.map, result);
  return s;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_UPDATE_FACTS_HPP
