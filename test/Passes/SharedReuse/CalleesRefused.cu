// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --print=plan %s -- %cuda-flags -fgpu-rdc | FileCheck %s --check-prefix=RDC
//
// Arrays of functions that others may call, or that are still alive, stay where they
// are.
#include "cuda.h"

#define PHASE(name)                                                            \
  {                                                                            \
    name[threadIdx.x] = x;                                                     \
    __syncthreads();                                                           \
    x = name[63 - threadIdx.x];                                                \
  }

// CHECK-LABEL: plan one
// CHECK-NEXT: keep storage: function 'common' uses it, and is also used otherwise
// CHECK-LABEL: plan other
// CHECK-NEXT: keep storage: function 'common' uses it, and is also used otherwise
__device__ float common(float x) {
  __shared__ float tile[64];
  PHASE(tile)
  return x;
}
__global__ void one(float *out) {
  __shared__ float mine[64];
  float x = common(*out);
  __syncthreads();
  PHASE(mine)
  out[threadIdx.x] = x;
}
__global__ void other(float *out) {
  __shared__ float mine[64];
  float x = common(*out);
  __syncthreads();
  PHASE(mine)
  out[threadIdx.x] = x;
}

// Another kernel gets there through a function.
// CHECK-LABEL: plan directly
// CHECK-NEXT: keep storage: function 'far' uses it, and is also used otherwise
__device__ float far(float x) {
  __shared__ float tile[64];
  PHASE(tile)
  return x;
}
__device__ float on_the_way(float x) { return far(x); }
__global__ void directly(float *out) {
  __shared__ float mine[64];
  float x = far(*out);
  __syncthreads();
  PHASE(mine)
  out[threadIdx.x] = x;
}
__global__ void indirectly(float *out) { *out = on_the_way(*out); }

// CHECK-LABEL: plan of_template
// CHECK-NEXT: keep storage: its text cannot be edited: 'sized' is a template or a member
template <int N> __device__ float sized(float x) {
  __shared__ float tile[N];
  PHASE(tile)
  return x;
}
__global__ void of_template(float *out) {
  __shared__ float mine[64];
  float x = sized<64>(*out);
  __syncthreads();
  PHASE(mine)
  out[threadIdx.x] = x;
}

// No barrier between the two: a slow thread still reads the first.
// CHECK-LABEL: plan no_barrier
// CHECK-NEXT: apart tile tile: which bytes each thread accesses is not proved
// CHECK-NEXT: keep storage: no two
__device__ float before(float x) {
  __shared__ float tile[64];
  PHASE(tile)
  return x;
}
__device__ float after(float x) {
  __shared__ float tile[64];
  PHASE(tile)
  return x;
}
__global__ void no_barrier(float *out) {
  float x = before(*out);
  out[threadIdx.x] = after(x);
}

// Its values last from call to call.
// CHECK-LABEL: plan kept_value
// CHECK-NEXT: keep storage: no two
// RDC-LABEL: plan kept_value
// RDC-NEXT: keep storage: function 'counted' uses it, and is also used otherwise
__device__ float counted(float x, bool first) {
  __shared__ float tile[64];
  if (first)
    tile[threadIdx.x] = x;
  __syncthreads();
  return tile[63 - threadIdx.x];
}
__global__ void kept_value(float *out) {
  __shared__ float mine[64];
  float x = counted(*out, true);
  __syncthreads();
  PHASE(mine)
  __syncthreads();
  out[threadIdx.x] = x + counted(*out, false);
}

// CHECK-LABEL: plan returned
// CHECK-NEXT: keep storage:
__device__ float *give(float x) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x;
  return tile;
}
__global__ void returned(float *out) {
  __shared__ float mine[64];
  float x = *out;
  float *given = give(x);
  __syncthreads();
  PHASE(mine)
  out[threadIdx.x] = x + given[63 - threadIdx.x];
}

// Another setting of the preprocessor has another caller.
// CHECK-LABEL: plan with_others
// CHECK-NEXT: keep storage: a part of the kernel that is switched off by #if
__device__ float sometimes(float x) {
  __shared__ float tile[64];
  PHASE(tile)
  return x;
}
__global__ void with_others(float *out) {
  __shared__ float mine[64];
  float x = sometimes(*out);
  __syncthreads();
  PHASE(mine)
  out[threadIdx.x] = x;
}
#ifdef MORE
__global__ void more(float *out) { *out = sometimes(*out); }
#endif

// What the declaration names comes later than the object would stand.
// CHECK-LABEL: plan late_name
// CHECK-NEXT: keep storage: its text cannot be edited: the declaration of 'tile' names 'Size', which is declared too late
__device__ float early(float x) {
  __shared__ float tile[64];
  PHASE(tile)
  return x;
}
constexpr int Size = 64;
__device__ float late(float x) {
  __shared__ float tile[Size];
  PHASE(tile)
  return x;
}
__global__ void late_name(float *out) {
  float x = early(*out);
  __syncthreads();
  out[threadIdx.x] = late(x);
}

void launch(float *out) {
  one<<<1, 64>>>(out);
  other<<<1, 64>>>(out);
  directly<<<1, 64>>>(out);
  indirectly<<<1, 64>>>(out);
  of_template<<<1, 64>>>(out);
  no_barrier<<<1, 64>>>(out);
  kept_value<<<1, 64>>>(out);
  returned<<<1, 64>>>(out);
  with_others<<<1, 64>>>(out);
  late_name<<<1, 64>>>(out);
}
