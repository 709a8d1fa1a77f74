// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs 15 and 16: the two passes of a separable convolution of radius 8. A
// thread computes 8 pixels; the tile has a margin of one step at both ends.

constexpr int RADIUS = 8;
constexpr int STEPS = 8;
__constant__ float weights[2 * RADIUS + 1];

// A column of pixels is a row of the tile.
__global__ void job15_convolution_columns(float *out, const float *in,
                                          int height, int pitch) {
  __shared__ float s_data[16][(STEPS + 2) * 8];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x = blockIdx.x * 16 + tx;
  const int top = (int(blockIdx.y) * STEPS - 1) * 8 + ty;

  for (int i = 0; i < STEPS + 2; ++i) {
    const int y = top + i * 8;
    s_data[tx][ty + i * 8] = y >= 0 && y < height ? in[y * pitch + x] : 0;
  }
  __syncthreads();

  for (int i = 1; i <= STEPS; ++i) {
    float sum = 0;
    for (int j = -RADIUS; j <= RADIUS; ++j)
      sum += weights[RADIUS - j] * s_data[tx][ty + i * 8 + j];
    out[(top + i * 8) * pitch + x] = sum;
  }
}

__global__ void job16_convolution_rows(float *out, const float *in, int width,
                                       int pitch) {
  __shared__ float s_data[4][(STEPS + 2) * 16];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int left = (int(blockIdx.x) * STEPS - 1) * 16 + tx;
  const int row = (blockIdx.y * 4 + ty) * pitch;

  for (int i = 0; i < STEPS + 2; ++i) {
    const int x = left + i * 16;
    s_data[ty][tx + i * 16] = x >= 0 && x < width ? in[row + x] : 0;
  }
  __syncthreads();

  for (int i = 1; i <= STEPS; ++i) {
    float sum = 0;
    for (int j = -RADIUS; j <= RADIUS; ++j)
      sum += weights[RADIUS - j] * s_data[ty][tx + i * 16 + j];
    out[row + left + i * 16] = sum;
  }
}

void launch15(float *out, const float *in, int width, int height, int pitch) {
  job15_convolution_columns<<<dim3(width / 16, height / (STEPS * 8)),
                              dim3(16, 8)>>>(out, in, height, pitch);
}

void launch16(float *out, const float *in, int width, int height, int pitch) {
  job16_convolution_rows<<<dim3(width / (STEPS * 16), height / 4),
                           dim3(16, 4)>>>(out, in, width, pitch);
}
