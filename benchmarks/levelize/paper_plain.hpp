// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The paper's benchmarks as one would write them by hand, without a thought
/// about dependences: what a proof should cost nothing against.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_PLAIN_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_PLAIN_HPP

#include "paper_loops.hpp"

namespace cudaopt::bench {

template <int Reads>
__global__ void plain_kernel(random_accesses<Reads> l, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  l.A.data[l.w[i]] = float(i) * 1.5f;
  float sum = l.A.data[l.r[0][i]];
  for (int k = 1; k < Reads; ++k)
    sum += l.A.data[l.r[k][i]];
  l.B[i] = sum;
}
template <int Reads>
void launch_plain(const random_accesses<Reads> &l, index_t n) {
  plain_kernel<<<unsigned((n + 255) / 256), 256>>>(l, int(n));
}

inline dim3 plain_block() { return dim3(32, 8); }
inline dim3 plain_grid(int n) {
  return dim3(unsigned(n + 31) / 32, unsigned(n + 7) / 8);
}

#define CUDAOPT_PLAIN(LOOP)                                                    \
  inline void launch_plain(const LOOP &l, index_t) {                           \
    plain_kernel<<<plain_grid(l.n), plain_block()>>>(l);                       \
  }

static __global__ void plain_kernel(convolution l) {
  const int n = l.n;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1)
    return;
  const float *A = l.A.data;
  l.B.data[i * n + j] =
      0.2f * A[(i - 1) * n + j - 1] + 0.5f * A[(i - 1) * n + j] +
      -0.8f * A[(i - 1) * n + j + 1] + -0.3f * A[i * n + j - 1] +
      0.6f * A[i * n + j] + -0.9f * A[i * n + j + 1] +
      0.4f * A[(i + 1) * n + j - 1] + 0.7f * A[(i + 1) * n + j] +
      0.1f * A[(i + 1) * n + j + 1];
}
CUDAOPT_PLAIN(convolution)

static __global__ void plain_kernel(fdtd_ey l) {
  const int n = l.n;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  const int t = i * n + j;
  if (i == 0)
    l.ey.data[t] = 0.25f;
  else
    l.ey.data[t] -= 0.5f * (l.hz.data[t] - l.hz.data[t - n]);
}
CUDAOPT_PLAIN(fdtd_ey)

static __global__ void plain_kernel(fdtd_ex l) {
  const int n = l.n;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n || j == 0)
    return;
  const int t = i * n + j;
  l.ex.data[i * (n + 1) + j] -= 0.5f * (l.hz.data[t] - l.hz.data[t - 1]);
}
CUDAOPT_PLAIN(fdtd_ex)

static __global__ void plain_kernel(fdtd_hz l) {
  const int n = l.n;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  const int t = i * n + j, e = i * (n + 1) + j;
  l.hz.data[t] -= 0.7f * (l.ex.data[e + 1] - l.ex.data[e] + l.ey.data[t + n] -
                          l.ey.data[t]);
}
CUDAOPT_PLAIN(fdtd_hz)

static __global__ void plain_kernel(matrix_product l) {
  const int n = l.n;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  float sum = l.c.data[i * n + j] * 2123.0f;
  for (int k = 0; k < n; ++k)
    sum += 32412.0f * l.a.data[i * n + k] * l.b.data[k * n + j];
  l.c.data[i * n + j] = sum;
}
CUDAOPT_PLAIN(matrix_product)
#undef CUDAOPT_PLAIN

template <bool Columns> __global__ void plain_kernel(matrix_vector<Columns> l) {
  const int n = l.n;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = l.x.data[i];
  for (int j = 0; j < n; ++j)
    sum += l.a.data[Columns ? j * n + i : i * n + j] * l.y.data[j];
  l.x.data[i] = sum;
}
template <bool Columns>
void launch_plain(const matrix_vector<Columns> &l, index_t n) {
  plain_kernel<<<unsigned((n + 255) / 256), 256>>>(l);
}

} // namespace cudaopt::bench

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_PAPER_PLAIN_HPP
