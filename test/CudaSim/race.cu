// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %cuda-sim --no-races %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cuda-sim -DBARRIER %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %cuda-sim %s warp 2>&1 | FileCheck %s --check-prefix=WARP
//
// A race between warps is told once, with both places, and fails the run; one
// inside a warp is a warning.
//
// CHECK: race.cu:[[#@LINE+20]]:{{[0-9]+}}: error: threads of different warps race on Buffer{{.*}}; the other access is at {{.*}}race.cu:[[#@LINE+15]]:{{[0-9]+}}{{.*}} [race]
// CHECK-NEXT: in race(int*), launch 1, grid (1,1,1), block (64,1,1)
// CHECK-NEXT: cuda-sim: 2 launches, {{[0-9]+}} warp instructions, 1 finding{{$}}
// NONE: {{^}}cuda-sim: 2 launches, {{[0-9]+}} warp instructions, 0 findings
// WARP: race.cu:[[#@LINE+22]]:{{[0-9]+}}: warning: threads of one warp race on Buffer{{.*}}; the other access is at {{.*}}race.cu:[[#@LINE+21]]:{{[0-9]+}}{{.*}} [warp-race]
// WARP: cuda-sim: 1 launch, {{[0-9]+}} warp instructions, 1 finding{{$}}

#include <cuda_runtime.h>

__global__ void race(int *Data) {
  __shared__ int Buffer[64];
  unsigned I = threadIdx.x;
  Buffer[I] = Data[I];
  __syncthreads();
  if (I < 32)
    Data[I] = Buffer[32 + I];
#ifdef BARRIER
  __syncthreads();
#endif
  if (I >= 32)
    Buffer[I] = 0;
}

__global__ void raceInWarp(int *Data) {
  __shared__ int Buffer[32];
  Buffer[threadIdx.x] = Data[threadIdx.x];
  Data[threadIdx.x] = Buffer[31 - threadIdx.x];
}

int main(int argc, char **argv) {
  int *Data;
  cudaMalloc(&Data, 256);
  if (argc > 1) {
    raceInWarp<<<1, 32>>>(Data);
    return 0;
  }
  race<<<1, 64>>>(Data);
  race<<<1, 64>>>(Data);
}
