// RUN: rm -rf %t && split-file %s %t
// RUN: %cuda-opt --layout=pad %t/a.cu -- %cuda-flags -isystem %t/include 2>&1 | FileCheck %s
// RUN: %cuda-opt --layout=pad %t/a.cu -- %cuda-flags -I %t/include 2>&1 | FileCheck %s --check-prefix=OWN
//
// A deduction guide for the host alone, which CCCL 3.1 has and clang refuses, is no
// reason to keep the kernels of a program; one of the program's own is.
//
// CHECK-NOT: error
// CHECK: tile[32][32 + 1];
// OWN: first: {{.*}}view.h:{{.*}}deduction guides
// OWN: tile[32][32];
//--- include/view.h
template <class T> struct View { T *Data; };
template <class T> __host__ View(T *, int) -> View<T>;
//--- a.cu
#include <cuda.h>
#include <view.h>
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, float *In) { transpose<<<1, dim3(32, 32)>>>(Out, In); }
