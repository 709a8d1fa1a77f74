// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs 13 and 34: stencils of two and of three dimensions.

constexpr int SIDE = 16;

// Each block is a plate of its own: at its edges the temperature is reflected.
__global__ void job13_heat_2d(float *out, const float *in, int pitch,
                              float factor) {
  __shared__ float heat[SIDE][SIDE];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int place = (blockIdx.y * SIDE + ty) * pitch + blockIdx.x * SIDE + tx;

  heat[ty][tx] = in[place];
  __syncthreads();

  const int north = ty > 0 ? ty - 1 : 0;
  const int south = ty < SIDE - 1 ? ty + 1 : SIDE - 1;
  const int west = tx > 0 ? tx - 1 : 0;
  const int east = tx < SIDE - 1 ? tx + 1 : SIDE - 1;
  const float centre = heat[ty][tx];
  out[place] = centre + factor * (heat[north][tx] + heat[south][tx] +
                                  heat[ty][west] + heat[ty][east] - 4 * centre);
}

// A block of 8 x 8 x 4 threads computes 8 x 8 x 8 points.
__global__ void job34_stencil_3d(float *out, const float *in, int pitch,
                                 int plane, float factor) {
  __shared__ float tile[10][10][10];
  const int corner =
      (blockIdx.z * 8) * plane + (blockIdx.y * 8) * pitch + blockIdx.x * 8;

  for (int z = threadIdx.z; z < 10; z += 4)
    for (int y = threadIdx.y; y < 10; y += 8)
      for (int x = threadIdx.x; x < 10; x += 8)
        tile[z][y][x] = in[corner + z * plane + y * pitch + x];
  __syncthreads();

  const int x = threadIdx.x + 1;
  const int y = threadIdx.y + 1;
  for (int i = 0; i < 2; ++i) {
    const int z = threadIdx.z + 4 * i + 1;
    const float centre = tile[z][y][x];
    out[corner + z * plane + y * pitch + x] =
        centre + factor * (tile[z + 1][y][x] + tile[z - 1][y][x] +
                           tile[z][y + 1][x] + tile[z][y - 1][x] +
                           tile[z][y][x + 1] + tile[z][y][x - 1] - 6 * centre);
  }
}

void launch13(float *out, const float *in, int pitch, int side, float factor) {
  job13_heat_2d<<<dim3(side, side), dim3(SIDE, SIDE)>>>(out, in, pitch, factor);
}

void launch34(float *out, const float *in, int pitch, int plane, int side,
              float factor) {
  job34_stencil_3d<<<dim3(side, side, side), dim3(8, 8, 4)>>>(out, in, pitch,
                                                              plane, factor);
}
