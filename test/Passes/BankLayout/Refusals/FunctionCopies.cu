// RUN: %cuda-opt --passes=bank-layout %s -o %t.cu -Rpass=.* -Rpass-missed --report=json:%t.json -- %cuda-flags 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
// RUN: FileCheck %s --check-prefix=ID < %t.json
//
// A function that serves several arrays, and that cannot be copied, keeps them.
// CHECK-NOT: is stored as

#include "cuda.h"

__device__ void count(float *Any) {
  static int Calls;
  Any[threadIdx.x * 32] = ++Calls;
}
// CHECK: shared array 'statics' {{.*}}: a function that uses it serves others too, and cannot be copied: 'count' has static variables
// ID: "reason": "no-copy"
__global__ void hasStatics(float *In) {
  __shared__ float statics[1024];
  count(statics);
  count(In);
}

__device__ void fill(float *Any) { Any[threadIdx.x * 32] = 0; }
__device__ void fill(int *Any) { Any[threadIdx.x * 32] = 0; }
// CHECK: shared array 'overloads' {{.*}}: 'fill' is overloaded
__global__ void isOverloaded(float *In) {
  __shared__ float overloads[1024];
  fill(overloads);
  fill(In);
}

template <typename T> __device__ void set(T *Any) { Any[threadIdx.x * 32] = 0; }
template <> __device__ void set(int *Any) { Any[0] = 0; }
// CHECK: shared array 'specialisations' {{.*}}: 'set' has explicit specialisations
__global__ void isSpecialised(float *In) {
  __shared__ float specialisations[1024];
  set(specialisations);
  set(In);
}

__device__ void later(float *Any);
// CHECK: shared array 'declarations' {{.*}}: 'later' is declared more than once
__global__ void isDeclaredTwice(float *In) {
  __shared__ float declarations[1024];
  later(declarations);
  later(In);
}
__device__ void later(float *Any) { Any[threadIdx.x * 32] = 0; }

extern "C" __device__ void linked(float *Any) { Any[threadIdx.x * 32] = 0; }
// CHECK: shared array 'linkage' {{.*}}: 'linked' has a name for the linker
__global__ void isLinked(float *In) {
  __shared__ float linkage[1024];
  linked(linkage);
  linked(In);
}

__device__ void switched(float *Any) {
#ifdef OTHER
  Any = 0;
#endif
  Any[threadIdx.x * 32] = 0;
}
// CHECK: shared array 'directives' {{.*}}: 'switched' contains preprocessor directives
__global__ void hasDirectives(float *In) {
  __shared__ float directives[1024];
  switched(directives);
  switched(In);
}

#define DEFINE(NAME) __device__ void NAME(float *Any) { Any[threadIdx.x * 32] = 0; }
DEFINE(written)
// CHECK: shared array 'macros' {{.*}}: macro 'DEFINE' writes the text that would change
// ID: "reason": "in-macro"
__global__ void isInMacro(float *In) {
  __shared__ float macros[1024];
  written(macros);
  written(In);
}

__device__ void called(float *Any) { Any[threadIdx.x * 32] = 0; }
#define CALL(ARRAY) called(ARRAY)
// CHECK: shared array 'calls' {{.*}}: macro 'CALL' writes the text that would change
__global__ void isCalledByMacro(float *In) {
  __shared__ float calls[1024];
  CALL(calls);
  called(In);
}

namespace other {
__device__ void used(float *Any) { Any[threadIdx.x * 32] = 0; }
} // namespace other
using other::used;
// CHECK: shared array 'usings' {{.*}}: 'used' is named by a using-declaration
__global__ void isUsed(float *In) {
  __shared__ float usings[1024];
  used(usings);
  used(In);
}

template <int N> __device__ void halve(float *Any) {
  Any[threadIdx.x * 32] = 0;
  if constexpr (N > 1)
    halve<N / 2>(Any);
}
// CHECK: shared array 'recursion' {{.*}}: it is used in 'halve', which calls itself
// ID: "reason": "recursive-function"
__global__ void isRecursive(float *In) {
  __shared__ float recursion[1024];
  halve<2>(recursion);
  halve<2>(In);
}

template <typename... T> __device__ void all(T *...Any) {
  ((Any[threadIdx.x * 32] = 0), ...);
}
// CHECK: shared array 'packs' {{.*}}: it is passed to 'all'
// ID: "reason": "passed-to-function"
__global__ void isInPack(float *In) {
  __shared__ float packs[1024];
  all(packs, In);
}

// A copy of it would have an array of its own.
__device__ float hold(float *Any) {
  __shared__ float own[1024];
  own[threadIdx.x] = Any[threadIdx.x * 32];
  return own[threadIdx.x];
}
// CHECK: shared array 'held' {{.*}}: 'hold' has static variables
__global__ void holds(float *In) {
  __shared__ float held[1024];
  held[threadIdx.x * 32] = 0;
  In[0] = hold(held) + hold(In);
}

void launch(float *In) {
  hasStatics<<<1, 32>>>(In);
  isOverloaded<<<1, 32>>>(In);
  isSpecialised<<<1, 32>>>(In);
  isDeclaredTwice<<<1, 32>>>(In);
  isLinked<<<1, 32>>>(In);
  hasDirectives<<<1, 32>>>(In);
  isInMacro<<<1, 32>>>(In);
  isCalledByMacro<<<1, 32>>>(In);
  isUsed<<<1, 32>>>(In);
  isRecursive<<<1, 32>>>(In);
  isInPack<<<1, 32>>>(In);
  holds<<<1, 32>>>(In);
}
