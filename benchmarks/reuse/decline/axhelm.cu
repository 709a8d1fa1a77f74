// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Helmholtz operator on an element of 8 x 8 x 8 nodes, slice by slice, as
// in codes of spectral elements: values and their weighted slopes are read and
// written between the same two barriers; to overlay them would need a barrier
// more in each slice.

constexpr int N = 8;

__global__ void __launch_bounds__(N *N)
    helmholtz(float *__restrict__ out, const float *__restrict__ in,
              const float *__restrict__ factors,
              const float *__restrict__ slope, float lambda) {
  __shared__ float d[N][N];
  __shared__ float q[N][N];
  __shared__ float alongX[N][N];
  __shared__ float alongY[N][N];

  int i = threadIdx.x, j = threadIdx.y;
  size_t element = size_t(blockIdx.x) * N * N * N;
  d[j][i] = slope[j * N + i];
  float values[N], sums[N];
  for (int k = 0; k < N; ++k) {
    values[k] = in[element + (k * N + j) * N + i];
    sums[k] = 0;
  }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < N; ++k) {
    size_t node = element + (k * N + j) * N + i;
    q[j][i] = values[k];
    __syncthreads();
    float x = 0, y = 0, z = 0;
    for (int m = 0; m < N; ++m) {
      x += d[i][m] * q[j][m];
      y += d[j][m] * q[m][i];
      z += d[k][m] * values[m];
    }
    float factor = factors[node];
    alongX[j][i] = factor * x;
    alongY[j][i] = factor * y;
    for (int m = 0; m < N; ++m)
      sums[m] += d[k][m] * factor * z;
    sums[k] += lambda * factor * values[k];
    __syncthreads();
    float sum = 0;
    for (int m = 0; m < N; ++m)
      sum += d[m][i] * alongX[j][m] + d[m][j] * alongY[m][i];
    sums[k] += sum;
  }
  for (int k = 0; k < N; ++k)
    out[element + (k * N + j) * N + i] = sums[k];
}

void run(float *out, const float *in, const float *factors, const float *slope,
         int elements) {
  helmholtz<<<elements, dim3(N, N)>>>(out, in, factors, slope, 0.1f);
}
