// REQUIRES: cuda
// RUN: %cuda-opt --cuda-path=%cuda-path --passes=shared-reuse --reuse=bytes --assume-closed-world --print=plan %s -- -arch=sm_90 -std=c++17 | FileCheck %s
// RUN: %cuda-opt --cuda-path=%cuda-path --passes=shared-reuse --print=model %s -- -arch=sm_90 -std=c++17 | FileCheck %s --check-prefix=MODEL
//
// An array that is reached once more at the end, by a pointer or by code that only
// the text shows, shares its bytes with none that lives in between.

#include <cstring>
#include <cub/cub.cuh>

// What a, and then b and c live for.
#define FIRST                                                                           \
  int t = threadIdx.x;                                                                  \
  a[t] = in[t];                                                                         \
  __syncthreads();                                                                      \
  float r = a[63 - t];
#define MIDDLE                                                                          \
  __syncthreads();                                                                      \
  b[t] = in[64 + t];                                                                    \
  __syncthreads();                                                                      \
  r += b[63 - t];                                                                       \
  __syncthreads();                                                                      \
  c[t] = in[t];                                                                         \
  __syncthreads();                                                                      \
  r += c[63 - t];

// CHECK-LABEL: plan nothing_hidden
// CHECK: storage (a | b | c)
__global__ void nothing_hidden(float *o, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  __shared__ float c[64];
  FIRST
  float *p = a + 63;
  r += *(p - t);
  MIDDLE
  o[t] = r;
}

// An instruction computes with the address.
// CHECK-LABEL: plan by_assembly
// CHECK-NOT: storage (a
// CHECK: storage (b | c)
__global__ void by_assembly(float *o, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  __shared__ float c[64];
  FIRST
  float *q;
  asm volatile("max.u64 %0, %1, %2;" : "=l"(q) : "l"((float *)a), "l"(0ul));
  MIDDLE
  o[t] = r + q[63 - t];
}

// CHECK-LABEL: plan by_bytes
// CHECK-NOT: storage (a
// CHECK: storage (b | c)
__global__ void by_bytes(float *o, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  __shared__ float c[64];
  FIRST
  float *p = a;
  long n;
  memcpy(&n, &p, 8);
  MIDDLE
  o[t] = r + ((float *)n)[63 - t];
}

// This one has the name of a function that only copies bytes.
struct Kept {
  float *at;
  __device__ void memcpy(float *);
  __device__ float get(int i);
};
// MODEL-LABEL: kernel by_namesake
// MODEL: shared a: 256 bytes aligned 4 pinned (passed-to-unknown)
// CHECK-LABEL: plan by_namesake
// CHECK-NOT: storage (a
// CHECK: storage (b | c)
__global__ void by_namesake(float *o, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  __shared__ float c[64];
  FIRST
  Kept kept;
  kept.memcpy(a);
  MIDDLE
  o[t] = r + kept.get(63 - t);
}

// CHECK-LABEL: plan by_static_table
// CHECK-NOT: storage (a
__global__ void by_static_table(float *o, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  __shared__ float c[64];
  FIRST
  static float *const table[2] = {a, a};
  MIDDLE
  o[t] = r + table[t & 1][63 - t];
}

// CHECK-LABEL: plan by_function_pointer
// CHECK-NOT: storage (a
__global__ void by_function_pointer(float *o, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  __shared__ float c[64];
  FIRST
  float (*f)(int) = [](int i) { return a[i]; };
  MIDDLE
  o[t] = r + f(63 - t);
}

typedef cub::BlockReduce<float, 64> Reduce;

// A library runs the lambda, and the operator of a local class.
// CHECK-LABEL: plan by_functor
// CHECK-NOT: storage (a
__global__ void by_functor(float *o, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  __shared__ float c[64];
  __shared__ typename Reduce::TempStorage all;
  FIRST
  MIDDLE
  o[t] = Reduce(all).Reduce(r, [](float x, float y) { return x + y + a[3]; });
}

// CHECK-LABEL: plan by_operator
// CHECK-NOT: storage (a
__global__ void by_operator(float *o, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  __shared__ float c[64];
  struct Sum {
    float of;
    __device__ Sum operator+(Sum x) const { return Sum{of + x.of + a[3]}; }
  };
  typedef cub::BlockReduce<Sum, 64> Sums;
  __shared__ typename Sums::TempStorage all;
  FIRST
  MIDDLE
  o[t] = Sums(all).Sum(Sum{r}).of;
}

// A lambda that names nothing hides nothing.
// CHECK-LABEL: plan plain_functor
// CHECK: storage (a | b | c | all)
__global__ void plain_functor(float *o, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  __shared__ float c[64];
  __shared__ typename Reduce::TempStorage all;
  FIRST
  MIDDLE
  __syncthreads();
  o[t] = Reduce(all).Reduce(r, [](float x, float y) { return x > y ? x : y; });
}

void launch(float *o, const float *in) {
  nothing_hidden<<<1, 64>>>(o, in);
  by_assembly<<<1, 64>>>(o, in);
  by_bytes<<<1, 64>>>(o, in);
  by_namesake<<<1, 64>>>(o, in);
  by_static_table<<<1, 64>>>(o, in);
  by_function_pointer<<<1, 64>>>(o, in);
  by_functor<<<1, 64>>>(o, in);
  by_operator<<<1, 64>>>(o, in);
  plain_functor<<<1, 64>>>(o, in);
}
