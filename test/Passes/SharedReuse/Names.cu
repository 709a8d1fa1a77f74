// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes %s -- %cuda-flags | grep -v '^ *//' > %t.cu
// RUN: FileCheck %s --input-file=%t.cu
// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes --verify=machine -o %t.2.cu %s -- %cuda-flags
// RUN: grep -v "^ *//" %t.2.cu | diff - %t.cu
// RUN: cp %t.cu %t.again.cu
// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes -i %t.again.cu -- %cuda-flags -I%S/../../Inputs
// RUN: diff %t.cu %t.again.cu
//
// Names of variables that share bytes: of two with one name, the second gets another
// in the union; local classes and alignof name the member; a template argument would
// need the variable itself. What is rewritten stays as it is.
#include "cuda.h"

// CHECK-LABEL: void same_name(
// CHECK:      __shared__ union {
// CHECK-NEXT:   float a[64];
// CHECK-NEXT:   float a2[64];
// CHECK-NEXT: } reused;
// CHECK:      auto &a = reused.a;
// CHECK:      auto &a = reused.a2;
// CHECK:      auto get = [&](int i) { return reused.a2[i]; };
__global__ void same_name(float *out, const float *in) {
  int t = threadIdx.x;
  float x = 0;
  {
    __shared__ float a[64];
    a[t] = in[t];
    __syncthreads();
    x = a[63 - t];
  }
  __syncthreads();
  {
    __shared__ float a[64];
    auto get = [&](int i) { return a[i]; };
    a[t] = x;
    __syncthreads();
    out[t] = get(63 - t);
  }
}

// CHECK-LABEL: void local_class(
// CHECK: return reused.a[i] + __alignof__(reused.a);
// CHECK: float x = Reader::get(63 - t) + __alignof__(reused.a);
__global__ void local_class(float *out, const float *in) {
  __shared__ alignas(64) float a[64];
  __shared__ float b[64];
  struct Reader {
    static __device__ float get(int i) { return a[i] + __alignof__(a); }
  };
  int t = threadIdx.x;
  a[t] = in[t];
  __syncthreads();
  float x = Reader::get(63 - t) + __alignof__(a);
  __syncthreads();
  b[t] = x;
  __syncthreads();
  out[t] = b[63 - t];
}

template <float *P> __device__ float get(int i) { return P[i]; }

// CHECK-LABEL: void template_argument(
// CHECK-NEXT: __shared__ float a[64];
// CHECK-NEXT: __shared__ float b[64];
__global__ void template_argument(float *out, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  __syncthreads();
  float x = get<a>(63 - t);
  __syncthreads();
  b[t] = x;
  __syncthreads();
  out[t] = b[63 - t];
}

void launch(float *out, const float *in) {
  same_name<<<1, 64>>>(out, in);
  local_class<<<1, 64>>>(out, in);
  template_argument<<<1, 64>>>(out, in);
}
