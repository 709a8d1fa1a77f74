#include "tile.h"

__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[TILE][ROWS];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * TILE + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * TILE + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void launch(float *Out, const float *In) {
  transpose<<<1, dim3(TILE, ROWS)>>>(Out, In);
}
