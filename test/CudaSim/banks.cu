// REQUIRES: cuda
// RUN: %cuda-sim --banks %s 2>&1 | FileCheck %s --match-full-lines --check-prefix=ONE
// RUN: %cuda-sim --banks %s twice 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %cuda-sim %s 2>&1 | FileCheck %s --check-prefix=OFF
//
// The cost of each line's accesses to shared memory, summed over launches. The
// numbers are those that the counters of an H200 show.
//
// ONE: transpose(float*, float const*), 1 launch, shared memory:
// ONE-NEXT: {{ *}}requests{{ *}}wavefronts{{ *}}bound{{ *}}ratio
// ONE-NEXT: {{.*}}banks.cu:[[#@LINE+19]] {{ *}}load {{ *}}512 {{ *}}16384 {{ *}}512 {{ *}}32.00
// ONE-NEXT: {{.*}}banks.cu:[[#@LINE+14]] {{ *}}store {{ *}}512 {{ *}}512 {{ *}}512 {{ *}}1.00
// ONE-NEXT: total {{ *}}1024 {{ *}}16896 {{ *}}1024 {{ *}}16.50
// ONE-NEXT: cuda-sim: 1 launch, {{.*}} warp instructions, 0 findings
// TWO: transpose(float*, float const*), 2 launches, shared memory:
// TWO: total {{ *}}2048 {{ *}}33792 {{ *}}2048
// OFF-NOT: launch:
// OFF: cuda-sim: 1 launch

#include <cuda_runtime.h>

__global__ void transpose(float *Out, const float *In) {
  __shared__ float Tile[32][32];
  int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 32 + threadIdx.y;
  for (int J = 0; J < 32; J += 8)
    Tile[threadIdx.y + J][threadIdx.x] = In[(Y + J) * 128 + X];
  __syncthreads();
  X = blockIdx.y * 32 + threadIdx.x, Y = blockIdx.x * 32 + threadIdx.y;
  for (int J = 0; J < 32; J += 8)
    Out[(Y + J) * 128 + X] = Tile[threadIdx.x][threadIdx.y + J];
}

int main(int argc, char **argv) {
  float *In, *Out;
  cudaMalloc(&In, 128 * 128 * sizeof(float));
  cudaMalloc(&Out, 128 * 128 * sizeof(float));
  for (int I = 0; I < argc; ++I)
    transpose<<<dim3(4, 4), dim3(32, 8)>>>(Out, In);
}
