// RUN: %python %S/../Inputs/stop-often.py %cuda-opt --reuse=bytes %s -- %parse-flags -arch=sm_90 | FileCheck %s
//
// A process that is stopped and continued, as by a debugger or on a busy machine, writes
// the same text: no search ends by the clock.
//
// CHECK: reused
#include "cuda.h"
__global__ void k(float *o, const float *i) {
  __shared__ float a0[736];
  __shared__ float a1[608];
  __shared__ float a2[160];
  __shared__ float a3[608];
  __shared__ float a4[288];
  __shared__ float a5[608];
  __shared__ float a6[608];
  __shared__ float a7[224];
  __shared__ float a8[224];
  __shared__ float a9[96];
  __shared__ float a10[224];
  __shared__ float a11[96];
  __shared__ float a12[352];
  __shared__ float a13[544];
  __syncthreads();
  __syncthreads();
  __syncthreads();
  __syncthreads();
  for (int t = threadIdx.x; t < 608; t += 256) a1[t] = i[t + 1];
  __syncthreads();
  __syncthreads();
  for (int t = threadIdx.x; t < 736; t += 256) a0[t] = i[t + 0];
  for (int t = threadIdx.x; t < 608; t += 256) a5[t] = i[t + 5];
  for (int t = threadIdx.x; t < 224; t += 256) a8[t] = i[t + 8];
  __syncthreads();
  __syncthreads();
  for (int t = threadIdx.x; t < 288; t += 256) a4[t] = i[t + 4];
  for (int t = threadIdx.x; t < 352; t += 256) a12[t] = i[t + 12];
  __syncthreads();
  __syncthreads();
  __syncthreads();
  for (int t = threadIdx.x; t < 608; t += 256) o[t] += a1[(t + 7) % 608];
  for (int t = threadIdx.x; t < 352; t += 256) o[t] += a12[(t + 7) % 352];
  __syncthreads();
  for (int t = threadIdx.x; t < 224; t += 256) a7[t] = i[t + 7];
  __syncthreads();
  __syncthreads();
  for (int t = threadIdx.x; t < 544; t += 256) a13[t] = i[t + 13];
  __syncthreads();
  __syncthreads();
  for (int t = threadIdx.x; t < 608; t += 256) a6[t] = i[t + 6];
  for (int t = threadIdx.x; t < 96; t += 256) a9[t] = i[t + 9];
  __syncthreads();
  for (int t = threadIdx.x; t < 736; t += 256) o[t] += a0[(t + 7) % 736];
  __syncthreads();
  for (int t = threadIdx.x; t < 608; t += 256) a3[t] = i[t + 3];
  __syncthreads();
  for (int t = threadIdx.x; t < 288; t += 256) o[t] += a4[(t + 7) % 288];
  for (int t = threadIdx.x; t < 608; t += 256) o[t] += a5[(t + 7) % 608];
  for (int t = threadIdx.x; t < 224; t += 256) o[t] += a8[(t + 7) % 224];
  __syncthreads();
  for (int t = threadIdx.x; t < 160; t += 256) a2[t] = i[t + 2];
  for (int t = threadIdx.x; t < 224; t += 256) a10[t] = i[t + 10];
  __syncthreads();
  for (int t = threadIdx.x; t < 608; t += 256) o[t] += a3[(t + 7) % 608];
  __syncthreads();
  __syncthreads();
  for (int t = threadIdx.x; t < 224; t += 256) o[t] += a10[(t + 7) % 224];
  __syncthreads();
  for (int t = threadIdx.x; t < 96; t += 256) a11[t] = i[t + 11];
  __syncthreads();
  for (int t = threadIdx.x; t < 224; t += 256) o[t] += a7[(t + 7) % 224];
  for (int t = threadIdx.x; t < 96; t += 256) o[t] += a9[(t + 7) % 96];
  for (int t = threadIdx.x; t < 544; t += 256) o[t] += a13[(t + 7) % 544];
  __syncthreads();
  __syncthreads();
  for (int t = threadIdx.x; t < 160; t += 256) o[t] += a2[(t + 7) % 160];
  for (int t = threadIdx.x; t < 608; t += 256) o[t] += a6[(t + 7) % 608];
  for (int t = threadIdx.x; t < 96; t += 256) o[t] += a11[(t + 7) % 96];
  __syncthreads();
}
void launch(float *o, float *i) { k<<<64, 256>>>(o, i); }
