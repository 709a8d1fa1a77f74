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

/// Plain accesses: for one thread, and for kernels whose iterations never meet.
struct direct_memory {
  template <class T>
  CUDAOPT_HOST_DEVICE std::remove_const_t<T> load(const array<T> &a,
                                                  index_t j) const {
    return a.data[j];
  }
  template <class T>
  CUDAOPT_HOST_DEVICE void store(const array<T> &a, index_t j, T v) const {
    a.data[j] = v;
  }
  template <class T, class Op>
  CUDAOPT_HOST_DEVICE void update(const array<T> &a, index_t j, Op op,
                                  T v) const {
    a.data[j] = op(a.data[j], v);
  }
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_DIRECT_MEMORY_HPP
