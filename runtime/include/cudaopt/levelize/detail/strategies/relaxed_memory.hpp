// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Memories of bodies that strategies give them besides direct_memory: relaxed
/// atomic accesses, and the base of memories that refuse some accesses.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RELAXED_MEMORY_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RELAXED_MEMORY_HPP

#include "cudaopt/levelize/array.hpp"
#include "cudaopt/levelize/detail/support/memory.hpp"

namespace cudaopt::detail {

/// Relaxed atomic accesses, which reach the memory that all threads see: for
/// dataflows, whose counters order the iterations that meet. Plain accesses
/// could stay in the L1 cache of one multiprocessor. An update is a load and a
/// store, not one atomic.
struct relaxed_memory {
  template <class T>
  CUDAOPT_HOST_DEVICE std::remove_const_t<T> load(const array<T> &a,
                                                  index_t j) const {
    return detail::load_relaxed(a.data + j);
  }
  template <class T>
  CUDAOPT_HOST_DEVICE void store(const array<T> &a, index_t j, T v) const {
    detail::store_relaxed(a.data + j, v);
  }
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op op,
                                  T v) const {
    store(a, j, op(load(a, j), v));
  }
};

/// The base of memories for loops that only write, or only update. Loops with
/// other accesses were refused by the inspection, but their bodies are compiled
/// all the same; such accesses do nothing here.
struct refused_accesses {
  template <class T>
  CUDAOPT_HOST_DEVICE std::remove_const_t<T> load(const array<T> &a,
                                                  index_t j) const {
    return a.data[j];
  }
  template <class T>
  CUDAOPT_HOST_DEVICE void store(const array<T> &, index_t, T) const {}
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &, index_t, Op, T) const {}
};

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_RELAXED_MEMORY_HPP
