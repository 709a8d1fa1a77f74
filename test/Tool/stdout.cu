// RUN: rm -rf %t && split-file %s %t
// RUN: %cuda-opt %t/x.cu -- %cuda-flags 2>%t/err | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %cuda-opt %t/x.cu -o - -- %cuda-flags | FileCheck %s --match-full-lines --strict-whitespace
// RUN: FileCheck %s --check-prefix=SUMMARY < %t/err
// RUN: %cuda-opt --quiet %t/x.cu -- %cuda-flags 2>&1 >/dev/null | count 0
// RUN: %exits 3 sh -c '"$0" "$@" > /dev/full' %cuda-opt %t/x.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: %exits 3 sh -c '"$0" "$@" > /dev/full' %cuda-opt --check --report=json:- %t/x.cu -- %cuda-flags 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: %exits 3 sh -c '"$0" "$@" > /dev/full' %cuda-opt explain 2>&1 | FileCheck %s --check-prefix=FULL
//
// FULL: cuda-opt: error: cannot write standard output
// FULL-NOT: LLVM
//
// Without options the whole source goes to standard output, and nothing else
// does; the summary goes to standard error, or nowhere.
//
// SUMMARY: x.cu: 1 kernel, 1 array rewritten, 0 kept
//
//      CHECK:#include "cuda.h"
// CHECK-NEXT:__global__ void transpose(float *Out, const float *In) {
// CHECK-NEXT:  __shared__ float tile[32][32 + 1];
// CHECK-NEXT:  tile[threadIdx.y][threadIdx.x] = In[threadIdx.x];
// CHECK-NEXT:  __syncthreads();
// CHECK-NEXT:  Out[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
// CHECK-NEXT:}
// CHECK-NEXT:void launch(float *Out, const float *In) {
// CHECK-NEXT:  transpose<<<1, dim3(32, 32)>>>(Out, In);
// CHECK-NEXT:}
//  CHECK-NOT:{{.}}

//--- x.cu
#include "cuda.h"
__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
