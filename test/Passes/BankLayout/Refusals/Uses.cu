// RUN: %cuda-opt --passes=bank-layout %s -o %t.cu -Rpass-missed --report=json:%t.json -- %cuda-flags 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
// RUN: FileCheck %s --check-prefix=ID < %t.json
//
// A use that is no full subscript keeps an array, and is where the reason is
// shown. Each kernel accesses it in a way that another layout would mend.

#include "cuda.h"

__device__ void take(float *Row);
__device__ void bind(float &Element);
#define COLUMN tile[threadIdx.x][0]

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

// The members would be in several places, and no other layout is possible.
// CHECK: :[[@LINE+6]]:3: remark: {{.*}}: an element is used as a whole here, not member by member
// ID: "reason": "whole-element"
struct Body { float x, y, z, w; };
__global__ void wholeElement(float *Out) {
  __shared__ Body bodies[32];
  Out[0] = bodies[threadIdx.x].x;
  bodies[0] = Body();
}

// CHECK: :[[@LINE+4]]:34: remark: {{.*}}: a cast accesses 4 elements at once, and no layout that keeps them together is better
// ID: "reason": "chunked-access"
__global__ void chunkedAccess(float4 *Out) {
  __shared__ float narrow[128][4];
  Out[threadIdx.x] = *(float4 *)&narrow[threadIdx.x][0];
  narrow[threadIdx.x][1] = 0;
}

void launch(float *F, size_t *S, float4 *V) {
  addressEscapes<<<1, 32>>>();
  passedToFunction<<<1, 32>>>();
  pointerCast<<<1, 32>>>();
  boundToReference<<<1, 32>>>();
  sizeTaken<<<1, 32>>>(S);
  inlineAssembly<<<1, 32>>>();
  wholeElement<<<1, 32>>>(F);
  chunkedAccess<<<1, 128>>>(V);
}
