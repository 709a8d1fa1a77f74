// RUN: %cuda-opt --passes=shared-reuse --reorder --reuse=bytes --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --passes=shared-reuse --reorder --reuse=bytes %s -o %t.cu -- %cuda-flags
// RUN: %cuda-opt --passes=shared-reuse --reuse=bytes %s -- %cuda-flags | diff %t.cu -
// RUN: not %cuda-opt --passes=shared-reuse --reorder --reuse=bytes --check %S/Reorder.cu -- %cuda-flags
// RUN: %cuda-opt --passes=shared-reuse --reorder --check %S/Reorder.cu -- %cuda-flags
// RUN: %cuda-opt --passes=shared-reuse --reorder --print=plan %S/Reorder.cu -- %cuda-flags | FileCheck %s --check-prefix=AUTO
//
// Statements keep their order, and the file the bytes that it has without the option, where the order has a
// meaning or where nothing is known of it, and where no more blocks would fit.
#include "cuda.h"

// AUTO: plan halves
// AUTO-NEXT: keep order: there is an order that needs fewer bytes at a time, but --reuse asks for more

// CHECK-LABEL: plan feeds
// CHECK-NEXT: keep order: the parts of a loop need what the others made
__global__ void feeds(float *__restrict__ out, float *__restrict__ out2,
                      const float *__restrict__ in, int n) {
  __shared__ float u[64];
  __shared__ float v[64];
  int t = threadIdx.x;
  u[t] = in[t];
  v[t] = in[64 + t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    float a = u[63 - t] + v[t ^ 1];
    __syncthreads();
    u[t] = a;
    __syncthreads();
    float b = v[t ^ 2];
    __syncthreads();
    v[t] = b;
    __syncthreads();
  }
  out[t] = u[t];
  out2[t] = v[t];
}

// A local of the loop joins its halves, too.
// CHECK-LABEL: plan local_joins
// CHECK-NEXT: keep order: the parts of a loop need what the others made
__global__ void local_joins(float *__restrict__ out, float *__restrict__ out2,
                            const float *__restrict__ in, int n) {
  __shared__ float u[64];
  __shared__ float v[64];
  int t = threadIdx.x;
  u[t] = in[t];
  v[t] = in[64 + t];
  __syncthreads();
  float a = 0;
  for (int i = 0; i < n; ++i) {
    a += u[63 - t];
    __syncthreads();
    u[t] = a;
    __syncthreads();
    v[t] += a;
    __syncthreads();
  }
  out[t] = u[t];
  out2[t] = v[t];
}

// CHECK-LABEL: plan may_alias
// CHECK-NEXT: keep order: 'in' and 'out' may point to the same memory
__global__ void may_alias(float *out, const float *in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out[64 + t] = b[63 - t];
}

// CHECK-LABEL: plan ordered
// CHECK-NEXT: keep order: a statement has effects
__global__ void ordered(float *__restrict__ out, float *__restrict__ out2,
                        const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  b[t] = in[64 + t];
  asm volatile("");
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// CHECK-LABEL: plan volatile_read
// CHECK-NEXT: keep order: a statement has effects
__global__ void volatile_read(float *__restrict__ out, float *__restrict__ out2,
                              const volatile float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t];
  b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// CHECK-LABEL: plan leaves
// CHECK-NEXT: keep order: threads may leave it
__global__ void leaves(float *__restrict__ out, float *__restrict__ out2,
                       const float *__restrict__ in, int n) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  if (n == 0)
    return;
  a[t] = in[t];
  b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// The loop may end before the second half has its turn.
// CHECK-LABEL: plan breaks
// CHECK-NEXT: keep order: the parts of a loop need
__global__ void breaks(float *__restrict__ out, float *__restrict__ out2,
                       const float *__restrict__ in, int n) {
  __shared__ float u[64];
  __shared__ float v[64];
  int t = threadIdx.x;
  u[t] = in[t];
  v[t] = in[64 + t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    u[t] += 1;
    __syncthreads();
    if (i == 5)
      break;
    v[t] += 1;
    __syncthreads();
  }
  out[t] = u[t];
  out2[t] = v[t];
}

// Each call of the lambda changes what the next one returns.
// CHECK-LABEL: plan counting_lambda
// CHECK-NEXT: keep order: no order
__global__ void counting_lambda(float *__restrict__ out,
                                float *__restrict__ out2,
                                const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  auto next = [count = 0]() mutable { return ++count; };
  a[t] = in[t] + next();
  b[t] = in[64 + t] + next();
  __syncthreads();
  out[t] = a[63 - t] + next();
  out2[t] = b[63 - t] + next();
}

// A structured binding names a part of another variable.
// CHECK-LABEL: plan bindings
// CHECK-NEXT: keep order: no order
struct Pair {
  float x, y;
};
__global__ void bindings(float *__restrict__ out, float *__restrict__ out2,
                         const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  Pair p{1, 2};
  auto &[x, y] = p;
  a[t] = in[t] + x;
  p.x += 5;
  b[t] = in[64 + t] + x;
  __syncthreads();
  y = 7;
  out[t] = a[63 - t] + p.y;
  p.y = 9;
  out2[t] = b[63 - t] + y;
}

// A reference keeps an object without a name alive.
// CHECK-LABEL: plan lasting_object
// CHECK-NEXT: keep order: no order
__global__ void lasting_object(float *__restrict__ out,
                               float *__restrict__ out2,
                               const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  Pair &&lasting = Pair{1, 2};
  a[t] = in[t] + lasting.x;
  lasting.x = 4;
  b[t] = in[64 + t] + lasting.x;
  __syncthreads();
  lasting.x += 1;
  out[t] = a[63 - t] + lasting.x;
  lasting.x *= 2;
  out2[t] = b[63 - t] + lasting.x;
}

// The destructor, at the end, belongs to no statement.
struct Final {
  float *to;
  __device__ ~Final() { *to += 1; }
};
// CHECK-LABEL: plan destructor
// CHECK-NEXT: keep order: a statement has effects
__global__ void destructor(float *__restrict__ out, float *__restrict__ out2,
                           const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  Final f{out + t};
  a[t] = in[t];
  b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// What a declaration adds beside its own name, or a macro names, stays in its place.
__device__ float K = 100;
// CHECK-LABEL: plan enumerator
// CHECK-NEXT: keep order: no order
__global__ void enumerator(float *__restrict__ out, float *__restrict__ out2,
                           const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t] + K;
  b[t] = in[64 + t] + K;
  __syncthreads();
  enum { K = 3 };
  out[t] = a[63 - t] + K;
  out2[t] = b[63 - t] + K;
}

template <typename T> struct Box {
  T x;
};
template <typename T> Box(T) -> Box<T>;
#define BOX(v) Box{v}.x
// CHECK-LABEL: plan named_by_macro
// CHECK-NEXT: keep order:
__global__ void named_by_macro(float *__restrict__ out,
                               float *__restrict__ out2,
                               const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = BOX(in[t]);
  b[t] = BOX(in[64 + t]);
  __syncthreads();
  struct Box {
    float y, x = 7;
  };
  out[t] = a[63 - t] + BOX(1.0f);
  out2[t] = b[63 - t];
}

// The destructor ends each iteration; a type in the body belongs to all parts.
struct Count {
  float &of;
  __device__ ~Count() { of += 1; }
};
// CHECK-LABEL: plan destructor_in_loop
// CHECK-NEXT: keep order: the parts of a loop need
__global__ void destructor_in_loop(float *__restrict__ out,
                                   float *__restrict__ out2,
                                   const float *__restrict__ in, int n) {
  __shared__ float u[64];
  __shared__ float v[64];
  int t = threadIdx.x;
  float c = 0;
  u[t] = in[t];
  v[t] = in[64 + t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    float x = u[63 - t];
    Count count{c};
    __syncthreads();
    u[t] = x;
    __syncthreads();
    float y = v[t ^ 1];
    __syncthreads();
    v[t] = y + c;
    __syncthreads();
  }
  out[t] = u[t];
  out2[t] = v[t];
}

typedef double Wide;
// CHECK-LABEL: plan type_in_loop
// CHECK-NEXT: keep order: the parts of a loop need
__global__ void type_in_loop(float *__restrict__ out, float *__restrict__ out2,
                             const float *__restrict__ in, int n) {
  __shared__ float u[64];
  __shared__ float v[64];
  int t = threadIdx.x;
  u[t] = in[t];
  v[t] = in[64 + t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    typedef int Wide;
    float x = (Wide)u[63 - t];
    __syncthreads();
    u[t] = x;
    __syncthreads();
    float y = (Wide)v[t ^ 1];
    __syncthreads();
    v[t] = y;
    __syncthreads();
  }
  out[t] = u[t];
  out2[t] = v[t];
}

#define STORE(array) array[t] = in[t];
// CHECK-LABEL: plan in_macro
// CHECK-NEXT: keep order: its text cannot be edited: macro 'STORE' writes a whole statement
__global__ void in_macro(float *__restrict__ out, float *__restrict__ out2,
                         const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  STORE(a)
  b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// CHECK-LABEL: plan one_line
// CHECK-NEXT: keep order: its text cannot be edited: a line holds more than one statement
__global__ void one_line(float *__restrict__ out, float *__restrict__ out2,
                         const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t]; b[t] = in[64 + t];
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

// CHECK-LABEL: plan directive
// CHECK-NEXT: keep order: its text cannot be edited: a directive
__global__ void directive(float *__restrict__ out, float *__restrict__ out2,
                          const float *__restrict__ in) {
  __shared__ float a[64];
  __shared__ float b[64];
  int t = threadIdx.x;
  a[t] = in[t];
#ifndef NOTHING
  b[t] = in[64 + t];
#endif
  __syncthreads();
  out[t] = a[63 - t];
  out2[t] = b[63 - t];
}

void launch(float *out, float *out2, const float *in, int n) {
  feeds<<<1, 64>>>(out, out2, in, n);
  local_joins<<<1, 64>>>(out, out2, in, n);
  may_alias<<<1, 64>>>(out, in);
  ordered<<<1, 64>>>(out, out2, in);
  volatile_read<<<1, 64>>>(out, out2, in);
  leaves<<<1, 64>>>(out, out2, in, n);
  breaks<<<1, 64>>>(out, out2, in, n);
  counting_lambda<<<1, 64>>>(out, out2, in);
  bindings<<<1, 64>>>(out, out2, in);
  lasting_object<<<1, 64>>>(out, out2, in);
  destructor<<<1, 64>>>(out, out2, in);
  enumerator<<<1, 64>>>(out, out2, in);
  named_by_macro<<<1, 64>>>(out, out2, in);
  destructor_in_loop<<<1, 64>>>(out, out2, in, n);
  type_in_loop<<<1, 64>>>(out, out2, in, n);
  in_macro<<<1, 64>>>(out, out2, in);
  one_line<<<1, 64>>>(out, out2, in);
  directive<<<1, 64>>>(out, out2, in);
}
