// RUN: %cuda-opt --verify=plan -Rpass-missed=.* -Rpass-analysis=bank-layout %s -- %cuda-flags 2>%t.open >%t.open.cu
// RUN: grep -v '^ *//' %t.open.cu | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t.open
// RUN: %cuda-opt --assume-closed-world %s -- %cuda-flags 2>/dev/null | grep -v '^ *//' | FileCheck %s --check-prefix=CLOSED
// RUN: %cuda-opt --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=PLAN
//
// Another file may launch a kernel of external linkage with other blocks than
// this one: what would be wrong then is not done.
#include "cuda.h"

// Elements that only the launches of this file leave alone.
// WHY-DAG: [[#@LINE+6]]:{{.*}} shared array 's' keeps its last rows, although no thread accesses them: it is right only for the launches in this file, and another file may launch 'cut' with another block
// CHECK-LABEL: void cut(
// CHECK-NEXT: __shared__ float s[8192];
// CLOSED-LABEL: void cut(
// CLOSED-NEXT: __shared__ float s[128];
__global__ void cut(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x + 64 * threadIdx.y * blockDim.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[blockDim.x - 1 - t];
}

// No launch has more threads than the hardware allows.
// CHECK-LABEL: void cutToLimit(
// CHECK-NEXT: __shared__ float s[1024];
// CLOSED-LABEL: void cutToLimit(
// CLOSED-NEXT: __shared__ float s[128];
__global__ void cutToLimit(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}

// Nor than its __launch_bounds__, or than a condition lets access it.
// CHECK-LABEL: cutToBounds(
// CHECK-NEXT: __shared__ float s[256];
__global__ void __launch_bounds__(256) cutToBounds(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}
// CHECK-LABEL: void cutToGuard(
// CHECK-NEXT: __shared__ float s[256];
__global__ void cutToGuard(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  if (t < 256)
    s[t] = in[t];
  __syncthreads();
  if (t < 256)
    out[t] = s[t ^ 1];
}

// A kernel that no other file can name.
// CHECK-LABEL: void own(
// CHECK-NEXT: __shared__ float s[128];
static __global__ void own(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}
namespace {
// CHECK-LABEL: void unnamed(
// CHECK-NEXT: __shared__ float s[128];
__global__ void unnamed(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}
} // namespace

// Its address leads elsewhere.
// WHY-DAG: [[#@LINE+4]]:{{.*}} shared array 's' keeps its last rows, although no thread accesses them: it is right only for the launches in this file, and others may be made through the address of 'leaks'
// CHECK-LABEL: void leaks(
// CHECK-NEXT: __shared__ float s[8192];
static __global__ void leaks(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x + 64 * threadIdx.y * blockDim.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[blockDim.x - 1 - t];
}
void (*Exported)(float *, const float *) = leaks;

// Its address stays here.
// CHECK-LABEL: void stays(
// CHECK-NEXT: __shared__ float s[128];
static __global__ void stays(float *out, const float *in) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t ^ 1];
}

// In a block of several rows of threads one thread would read what another one
// wrote.
// WHY-DAG: [[#@LINE+4]]:{{.*}} shared array 's' stays in shared memory, although each thread has one element of it: it is right only for the launches in this file
// CHECK-LABEL: void byOneRow(
// CHECK-NEXT: __shared__ float s[1024];
__global__ void byOneRow(float *out, const float *in) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  if (threadIdx.y == 0)
    s[t] = in[t];
  __syncthreads();
  out[t + blockDim.x * threadIdx.y] = s[t];
}

// Here they would race.
// CHECK-LABEL: void byAll(
// CHECK-NEXT: float s;
// PLAN-LABEL: plan byAll
// PLAN: private s
// PLAN: storage{{.*}}; closed-world
__global__ void byAll(float *out, const float *in) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t];
}

// A subscript that leaves its row has undefined behavior.
// CHECK-LABEL: void rows(
// CHECK-NEXT: __shared__ float tile[32][32 + 1];
// PLAN-LABEL: plan rows
// PLAN: layout tile [32][32] -> [32][33]: {{.*}}, closed-world
// WHY-DAG: [[#@LINE+2]]:{{.*}} subscripts of 'tile' are proved to stay inside their rows for the launches of this file
__global__ void rows(float *out, const float *in) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// How large it is, each launch says.
// WHY-DAG: [[#@LINE+2]]:{{.*}} shared array 'd' keeps its layout: it is right only for the launches in this file
__global__ void dynamic(float *out, const float *in) {
  extern __shared__ float d[];
  int t = threadIdx.x;
  for (int r = 0; r < 32; ++r)
    d[r * 32 + t] = in[r * 32 + t];
  __syncthreads();
  for (int r = 0; r < 32; ++r)
    out[r * 32 + t] = d[t * 32 + r];
}

// A write of all threads of this file's blocks is none of all threads of others:
// what it does not overwrite stays alive.
// CHECK-LABEL: void kills(
// CHECK-NOT: union
// CLOSED-LABEL: void kills(
// CLOSED: union
__global__ void kills(float *out, const float *in, int n) {
  __shared__ float a[64][66];
  __shared__ float b[64][66];
  int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    for (int r = 0; r < 64; ++r)
      a[r][t] = in[(k * 64 + r) * 64 + t];
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < 64; ++r)
      sum += a[r][(t + 2) % 64];
    __syncthreads();
    for (int r = 0; r < 64; ++r)
      b[r][t] = sum * r;
    __syncthreads();
    for (int r = 0; r < 64; ++r)
      out[(k * 64 + r) * 64 + t] = b[r][(t + 2) % 64];
    __syncthreads();
  }
}

// CHECK: void launch(
void launch(float *out, const float *in) {
  cut<<<1, 128>>>(out, in);
  cutToLimit<<<1, 128>>>(out, in);
  cutToBounds<<<1, 128>>>(out, in);
  cutToGuard<<<1, 128>>>(out, in);
  own<<<1, 128>>>(out, in);
  unnamed<<<1, 128>>>(out, in);
  leaks<<<1, 128>>>(out, in);
  void (*const Kernel)(float *, const float *) = stays;
  Kernel<<<1, 128>>>(out, in);
  byOneRow<<<1, 128>>>(out, in);
  byAll<<<1, 128>>>(out, in);
  rows<<<1, dim3(32, 32)>>>(out, in);
  dynamic<<<1, 32, 4096>>>(out, in);
  kills<<<1, 64>>>(out, in, 10);
}
