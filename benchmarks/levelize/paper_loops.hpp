// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The seven benchmarks of "Runtime Dependence Computation and Execution of
/// Loops on Heterogeneous Systems" (Anantpur and Govindarajan, CGO 2013), as
/// loops of the runtime. Each loop lives in an image: its pointers move with
/// it. The paper does not print randAcc, randAcc3 and doAll; randAcc is its
/// running example here, randAcc3 reads three elements, doAll has index arrays
/// that count up.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_LOOPS_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_LOOPS_HPP

#include "program_runs.hpp"

namespace cudaopt::bench {

/// A[w[i]] = e(i); B[i] = A[r[i]] + ...
template <int Reads> struct random_accesses {
  array<float> A;
  float *B;
  const int *w, *r[Reads];

  extents arrays() const { return extents_of(A); }
  void move(std::ptrdiff_t by) {
    A.data = moved(A.data, by);
    B = moved(B, by);
    w = moved(w, by);
    for (const int *&p : r)
      p = moved(p, by);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    touch.write(A, w[i]);
    for (int k = 0; k < Reads; ++k)
      touch.read(A, r[k][i]);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    memory.store(A, w[i], float(i) * 1.5f);
    float sum = memory.load(A, r[0][i]);
    for (int k = 1; k < Reads; ++k)
      sum += memory.load(A, r[k][i]);
    B[i] = sum;
  }
};

struct convolution {
  static constexpr int n = 8000;
  array<float> A, B;

  extents arrays() const { return extents_of(A, B); }
  void move(std::ptrdiff_t by) {
    A.data = moved(A.data, by);
    B.data = moved(B.data, by);
  }
  CUDAOPT_HOST_DEVICE static bool is_inner(int i, int j) {
    return i > 0 && i < n - 1 && j > 0 && j < n - 1;
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t t, Touch &touch) const {
    const int i = int(t) / n, j = int(t) % n;
    if (!is_inner(i, j))
      return;
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x)
        touch.read(A, (i + y) * n + j + x);
    touch.write(B, i * n + j);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t t, Memory &memory) const {
    const int i = int(t) / n, j = int(t) % n;
    if (!is_inner(i, j))
      return;
    auto a = [&](int y, int x) { return memory.load(A, (i + y) * n + j + x); };
    memory.store(B, i * n + j,
                 0.2f * a(-1, -1) + 0.5f * a(-1, 0) + -0.8f * a(-1, 1) +
                     -0.3f * a(0, -1) + 0.6f * a(0, 0) + -0.9f * a(0, 1) +
                     0.4f * a(1, -1) + 0.7f * a(1, 0) + 0.1f * a(1, 1));
  }
};

/// The arrays of the three loops of fdtd-2d.
struct fields {
  static constexpr int n = 8000;
  array<float> ex, ey, hz; ///< n x (n + 1), (n + 1) x n, n x n.
  void move(std::ptrdiff_t by) {
    ex.data = moved(ex.data, by);
    ey.data = moved(ey.data, by);
    hz.data = moved(hz.data, by);
  }
};

struct fdtd_ey : fields {
  extents arrays() const { return extents_of(ey, hz); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t t, Touch &touch) const {
    if (t >= n) {
      touch.read(ey, t);
      touch.read(hz, t);
      touch.read(hz, t - n);
    }
    touch.write(ey, t);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t t, Memory &memory) const {
    if (t < n)
      memory.store(ey, t, 0.25f);
    else
      memory.store(ey, t,
                   memory.load(ey, t) -
                       0.5f * (memory.load(hz, t) - memory.load(hz, t - n)));
  }
};

struct fdtd_ex : fields {
  extents arrays() const { return extents_of(ex, hz); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t t, Touch &touch) const {
    const int i = int(t) / n, j = int(t) % n;
    if (j == 0)
      return;
    touch.read(ex, i * (n + 1) + j);
    touch.read(hz, t);
    touch.read(hz, t - 1);
    touch.write(ex, i * (n + 1) + j);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t t, Memory &memory) const {
    const int i = int(t) / n, j = int(t) % n;
    if (j == 0)
      return;
    const index_t e = i * (n + 1) + j;
    memory.store(ex, e,
                 memory.load(ex, e) -
                     0.5f * (memory.load(hz, t) - memory.load(hz, t - 1)));
  }
};

struct fdtd_hz : fields {
  extents arrays() const { return extents_of(ex, ey, hz); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t t, Touch &touch) const {
    const int i = int(t) / n, j = int(t) % n;
    touch.read(hz, t);
    touch.read(ex, i * (n + 1) + j + 1);
    touch.read(ex, i * (n + 1) + j);
    touch.read(ey, t + n);
    touch.read(ey, t);
    touch.write(hz, t);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t t, Memory &memory) const {
    const int i = int(t) / n, j = int(t) % n;
    const index_t e = i * (n + 1) + j;
    memory.store(hz, t,
                 memory.load(hz, t) -
                     0.7f * (memory.load(ex, e + 1) - memory.load(ex, e) +
                             memory.load(ey, t + n) - memory.load(ey, t)));
  }
};

struct matrix_product {
  static constexpr int n = 1024;
  array<float> a, b, c;

  extents arrays() const { return extents_of(a, b, c); }
  void move(std::ptrdiff_t by) {
    a.data = moved(a.data, by);
    b.data = moved(b.data, by);
    c.data = moved(c.data, by);
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t t, Touch &touch) const {
    const int i = int(t) / n, j = int(t) % n;
    for (int k = 0; k < n; ++k) {
      touch.read(a, i * n + k);
      touch.read(b, k * n + j);
    }
    touch.read(c, t);
    touch.write(c, t);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t t, Memory &memory) const {
    const int i = int(t) / n, j = int(t) % n;
    float sum = memory.load(c, t) * 2123.0f;
    for (int k = 0; k < n; ++k)
      sum += 32412.0f * memory.load(a, i * n + k) * memory.load(b, k * n + j);
    memory.store(c, t, sum);
  }
};

/// x[i] += sum of a row, or of a column, times y.
template <bool Columns> struct matrix_vector {
  static constexpr int n = 4096;
  array<float> a, x, y;

  extents arrays() const { return extents_of(a, x, y); }
  void move(std::ptrdiff_t by) {
    a.data = moved(a.data, by);
    x.data = moved(x.data, by);
    y.data = moved(y.data, by);
  }
  CUDAOPT_HOST_DEVICE static index_t at(int i, int j) {
    return Columns ? j * n + i : i * n + j;
  }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t t, Touch &touch) const {
    touch.read(x, t);
    for (int j = 0; j < n; ++j) {
      touch.read(a, at(int(t), j));
      touch.read(y, j);
    }
    touch.write(x, t);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t t, Memory &memory) const {
    float sum = memory.load(x, t);
    for (int j = 0; j < n; ++j)
      sum += memory.load(a, at(int(t), j)) * memory.load(y, j);
    memory.store(x, t, sum);
  }
};

} // namespace cudaopt::bench

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_LOOPS_HPP
