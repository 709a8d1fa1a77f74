// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs 24 and 25: panels of a single-precision product, C += A B, for 128 x 128
// elements of C and 8 of k. One operand is in shared memory and is read as
// float4; the other comes from global memory.

// A thread computes 8 neighbouring columns.
__global__ void job24_sgemm_b(float *c, const float *a, const float *b, int m,
                              int n) {
  __shared__ __align__(16) float Bs[8][128];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int thread = ty * 16 + tx;
  const int row = blockIdx.y * 128 + ty * 8;
  const int col = blockIdx.x * 128;
  float sum[8][8] = {};

  *reinterpret_cast<float4 *>(&Bs[thread / 32][thread % 32 * 4]) =
      *reinterpret_cast<const float4 *>(
          &b[thread / 32 * n + col + thread % 32 * 4]);
  __syncthreads();

  for (int k = 0; k < 8; ++k)
    for (int h = 0; h < 2; ++h) {
      const float4 v =
          *reinterpret_cast<const float4 *>(&Bs[k][tx * 8 + 4 * h]);
      for (int i = 0; i < 8; ++i) {
        const float left = a[k * m + row + i];
        sum[i][4 * h] += left * v.x;
        sum[i][4 * h + 1] += left * v.y;
        sum[i][4 * h + 2] += left * v.z;
        sum[i][4 * h + 3] += left * v.w;
      }
    }

  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      c[(row + i) * n + col + tx * 8 + j] += sum[i][j];
}

// A thread computes twice 4 neighbouring columns.
__global__ void job24b_sgemm_b_split(float *c, const float *a, const float *b,
                                     int m, int n) {
  __shared__ __align__(16) float Bs[8][128];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int thread = ty * 16 + tx;
  const int row = blockIdx.y * 128 + ty * 8;
  const int col = blockIdx.x * 128;
  float sum[8][8] = {};

  *reinterpret_cast<float4 *>(&Bs[thread / 32][thread % 32 * 4]) =
      *reinterpret_cast<const float4 *>(
          &b[thread / 32 * n + col + thread % 32 * 4]);
  __syncthreads();

  for (int k = 0; k < 8; ++k)
    for (int h = 0; h < 2; ++h) {
      const float4 v =
          *reinterpret_cast<const float4 *>(&Bs[k][tx * 4 + 64 * h]);
      for (int i = 0; i < 8; ++i) {
        const float left = a[k * m + row + i];
        sum[i][4 * h] += left * v.x;
        sum[i][4 * h + 1] += left * v.y;
        sum[i][4 * h + 2] += left * v.z;
        sum[i][4 * h + 3] += left * v.w;
      }
    }

  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      c[(row + i) * n + col + tx * 4 + j / 4 * 64 + j % 4] += sum[i][j];
}

// The rows of A become the columns of its tile.
__global__ void job25_sgemm_a(float *c, const float *a, const float *b, int n,
                              int pitch) {
  __shared__ __align__(16) float As[8][128];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int thread = ty * 16 + tx;
  const int row = blockIdx.y * 128;
  const int col = blockIdx.x * 128 + tx * 8;
  float sum[8][8] = {};

  for (int i = 0; i < 4; ++i)
    As[thread % 2 * 4 + i][thread / 2] =
        a[(row + thread / 2) * pitch + thread % 2 * 4 + i];
  __syncthreads();

  for (int k = 0; k < 8; ++k)
    for (int h = 0; h < 2; ++h) {
      const float4 v =
          *reinterpret_cast<const float4 *>(&As[k][ty * 8 + 4 * h]);
      for (int j = 0; j < 8; ++j) {
        const float right = b[k * n + col + j];
        sum[4 * h][j] += v.x * right;
        sum[4 * h + 1][j] += v.y * right;
        sum[4 * h + 2][j] += v.z * right;
        sum[4 * h + 3][j] += v.w * right;
      }
    }

  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      c[(row + ty * 8 + i) * n + col + j] += sum[i][j];
}

void launch24(float *c, const float *a, const float *b, int m, int n) {
  const dim3 grid(n / 128, m / 128);
  job24_sgemm_b<<<grid, dim3(16, 16)>>>(c, a, b, m, n);
  job24b_sgemm_b_split<<<grid, dim3(16, 16)>>>(c, a, b, m, n);
}

void launch25(float *c, const float *a, const float *b, int m, int n,
              int pitch) {
  job25_sgemm_a<<<dim3(n / 128, m / 128), dim3(16, 16)>>>(c, a, b, n, pitch);
}
