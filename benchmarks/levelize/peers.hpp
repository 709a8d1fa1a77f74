// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Short restatements of published synchronisation-free triangular solves, for
/// comparison: of W. Liu et al. (Euro-Par 2016), a warp per column with
/// counters; of J. Su et al. (ICPP 2020, "Capellini"), a thread per row with
/// flags; and a thread per row whose solution is its own flag, preset to NaN.
/// All claim work in order, and none has the bits of the sequential loop but
/// the last.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_PEERS_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_PEERS_HPP

#include "cudaopt/levelize/detail/support/memory.hpp"

namespace peers {

using cudaopt::index_t;
using cudaopt::detail::load_relaxed;
using cudaopt::detail::store_relaxed;

/// L x = b, the diagonal last in each row.
struct rows {
  index_t n;
  const index_t *ptr;
  const int *col;
  const double *a, *b;
  double *x;
  unsigned long long *next; ///< 0 at the start.
};

__device__ inline index_t claim(unsigned long long *next, unsigned count) {
  unsigned long long first = 0;
  if (threadIdx.x % 32 == 0)
    first = atomicAdd(next, (unsigned long long)count);
  return index_t(__shfl_sync(~0u, first, 0));
}

/// By columns: \p ptr, \p row and \p a of the transpose, the diagonal first.
/// \p waits holds the number of terms a row lacks, \p sums is 0.
template <int> __global__ void liu(rows t, int *waits, double *sums) {
  const int lane = threadIdx.x % 32;
  for (index_t i; (i = claim(t.next, 1)) < t.n;) {
    const index_t begin = t.ptr[i], end = t.ptr[i + 1];
    const double diagonal = t.a[begin], b = t.b[i];
    while (load_relaxed(waits + i) != 0)
      ;
    __threadfence();
    const double x = (b - load_relaxed(sums + i)) / diagonal;
    for (index_t k = begin + 1 + lane; k < end; k += 32) {
      atomicAdd(sums + t.col[k], t.a[k] * x);
      __threadfence();
      atomicSub(waits + t.col[k], 1);
    }
    if (lane == 0)
      t.x[i] = x;
  }
}

/// \p flags is 0.
template <int> __global__ void capellini(rows t, std::uint32_t *flags) {
  for (index_t i; (i = claim(t.next, 32)) < t.n;) {
    i += threadIdx.x % 32;
    if (i >= t.n)
      continue;
    double sum = t.b[i];
    index_t k = t.ptr[i];
    const index_t last = t.ptr[i + 1] - 1;
    for (bool done = false; !done;) {
      while (k < last && load_relaxed(flags + t.col[k])) {
        __threadfence();
        sum -= t.a[k] * load_relaxed(t.x + t.col[k]);
        ++k;
      }
      if (k == last) {
        store_relaxed(t.x + i, sum / t.a[k]);
        __threadfence();
        store_relaxed(flags + i, 1u);
        done = true;
      }
    }
  }
}

/// \p x is NaN.
template <int> __global__ void nan_cached(rows t) {
  for (index_t i; (i = claim(t.next, 32)) < t.n;) {
    i += threadIdx.x % 32;
    if (i >= t.n)
      continue;
    double sum = t.b[i];
    index_t k = t.ptr[i];
    const index_t last = t.ptr[i + 1] - 1;
    for (bool done = false; !done;) {
      if (k < last) {
        const double x = load_relaxed(t.x + t.col[k]);
        if (x == x) {
          sum -= t.a[k] * x;
          ++k;
        }
      }
      if (k == last) {
        store_relaxed(t.x + i, sum / t.a[k]);
        done = true;
      }
    }
  }
}

} // namespace peers

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_PEERS_HPP
