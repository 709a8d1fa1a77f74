// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// A use that is not a full subscript keeps the array as it is.

#include "cuda.h"

__device__ void take(float *Pointer);
__device__ void bind(float &Element);

// CHECK-LABEL: kernel uses
// CHECK-DAG: blocked pointer: its address escapes here
// CHECK-DAG: blocked row: it is passed to 'take'
// CHECK-DAG: blocked bound: a reference to an element is passed to 'bind'
// CHECK-DAG: blocked cast: it is cast to 'float4 *'
// CHECK-DAG: blocked sized: its size is used here
// CHECK-DAG: blocked reversed: its address escapes here
// CHECK-DAG: blocked inType: its address escapes here
// CHECK-DAG: blocked captured: its address escapes here
// CHECK-NOT: blocked direct
// CHECK-NOT: blocked counter
// CHECK: atomic 4 bytes {{.*}} -> counter[
__global__ void uses(float *Out) {
  __shared__ float pointer[4], row[4][4], bound[4], sized[4], reversed[4],
      direct[4], inType[4], captured[4];
  __shared__ float4 cast[4];
  __shared__ int counter[4];
  float *P = pointer;
  P[0] = 0;
  take(row[threadIdx.x]);
  bind(bound[0]);
  *(float4 *)cast = cast[0];
  Out[0] = sizeof(sized) + sizeof(direct[0]);
  0[reversed] = 0;
  decltype(&inType) Q = nullptr;
  (void)Q;
  auto Reference = [&]() -> float & { return captured[0]; };
  Reference() = 0;
  direct[threadIdx.x] = 0;
  atomicAdd(&counter[threadIdx.x & 3], 1);
}
void launchUses(float *Out) { uses<<<1, 4>>>(Out); }

// CHECK-LABEL: kernel jumps
// CHECK: blocked line: the kernel contains a goto
__global__ void jumps() {
  __shared__ float line[4];
again:
  line[0] += 1;
  if (line[0] < 4)
    goto again;
}
