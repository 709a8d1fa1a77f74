// RUN: rm -rf %t && mkdir -p %t/src/x %t/far && cp %s %t/real.cu && cd %t
// RUN: cp %s src/below.cu && cp %s far/far.cu && ln -s real.cu link.cu && ln -s ../far src/far
// RUN: %python -c "import shutil; [shutil.copy('real.cu', 'src/a' + c + 'b.cu') for c in '\t\042\\\\ \u00e4\001']"
// RUN: %cuda-opt --diff link.cu -- %cuda-flags > new.diff
// RUN: %cuda-opt --diff ./src/x/../below.cu src/far/far.cu -- %cuda-flags >> new.diff
// RUN: FileCheck %s < new.diff
// RUN: %cuda-opt --diff src/a*b.cu -- %cuda-flags > names.diff
// RUN: FileCheck %s --check-prefix=NAMES < names.diff
// RUN: git init -q . && git apply new.diff names.diff
// RUN: %cuda-opt --check real.cu src/below.cu far/far.cu src/a*b.cu -- %cuda-flags | count 0
//
// git applies the diff of a source that a link, or a way through "..", leads to, and of
// one whose name it quotes.
//
// CHECK: {{^}}--- a/real.cu
// CHECK-NEXT: {{^}}+++ b/real.cu
// CHECK-DAG: {{^}}--- a/src/below.cu
// CHECK-DAG: {{^}}--- a/far/far.cu
// NAMES-DAG: {{^}}--- "a/src/a\001b.cu"{{$}}
// NAMES-DAG: {{^}}+++ "b/src/a\tb.cu"{{$}}
// NAMES-DAG: {{^}}--- "a/src/a\"b.cu"{{$}}
// NAMES-DAG: {{^}}--- "a/src/a\\b.cu"{{$}}

#include "cuda.h"

__global__ void transpose(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void launch(float *Out, const float *In) {
  transpose<<<1, dim3(32, 32)>>>(Out, In);
}
