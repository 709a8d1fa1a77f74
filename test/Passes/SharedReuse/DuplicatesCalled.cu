// RUN: %cuda-opt --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --passes=shared-reuse --assume-closed-world --print=plan %s -- %cuda-flags | FileCheck %s --check-prefix=CLOSED
//
// What a kernel calls may tell threads apart whose elements are the same: the array
// stays for the launches of other files. For those of this file it need not.
#include "cuda.h"
#include "cuda/groups.cuh"

// CHECK-LABEL: plan callsUnknown
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan callsUnknown
// CLOSED: private s
__device__ int unseen(int);
__global__ void callsUnknown(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v = unseen(v);
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// Another body may be linked.
// CHECK-LABEL: plan callsWeak
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan callsWeak
// CLOSED: private s
__device__ __attribute__((weak)) int weak(int x) { return x; }
__global__ void callsWeak(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v = weak(v);
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan callsPointer
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan callsPointer
// CLOSED: private s
__device__ int (*chosen)(int);
__global__ void callsPointer(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v = chosen(v);
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan callsVirtual
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan callsVirtual
// CLOSED: private s
struct Shape {
  __device__ virtual int area() { return 1; }
};
__device__ Shape *shape;
__global__ void callsVirtual(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += shape->area();
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan callsLambda
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan callsLambda
// CLOSED: private s
__global__ void callsLambda(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  auto get = [&] { return v + 1; };
  v = get();
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan constructs
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan constructs
// CLOSED: private s
struct Made {
  int value;
  __device__ Made() : value(threadIdx.y) {}
};
__global__ void constructs(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  Made made;
  v += made.value;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan destroys
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan destroys
// CLOSED: private s
struct Ended {
  int &value;
  __device__ ~Ended() { value += threadIdx.y; }
};
__global__ void destroys(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  {
    Ended ended{v};
  }
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan cleansUp
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan cleansUp
// CLOSED: private s
__device__ void leave(int *x) { *x = threadIdx.y; }
__global__ void cleansUp(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  __attribute__((cleanup(leave))) int left = 0;
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan hasDefault
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan hasDefault
// CLOSED: private s
__device__ int other(int x = threadIdx.y) { return x; }
__global__ void hasDefault(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += other();
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan hasOperator
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan hasOperator
// CLOSED: private s
struct Number {
  int value;
};
__device__ int operator+(Number a, Number b) {
  return a.value + b.value + threadIdx.y;
}
__global__ void hasOperator(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v = Number{v} + Number{v};
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

// CHECK-LABEL: plan readsClock
// CHECK-NEXT: share s: it is right only for the launches in this file
// CLOSED-LABEL: plan readsClock
// CLOSED: private s
__global__ void readsClock(int *out, const int *in, int *count, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 0;
  v += __nvvm_read_ptx_sreg_clock();
  if (t < n)
    s[t] = in[t];
  __syncthreads();
  if (t > 0)
    out[t] = s[t] + v;
}

void launch(int *out, const int *in, int *count, int n) {
  callsUnknown<<<1, 64>>>(out, in, count, n);
  callsWeak<<<1, 64>>>(out, in, count, n);
  callsPointer<<<1, 64>>>(out, in, count, n);
  callsVirtual<<<1, 64>>>(out, in, count, n);
  callsLambda<<<1, 64>>>(out, in, count, n);
  constructs<<<1, 64>>>(out, in, count, n);
  destroys<<<1, 64>>>(out, in, count, n);
  cleansUp<<<1, 64>>>(out, in, count, n);
  hasDefault<<<1, 64>>>(out, in, count, n);
  hasOperator<<<1, 64>>>(out, in, count, n);
  readsClock<<<1, 64>>>(out, in, count, n);
}
