// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of rows, one block each, as in programs that train language models:
// the maxima and the sums of the warps have an array each. Sums could take the
// place of maxima only behind one more barrier, for 32 bytes.

#include <cmath>

constexpr int THREADS = 256, LANES = 32, WARPS = THREADS / LANES;

__global__ void softmax(float *out, const float *in, int n) {
  __shared__ float maxima[WARPS];
  __shared__ float sums[WARPS];

  const float *row = in + size_t(blockIdx.x) * n;
  int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
  float most = -INFINITY;
  for (int i = threadIdx.x; i < n; i += THREADS)
    most = fmaxf(most, row[i]);
  for (int distance = LANES / 2; distance > 0; distance /= 2)
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, distance));
  if (lane == 0)
    maxima[warp] = most;
  __syncthreads();
  for (int i = 0; i < WARPS; ++i)
    most = fmaxf(most, maxima[i]);

  float sum = 0;
  for (int i = threadIdx.x; i < n; i += THREADS)
    sum += expf(row[i] - most);
  for (int distance = LANES / 2; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (lane == 0)
    sums[warp] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < WARPS; ++i)
    sum += sums[i];

  for (int i = threadIdx.x; i < n; i += THREADS)
    out[size_t(blockIdx.x) * n + i] = expf(row[i] - most) / sum;
}

void run(float *out, const float *in, int n, int rows) {
  softmax<<<rows, THREADS>>>(out, in, n);
}
