// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs 31 to 33: batched products of square matrices, a block for each.

// C = A B.
__global__ void job31_matmul(float *c, const float *a, const float *b) {
  __shared__ float As[32][32];
  __shared__ float Bs[32][32];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int place = (blockIdx.x * 32 + ty) * 32 + tx;

  As[ty][tx] = a[place];
  Bs[ty][tx] = b[place];
  __syncthreads();

  float sum = 0;
  for (int k = 0; k < 32; ++k)
    sum += As[ty][k] * Bs[k][tx];
  c[place] = sum;
}

// C = A B^T.
__global__ void job32_matmul_transposed(float *c, const float *a,
                                        const float *b) {
  __shared__ float As[32][32];
  __shared__ float Bs[32][32];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int place = (blockIdx.x * 32 + ty) * 32 + tx;

  As[ty][tx] = a[place];
  Bs[ty][tx] = b[place];
  __syncthreads();

  float sum = 0;
  for (int k = 0; k < 32; ++k)
    sum += As[ty][k] * Bs[tx][k];
  c[place] = sum;
}

// C = A B^T.
__global__ void job33_matmul_transposed_double(double *c, const double *a,
                                               const double *b) {
  __shared__ double As[16][16];
  __shared__ double Bs[16][16];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int place = (blockIdx.x * 16 + ty) * 16 + tx;

  As[ty][tx] = a[place];
  Bs[ty][tx] = b[place];
  __syncthreads();

  double sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += As[ty][k] * Bs[tx][k];
  c[place] = sum;
}

void launch31(float *c, const float *a, const float *b, int batch) {
  job31_matmul<<<batch, dim3(32, 32)>>>(c, a, b);
}

void launch32(float *c, const float *a, const float *b, int batch) {
  job32_matmul_transposed<<<batch, dim3(32, 32)>>>(c, a, b);
}

void launch33(double *c, const double *a, const double *b, int batch) {
  job33_matmul_transposed_double<<<batch, dim3(16, 16)>>>(c, a, b);
}
