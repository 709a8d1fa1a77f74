// RUN: %cuda-opt --passes=bank-layout %s -o %t.cu -Rpass-missed --report=json:%t.json -- %cuda-flags 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: diff %s %t.cu
// RUN: FileCheck %s --check-prefix=ID < %t.json
//
// What an array is, and where it is declared, may keep it. Each kernel accesses
// it in a way that another layout would mend.

#include "cuda.h"

#define COLUMN tile[threadIdx.x][0]

// CHECK: :[[@LINE+4]]:20: remark: shared array 'tile' keeps its layout: no use in this file instantiates the template
// ID: "reason": "not-instantiated"
template <int N>
__global__ void notInstantiated() {
  __shared__ float tile[N][N];
  COLUMN = 0;
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: it is declared in a __device__ function
// ID: "reason": "in-device-function"
__device__ void inDeviceFunction() {
  __shared__ float tile[32][32];
  COLUMN = 0;
}

// CHECK: :[[@LINE+2]]:18: remark: {{.*}}: it is declared outside of the kernel
// ID: "reason": "file-scope"
__shared__ float outside[32][32];
__global__ void fileScope() { outside[threadIdx.x][0] = 0; }

// CHECK: :[[@LINE+2]]:25: remark: shared array 'pool' {{.*}}: it is declared outside of the kernel
// ID: "reason": "file-scope"
extern __shared__ float pool[];
__global__ void pooled() { pool[threadIdx.x * 32] = 0; }

// CHECK: :[[@LINE+4]]:23: remark: {{.*}}: elements of type 'Overlaid' are not supported
// ID: "reason": "unsupported-type"
union Overlaid { float Number; int Bits; };
__global__ void unsupportedType(float *Out) {
  __shared__ Overlaid tile[32][32];
  Out[0] = tile[threadIdx.x][0].Number;
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: it has more than four dimensions
// ID: "reason": "too-many-dimensions"
__global__ void tooManyDimensions() {
  __shared__ float tile[2][2][2][2][2];
  tile[0][0][0][0][threadIdx.x & 1] = 0;
}

// CHECK: :[[@LINE+3]]:19: remark: {{.*}}: it has more than a mebibyte, which no block can have
// ID: "reason": "exceeds-memory"
__global__ void exceedsMemory(char *Out) {
  __shared__ char tile[1ll << 40];
  tile[threadIdx.x] = 1;
  __syncthreads();
  Out[threadIdx.x] = tile[threadIdx.x];
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: clang reports an error inside the kernel
// ID: "reason": "error-in-kernel"
__global__ void errorInKernel() {
  __shared__ float tile[32][32];
  COLUMN = 0;
  undeclared();
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: the kernel contains a goto
// ID: "reason": "unstructured-control"
__global__ void unstructuredControl(int N) {
  __shared__ float tile[32][32];
again:
  COLUMN = 0;
  if (N--)
    goto again;
}

void launch(float *F) {
  fileScope<<<1, 32>>>();
  unsupportedType<<<1, 4>>>(F);
  tooManyDimensions<<<1, 2>>>();
  errorInKernel<<<1, 32>>>();
  unstructuredControl<<<1, 32>>>(1);
}
