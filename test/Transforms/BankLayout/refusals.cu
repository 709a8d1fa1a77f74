// RUN: %cuda-opt %s -o %t.cu -Rpass-missed --report=json:%t.json -- %cuda-flags 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
// RUN: FileCheck %s --check-prefix=ID < %t.json
//
// Every reason to keep an array, with its place and its identifier. Each kernel
// accesses a tile in a way that another layout would mend.

#include "cuda.h"

__device__ void take(float *Row);
__device__ void bind(float &Element);
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

// CHECK: :[[@LINE+3]]{{.*}}: remark: {{.*}}: its size is an argument of the launch
// ID: "reason": "extern-array"
__global__ void externArray() {
  extern __shared__ float line[];
  line[threadIdx.x * 32] = 0;
}

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

// CHECK: :[[@LINE+4]]:14: remark: {{.*}}: its address escapes here, where 'tile' is not a full subscript
// ID: "reason": "address-escapes"
__global__ void addressEscapes() {
  __shared__ float tile[32][32];
  auto Row = tile;
  COLUMN = 0;
}

// CHECK: :[[@LINE+4]]:8: remark: {{.*}}: it is passed to 'take'
// ID: "reason": "passed-to-function"
__global__ void passedToFunction() {
  __shared__ float tile[32][32];
  take(tile[0]);
  COLUMN = 0;
}

// CHECK: :[[@LINE+4]]:13: remark: {{.*}}: it is cast to 'float *'
// ID: "reason": "pointer-cast"
__global__ void pointerCast() {
  __shared__ float tile[32][32];
  ((float *)tile)[0] = 0;
  COLUMN = 0;
}

// CHECK: :[[@LINE+4]]:8: remark: {{.*}}: a reference to an element is passed to 'bind'
// ID: "reason": "bound-to-reference"
__global__ void boundToReference() {
  __shared__ float tile[32][32];
  bind(tile[0][0]);
  COLUMN = 0;
}

// CHECK: :[[@LINE+4]]:19: remark: {{.*}}: its size is used here
// ID: "reason": "size-taken"
__global__ void sizeTaken(size_t *Out) {
  __shared__ float tile[32][32];
  Out[0] = sizeof(tile);
  COLUMN = 0;
}

// CHECK: :[[@LINE+4]]:{{[0-9]+}}: remark: {{.*}}: inline assembly uses it
// ID: "reason": "inline-assembly"
__global__ void inlineAssembly() {
  __shared__ float tile[32][32];
  asm volatile("" : "=f"(tile[0][0]));
  COLUMN = 0;
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

// CHECK: :[[@LINE+4]]:1: remark: {{.*}}: a part of the kernel that is switched off by #if mentions it
// ID: "reason": "inactive-region"
__global__ void inactiveRegion() {
  __shared__ float tile[32][32];
#if 0
  tile[0][32] = 0;
#endif
  COLUMN = 0;
}

// CHECK: remark: {{.*}}: the shape of the block is not known; pass --block=X,Y,Z
// ID: "reason": "unknown-block"
__global__ void unknownBlock() {
  __shared__ float tile[32][32];
  COLUMN = 0;
}

// CHECK: :[[@LINE+5]]:3: remark: {{.*}}: subscript {{.*}} cannot be proved to stay inside its row
// ID: "reason": "not-in-bounds"
__global__ void notInBounds() {
  __shared__ float tile[32][32];
  COLUMN = 0;
  tile[0][threadIdx.x + 1] = 0;
}

// CHECK: :[[@LINE+5]]:3: remark: {{.*}}: subscript {{.*}} depends on data
// ID: "reason": "data-dependent"
__global__ void dataDependent(int *Index) {
  __shared__ float tile[32][32];
  COLUMN = 0;
  tile[0][*Index] = 0;
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: no access conflicts
// ID: "reason": "no-conflict"
__global__ void noConflict() {
  __shared__ float line[32];
  line[threadIdx.x] = 0;
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: no layout tried needs fewer wavefronts
// ID: "reason": "no-gain"
__global__ void noGain() {
  __shared__ float pair[2][33];
  pair[0][threadIdx.x] = 0;
  pair[0][threadIdx.x + (threadIdx.x >= 16)] = 0;
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: the better layout needs 49392 bytes of shared memory, more than a block may have
// ID: "reason": "too-large"
__global__ void tooLarge() {
  __shared__ float tile[126][97];
  tile[threadIdx.x][64 - threadIdx.x] = 0;
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: the better layout needs more memory, and how much dynamic shared memory
// ID: "reason": "dynamic-memory"
__global__ void dynamicMemory() {
  __shared__ float tile[33][33];
  extern __shared__ float more[];
  tile[threadIdx.x][32 - threadIdx.x] = more[threadIdx.x];
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: the better layout needs over a quarter more memory
// ID: "reason": "much-memory"
__global__ void muchMemory() {
  __shared__ float tile[32][5];
  tile[threadIdx.y][threadIdx.x] = 0;
}

void launch(float *F, int *I, size_t *S) {
  unsupportedType<<<1, 4>>>(F);
  tooManyDimensions<<<1, 2>>>();
  externArray<<<1, 32, 4096>>>();
  addressEscapes<<<1, 32>>>();
  passedToFunction<<<1, 32>>>();
  pointerCast<<<1, 32>>>();
  boundToReference<<<1, 32>>>();
  sizeTaken<<<1, 32>>>(S);
  inlineAssembly<<<1, 32>>>();
  unstructuredControl<<<1, 32>>>(1);
  inactiveRegion<<<1, 32>>>();
  notInBounds<<<1, 32>>>();
  dataDependent<<<1, 32>>>(I);
  noConflict<<<1, 32>>>();
  noGain<<<1, 32>>>();
  tooLarge<<<1, 32>>>();
  dynamicMemory<<<1, 32>>>();
  muchMemory<<<1, dim3(4, 8)>>>();
}

// CHECK: :[[@LINE+3]]:20: remark: {{.*}}: the wavefronts saved do not outweigh
// ID: "reason": "uncertain-gain"
__global__ void uncertainGain(const int *Index) {
  __shared__ float line[1024];
  line[threadIdx.x * 2] = 0;
  for (int I = 0; I < 10; ++I) {
    int At = Index[I];
    line[At] = 1;
  }
}
void launchUncertainGain(const int *Index) { uncertainGain<<<1, 32>>>(Index); }
