// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The loops of by_hand.cu as somebody writes them against the runtime.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_BY_HAND_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_BY_HAND_HPP

#include "cudaopt/levelize.hpp"
#include "cudaopt/levelize/staging.hpp"

#include <cstdio>
#include <cstdlib>

namespace by_hand {

using cudaopt::array;
using cudaopt::extents;
using cudaopt::extents_of;
using cudaopt::index_t;
using cudaopt::transfer;

struct update {
  array<float> A;
  float *B;
  const int *w, *r;
  index_t n;

  extents arrays() const { return extents_of(A); }
  template <class Visit> void each_array(Visit visit) {
    visit(A.data, A.size, transfer::in_out);
    visit(B, n, transfer::out);
    visit(w, n, transfer::in);
    visit(r, n, transfer::in);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.write(A, w[i]);
    touch.read(A, r[i]);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.store(A, w[i], float(i));
    B[i] = memory.load(A, r[i]);
  }
};

struct independent {
  static constexpr bool is_independent = true;
  array<float> A;
  const float *B;

  extents arrays() const { return extents_of(A); }
  template <class Visit> void each_array(Visit visit) {
    visit(A.data, A.size, transfer::in_out);
    visit(B, A.size, transfer::in);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.read(A, i);
    touch.write(A, i);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.store(A, i, memory.load(A, i) * B[i] + 1);
  }
};

struct triangular : cudaopt::row_loop<triangular, double> {
  const int *ptr, *col;
  const double *a, *b;
  index_t n, nnz;

  template <class Visit> void each_array(Visit visit) {
    visit(x.data, x.size, transfer::in_out);
    visit(ptr, n + 1, transfer::in);
    visit(col, nnz, transfer::in);
    visit(a, nnz, transfer::in);
    visit(b, n, transfer::in);
  }
  CUDAOPT_HOST_DEVICE index_t begin(index_t i) const { return ptr[i]; }
  CUDAOPT_HOST_DEVICE index_t end(index_t i) const { return ptr[i + 1] - 1; }
  CUDAOPT_HOST_DEVICE index_t source(index_t k) const { return col[k]; }
  CUDAOPT_HOST_DEVICE double start(index_t i) const { return b[i]; }
  CUDAOPT_HOST_DEVICE double step(index_t, index_t k, double value,
                                  double sum) const {
    return sum - a[k] * value;
  }
  CUDAOPT_HOST_DEVICE double finish(index_t i, double sum) const {
    return sum / a[ptr[i + 1] - 1];
  }
};

struct histogram {
  array<unsigned> bins;
  const int *at;
  index_t n;

  extents arrays() const { return extents_of(bins); }
  template <class Visit> void each_array(Visit visit) {
    visit(bins.data, bins.size, transfer::in_out);
    visit(at, n, transfer::in);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.update(bins, at[i], cudaopt::plus{});
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.update(bins, at[i], cudaopt::plus{}, 1u);
  }
};

struct edges {
  array<double> flux;
  const double *u;
  const int *from, *to;
  index_t n;

  extents arrays() const { return extents_of(flux); }
  template <class Visit> void each_array(Visit visit) {
    visit(flux.data, flux.size, transfer::in_out);
    visit(u, flux.size, transfer::in);
    visit(from, n, transfer::in);
    visit(to, n, transfer::in);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t e, Touch &touch) const {
    touch.update(flux, from[e], cudaopt::plus{});
    touch.update(flux, to[e], cudaopt::plus{});
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t e, Memory &memory) const {
    const double f = u[from[e]] - u[to[e]];
    memory.update(flux, from[e], cudaopt::plus{}, f);
    memory.update(flux, to[e], cudaopt::plus{}, -f);
  }
};

struct matching {
  static constexpr bool is_self_indexing = true;
  array<int> mate;
  const int *from, *to;
  index_t n;

  extents arrays() const { return extents_of(mate); }
  template <class Visit> void each_array(Visit visit) {
    visit(mate.data, mate.size, transfer::in_out);
    visit(from, n, transfer::in);
    visit(to, n, transfer::in);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t e, Touch &touch) const {
    const int u = from[e], v = to[e];
    if (touch.load(mate, u) < 0 && touch.load(mate, v) < 0) {
      touch.write(mate, u);
      touch.write(mate, v);
    }
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t e, Memory &memory) const {
    const int u = from[e], v = to[e];
    if (memory.load(mate, u) < 0 && memory.load(mate, v) < 0) {
      memory.store(mate, u, v);
      memory.store(mate, v, u);
    }
  }
};

inline void require(cudaopt::status s) {
  if (s == cudaopt::status::ok)
    return;
  std::printf("by hand: %s\n", name_of(s));
  std::exit(1);
}

/// \p is_staged: the data are the host's, and are to be copied.
template <class Loop>
void run(cudaopt::plan &plan, Loop loop, index_t iterations,
         const cudaopt::options &wanted, bool is_staged) {
  cudaopt::staging area(is_staged ? cudaopt::backend::gpu
                                  : cudaopt::backend::cpu);
  if (is_staged) {
    loop.each_array([&](auto *data, index_t size, transfer how) {
      area.declare(data, size, how);
    });
    require(area.start());
    loop.each_array(
        [&](auto *&data, index_t, transfer) { data = area.on_device(data); });
  }
  require(cudaopt::run(plan, loop, iterations, wanted));
  require(cudaopt::check(plan));
  if (is_staged)
    require(area.finish());
}

} // namespace by_hand

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_BY_HAND_HPP
