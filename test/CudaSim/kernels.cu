// RUN: %exits 1 %cuda-sim --kernels %s -- %cuda-flags | FileCheck %s
// RUN: %exits 3 %cuda-sim --kernels --block=64 --grid=1 %s -- %cuda-flags | FileCheck %s --check-prefix=SHAPE
// RUN: %exits 3 %cuda-sim --kernels --block=64,2 --no-races %s -- %cuda-flags | FileCheck %s --check-prefix=NORACES
// RUN: %exits 3 %cuda-sim --kernels -DNONE %s -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=NONE
//
// Each kernel is checked by itself, with arguments made up; races on global
// memory count. A run without host program needs none.
//
// CHECK: {{^}}reverse(float*, float const*, int): no defects, for all data, at <<<(2,1,1),(256,1,1)>>> (assumed grid, block) with n = 512 and {{[0-9]+}} more launches
// CHECK-NEXT: kernels.cu:[[#@LINE+27]]:{{[0-9]+}}: error: threads of different warps race on out at byte 0, thread 0 of block (1,0,0) and thread 0 of block (0,0,0); the other access is at {{.*}}kernels.cu:[[#@LINE+27]]:{{[0-9]+}}; seen 256 times [race]
// CHECK-NEXT: {{^}}sameElement(unsigned int*): defects at <<<(2,1,1),(256,1,1)>>> (assumed grid, block)
// CHECK-NEXT: {{^}}positive(int*, int const*): no defects, for the inputs tried, at <<<(2,1,1),(256,1,1)>>> (assumed grid, block)
// CHECK-NEXT: {{^}}indirect(int (*)(int), int*): not modelled: {{.*}}kernels.cu:[[#@LINE+34]]:{{[0-9]+}}: a call through a pointer is not modelled
// CHECK-NEXT: {{^}}shifted(int*, int): with other integers: {{.*}}kernels.cu:[[#@LINE+39]]:{{[0-9]+}}: error: {{.*}} [race] at {{.*}} with n = {{[0-9-]+$}}
// CHECK-NEXT: {{^}}shifted(int*, int): no defects, for all data, at
// CHECK-NEXT: kernels.cu:[[#@LINE+43]]:{{[0-9]+}}: warning: threads of one warp race on s{{.*}} [warp-race]
// CHECK-NEXT: {{^}}bounded(int*): only warnings, for all data, at <<<(1,1,1),(32,1,1)>>> (assumed grid, block)
// SHAPE: sameElement(unsigned int*): no defects, for all data, at <<<(1,1,1),(64,1,1)>>>{{$}}
// SHAPE: bounded(int*): not checked: its __launch_bounds__ allow 32 threads
// NORACES: sameElement(unsigned int*): no defects, for all data, at <<<(2,1,1),(64,2,1)>>> (assumed grid){{$}}
// NONE: cuda-sim: error: '{{.*}}kernels.cu' has no kernel

#ifndef NONE
#include "cuda.h"

__global__ void reverse(float *out, const float *in, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n)
    out[i] = s[blockDim.x - 1 - threadIdx.x];
}

// The blocks write the same elements.
__global__ void sameElement(unsigned *out) {
  out[threadIdx.x] = blockIdx.x;
}

__global__ void positive(int *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0)
    out[i] = 1;
}

__global__ void indirect(int (*f)(int), int *out) {
  *out = f(1);
}

// Only if n is less than all threads.
__global__ void shifted(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = out[i + n];
}

__global__ void __launch_bounds__(32) bounded(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[31 - threadIdx.x];
}
#endif
