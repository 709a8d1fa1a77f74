// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loops over the rows of sparse matrices.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_ROW_LOOPS_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_ROW_LOOPS_HPP

#include "cudaopt/levelize/divisor.hpp"
#include "cudaopt/levelize/loop.hpp"

#include <cmath>

namespace row_loops {

using cudaopt::index_t;

/// L x = b; the diagonal ends each row.
struct solve : cudaopt::row_loop<solve, double> {
  const index_t *ptr;
  const int *col;
  const double *a, *b;

  CUDAOPT_HOST_DEVICE index_t begin(index_t i) const { return ptr[i]; }
  CUDAOPT_HOST_DEVICE index_t end(index_t i) const { return ptr[i + 1] - 1; }
  CUDAOPT_HOST_DEVICE index_t source(index_t k) const { return col[k]; }
  CUDAOPT_HOST_DEVICE double start(index_t i) const { return b[i]; }
  CUDAOPT_HOST_DEVICE double term(index_t k) const { return a[k]; }
  CUDAOPT_HOST_DEVICE double step(index_t, index_t, double x, double sum,
                                  double t) const {
    return fma(-t, x, sum);
  }
  CUDAOPT_HOST_DEVICE cudaopt::divisor pivot(index_t i) const {
    return cudaopt::divisor(a[ptr[i + 1] - 1]);
  }
  CUDAOPT_HOST_DEVICE double finish(index_t, double sum,
                                    cudaopt::divisor p) const {
    return p.divide(sum);
  }
};

/// One Gauss-Seidel sweep over A x = b: every row's entries in their order. The
/// matrix has its diagonal in an array of its own, and zeros in its place.
struct sweep : cudaopt::row_loop<sweep, double> {
  const index_t *ptr;
  const int *col;
  const double *a, *b, *diagonal;

  CUDAOPT_HOST_DEVICE index_t begin(index_t i) const { return ptr[i]; }
  CUDAOPT_HOST_DEVICE index_t end(index_t i) const { return ptr[i + 1]; }
  CUDAOPT_HOST_DEVICE index_t source(index_t k) const { return col[k]; }
  CUDAOPT_HOST_DEVICE double start(index_t i) const { return b[i]; }
  CUDAOPT_HOST_DEVICE double term(index_t k) const { return a[k]; }
  CUDAOPT_HOST_DEVICE double step(index_t, index_t, double x, double sum,
                                  double t) const {
    return fma(-t, x, sum);
  }
  CUDAOPT_HOST_DEVICE cudaopt::divisor pivot(index_t i) const {
    return cudaopt::divisor(diagonal[i]);
  }
  CUDAOPT_HOST_DEVICE double finish(index_t, double sum,
                                    cudaopt::divisor p) const {
    return p.divide(sum);
  }
};

} // namespace row_loops

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_ROW_LOOPS_HPP
