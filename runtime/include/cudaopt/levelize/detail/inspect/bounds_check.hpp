// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks all indices of a loop, for strategies whose inspection looks at
/// nothing else.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_BOUNDS_CHECK_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_BOUNDS_CHECK_HPP

#include "cudaopt/levelize/detail/inspect/findings.hpp"
#include "cudaopt/levelize/detail/inspect/location_map.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The touch that only checks indices.
struct bounds_touch {
  const location_map &map;
  bool is_bad = false;

  template <class T> __device__ void read(const array<T> &a, index_t j) {
    is_bad |= !map.contains(a.number(), j);
  }
  template <class T> __device__ void write(const array<T> &a, index_t j) {
    is_bad |= !map.contains(a.number(), j);
  }
  template <class T, class Op>
  __device__ void update(const array<T> &a, index_t j, Op) {
    is_bad |= !map.contains(a.number(), j);
  }
};

template <class Loop>
__global__ void __launch_bounds__(block_threads)
    look_at_bounds(Loop loop, const __grid_constant__ location_map map,
                   index_t iterations, findings *found) {
  for (index_t i = grid_thread(); i < iterations; i += grid_threads()) {
    bounds_touch touch{map};
    loop.slice(i, touch);
    if (touch.is_bad)
      note_bad(found, i);
  }
}

/// status::index_out_of_range if some access is outside of its array. Waits for
/// the stream, unless all slices were examined before.
template <class Loop> status check_bounds(inspection &in, const Loop &loop) {
  if (in.is_examined)
    return status::ok;
  findings_buffer found;
  if (status s = found.allocate(in.memory); s != status::ok)
    return s;
  look_at_bounds<<<blocks_for(look_at_bounds<Loop>, in.iterations),
                   block_threads, 0, in.memory.on()>>>(
      loop, in.map, in.iterations, found.data());
  if (status s = in.memory.check(cudaGetLastError()); s != status::ok)
    return s;
  findings seen;
  return found.judge(in, seen);
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_BOUNDS_CHECK_HPP
