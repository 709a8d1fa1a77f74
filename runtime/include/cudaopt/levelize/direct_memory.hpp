// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The `memory` of bodies whose accesses go straight to the arrays
/// (direct_memory).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DIRECT_MEMORY_HPP
#define CUDAOPT_LEVELIZE_DIRECT_MEMORY_HPP

#include "cudaopt/levelize/array.hpp"

namespace cudaopt {

/// Plain accesses, by which a program can run a body itself: in one thread, or
/// in threads whose iterations never access one location, unless both read.
///
/// \code{.cpp}
/// void run_in_order(const scatter &loop, cudaopt::index_t n) {
///   cudaopt::direct_memory memory;
///   for (cudaopt::index_t i = 0; i < n; ++i)
///     loop.body(i, memory);
/// }
/// \endcode
///
/// No function checks an index, waits or synchronises. All are for the host and
/// the device; the array's memory must be reachable there.
struct direct_memory {
  /// Returns element \p j of \p a.
  template <class T>
  CUDAOPT_HOST_DEVICE std::remove_const_t<T> load(const array<T> &a,
                                                  index_t j) const {
    return a.data[j];
  }
  /// Sets element \p j of \p a to \p v.
  template <class T>
  CUDAOPT_HOST_DEVICE void store(const array<T> &a, index_t j, T v) const {
    a.data[j] = v;
  }
  /// Sets element \p j of \p a to op(that element, \p v): a load and a store,
  /// not an atomic.
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op op,
                                  T v) const {
    a.data[j] = op(a.data[j], v);
  }
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_DIRECT_MEMORY_HPP
