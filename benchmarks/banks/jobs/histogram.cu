// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Job 30: adds up the histograms of 64 threads, which have 64 bins each.

constexpr int BINS = 64;

__global__ void job30_histogram(unsigned *out, const unsigned *counts) {
  __shared__ unsigned hist[BINS][BINS];
  const int tx = threadIdx.x;

  for (int bin = 0; bin < BINS; ++bin)
    hist[tx][bin] = counts[(blockIdx.x * BINS + bin) * BINS + tx];
  __syncthreads();

  unsigned sum = 0;
  for (int thread = 0; thread < BINS; ++thread)
    sum += hist[thread][tx];
  out[blockIdx.x * BINS + tx] = sum;
}

void launch30(unsigned *out, const unsigned *counts, int blocks) {
  job30_histogram<<<blocks, BINS>>>(out, counts);
}
