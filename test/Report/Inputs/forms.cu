// One kernel or loop for each thing that a report can say.
#include "cuda.h"

#include <cudaopt/annotations.h>

__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32]; // <b>"rows" & columns</b>, ä
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// One array may not change, one need not.
__global__ void kept(size_t *Out, const int *In) {
  __shared__ int sized[32][32];
  __shared__ int line[32];
  sized[threadIdx.x][0] = In[threadIdx.x];
  line[threadIdx.x] = sized[threadIdx.x][0];
  __syncthreads();
  *Out = sizeof(sized) + line[0] + sized[In[0]][0];
}

// Two arrays share bytes without a barrier between them.
__global__ void in_place(float *Out, const float *In) {
  __shared__ float first[64];
  __shared__ float second[64];
  int t = threadIdx.x;
  first[t] = In[t];
  __syncthreads();
  float x = first[63 - t];
  __syncthreads();
  first[t] = x + first[t];
  __syncthreads();
  second[t] = first[t] * 2;
  __syncthreads();
  Out[t] = second[63 - t];
}

// Of three arrays, two live at a time.
__global__ void stages(float *Out, const float *In) {
  __shared__ float large[1024];
  __shared__ float medium[512];
  __shared__ float small[256];
  int t = threadIdx.x;
  for (int i = t; i < 1024; i += 64)
    large[i] = In[i];
  __syncthreads();
  for (int i = t; i < 512; i += 64)
    medium[i] = large[1023 - i] + large[i];
  __syncthreads();
  for (int i = t; i < 256; i += 64)
    small[i] = medium[511 - i] + medium[i];
  __syncthreads();
  Out[t] = small[255 - t] + small[t];
}

template <typename T> __global__ void own(T *Out) {
  __shared__ T column[32][32];
  column[threadIdx.x][0] = Out[threadIdx.x];
  Out[threadIdx.x] = 2 * column[threadIdx.x][0];
}

void update(float *A, float *B, const int *w, const int *r, int m, int n) {
  CUDAOPT_LEVELIZE(A[0:m])
  for (int i = 0; i < n; ++i) {
    A[w[i]] = i;
    B[i] = A[r[i]];
  }
}

void carried(float *A, const int *w, int n) {
  float last = 0;
  CUDAOPT_LEVELIZE(A[0:n])
  for (int i = 0; i < n; ++i) {
    A[w[i]] = last;
    last = i - last;
  }
}

void launch(float *Out, const float *In, size_t *Size, const int *Numbers) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
  kept<<<1, 32>>>(Size, Numbers);
  in_place<<<1, 64>>>(Out, In);
  stages<<<1, 64>>>(Out, In);
  own<<<1, 32>>>(Out);
}
