// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs 2 to 6 and 27: transposes through a square tile, of elements of 1 to 16
// bytes. A tile is written by rows and read by columns.

#include <cuda_fp16.h>

__global__ void job02_transpose_float(float *out, const float *in, int width,
                                      int height) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 16)
    tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * width + x];
  __syncthreads();

  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 16)
    out[size_t(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

void launch02(float *out, const float *in, int width, int height) {
  job02_transpose_float<<<dim3(width / 32, height / 32), dim3(32, 16)>>>(
      out, in, width, height);
}

__global__ void job03_transpose_double(double *out, const double *in, int width,
                                       int height) {
  __shared__ double tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * width + x];
  __syncthreads();

  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    out[size_t(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

void launch03(double *out, const double *in, int width, int height) {
  job03_transpose_double<<<dim3(width / 32, height / 32), dim3(32, 8)>>>(
      out, in, width, height);
}

__global__ void job04_transpose_half(__half *out, const __half *in, int width,
                                     int height) {
  __shared__ __half tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * width + x];
  __syncthreads();

  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    out[size_t(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

void launch04(__half *out, const __half *in, int width, int height) {
  job04_transpose_half<<<dim3(width / 32, height / 32), dim3(32, 8)>>>(
      out, in, width, height);
}

__global__ void job05_transpose_uchar(unsigned char *out,
                                      const unsigned char *in, int width,
                                      int height) {
  __shared__ unsigned char tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * width + x];
  __syncthreads();

  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    out[size_t(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

void launch05(unsigned char *out, const unsigned char *in, int width,
              int height) {
  job05_transpose_uchar<<<dim3(width / 32, height / 32), dim3(32, 8)>>>(
      out, in, width, height);
}

__global__ void job06_transpose_float_16(float *out, const float *in, int width,
                                         int height) {
  __shared__ float tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[size_t(y) * width + x];
  __syncthreads();

  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[size_t(y) * height + x] = tile[threadIdx.x][threadIdx.y];
}

void launch06(float *out, const float *in, int width, int height) {
  job06_transpose_float_16<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(
      out, in, width, height);
}

__global__ void job27_transpose_double2(double2 *out, const double2 *in,
                                        int width, int height) {
  __shared__ double2 tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[size_t(y) * width + x];
  __syncthreads();

  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[size_t(y) * height + x] = tile[threadIdx.x][threadIdx.y];
}

void launch27(double2 *out, const double2 *in, int width, int height) {
  job27_transpose_double2<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(
      out, in, width, height);
}
