#include "cuda.h"

#ifdef KEEP
#define MARK [[clang::annotate("cudaopt::keep")]]
#else
#define MARK
#endif

__global__ void turn(const float *in, float *out) {
  MARK __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[32 * threadIdx.y + threadIdx.x];
  __syncthreads();
  out[32 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void launch(const float *in, float *out) {
  turn<<<1, dim3(32, 32)>>>(in, out);
}
