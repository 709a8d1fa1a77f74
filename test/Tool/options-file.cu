// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: echo '-nocudainc -I %S/../Inputs "-DWIDTH=32" a.cu' > flags
// RUN: %cuda-opt --diff -- --options-file flags | FileCheck %s
// RUN: %cuda-opt --diff -- -nocudainc -I %S/../Inputs -DWIDTH=32 a.cu | FileCheck %s
// RUN: echo '-nocudainc' > flags
// RUN: %exits 2 %cuda-opt --diff -- --options-file flags 2>&1 | FileCheck --check-prefix=NONE %s
//
// Where no source stands in front of the flags, it is the one among them, be it in
// an options file.
//
// CHECK: +  __shared__ float tile[WIDTH][WIDTH + 1];
// NONE: cuda-opt: error: no input file
//--- a.cu
#include <cuda.h>
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[WIDTH][WIDTH];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, float *In) { transpose<<<1, dim3(32, 32)>>>(Out, In); }
