// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// What keeps an array that functions use as it is.

#include "cuda.h"
#include "CallsRefused.h"

// CHECK-LABEL: kernel declaresAndEscapes
// CHECK: blocked pointed: function 'declaresAndEscapes' uses it, and is also used otherwise
__device__ void declaresAndEscapes() {
  __shared__ float pointed[64];
  pointed[threadIdx.x * 2] = 0;
}
__device__ void (*Pointer)() = declaresAndEscapes;
__global__ void callsDirectly() { declaresAndEscapes(); }

// CHECK-LABEL: kernel declaresForDead
// CHECK: blocked dead: function 'declaresForDead' uses it, and is also used otherwise
__device__ void declaresForDead() {
  __shared__ float dead[64];
  dead[threadIdx.x * 2] = 0;
}
__device__ void nobodyCalls() { declaresForDead(); }
__global__ void somebodyCalls() { declaresForDead(); }

// The same of a function on the way.
// CHECK-LABEL: kernel deep
// CHECK: blocked deepest: function 'bridge' uses it, and is also used otherwise
__device__ void deep() {
  __shared__ float deepest[64];
  deepest[threadIdx.x * 2] = 0;
}
__device__ void bridge() { deep(); }
__device__ void (*Bridge)() = bridge;
__global__ void overTheBridge() { bridge(); }

// Nobody calls it; nobody instantiates it.
// CHECK-LABEL: kernel unused
// CHECK: blocked lonely: it is declared in a __device__ function
__device__ void unused() {
  __shared__ float lonely[64];
  lonely[threadIdx.x * 2] = 0;
}
// CHECK-LABEL: kernel uninstantiated
// CHECK-NOT: block
template <int N> __device__ void uninstantiated() {
  __shared__ float never[N];
  never[threadIdx.x * 2] = 0;
}

// Recursion.
// CHECK-LABEL: kernel again
// CHECK: blocked again: it is used in 'again', which calls itself
__device__ void again(int N) {
  __shared__ float again[64];
  again[threadIdx.x * 2] = 0;
  if (N)
    ::again(N - 1);
}
__global__ void recurses(int N) { again(N); }

__device__ void pass(float *Any, int N) {
  Any[threadIdx.x * 2] = 0;
  if (N)
    pass(Any, N - 1);
}
// CHECK-LABEL: kernel passesToRecursion
// CHECK: blocked passed: it is used in 'pass', which calls itself
__global__ void passesToRecursion(int N) {
  __shared__ float passed[64];
  pass(passed, N);
}

// More calls inside calls than are followed.
template <int N> __device__ void down(float *Any) { down<N - 1>(Any); }
template <> __device__ void down<0>(float *Any) { Any[threadIdx.x * 2] = 0; }
// CHECK-LABEL: kernel tooDeep
// CHECK: blocked bottom: it is passed to 'down'
__global__ void tooDeep() {
  __shared__ float bottom[64];
  down<9>(bottom);
}

// More calls than are followed.
template <int N> __device__ void tree(float *Any) {
  tree<N - 1>(Any);
  tree<N - 1>(Any);
}
template <> __device__ void tree<0>(float *Any) { Any[threadIdx.x * 2] = 0; }
// CHECK-LABEL: kernel tooMany
// CHECK: blocked leaves: it is passed to 'tree'
__global__ void tooMany() {
  __shared__ float leaves[64];
  tree<7>(leaves);
  tree<7>(leaves);
}

// One path to the declaration is followed, another one is too deep.
__device__ void found() {
  __shared__ float both[64];
  both[threadIdx.x * 2] = 0;
}
// CHECK-LABEL: kernel found
// CHECK: blocked both: function 'reach' uses it, and is also used otherwise
template <int N> __device__ void reach() { reach<N - 1>(); }
template <> __device__ void reach<0>() { found(); }
__global__ void reachesTwice() {
  reach<2>();
  reach<9>();
}

// A call that is not evaluated, through a parameter of a template, of a method, for one of two arrays.
__device__ int measured() {
  __shared__ float unevaluated[64];
  unevaluated[threadIdx.x * 2] = 0;
  return 1;
}
// CHECK-LABEL: kernel measured
// CHECK: blocked unevaluated: function 'measured' uses it
__global__ void measures(int *Out) { *Out = measured() + sizeof(measured()); }

__device__ void argument(float *Any) { Any[threadIdx.x * 2] = 0; }
template <void (*Function)(float *)> __device__ void apply(float *Any) {
  Function(Any);
}
// CHECK-LABEL: kernel passesFunction
// CHECK: blocked applied:
__global__ void passesFunction() {
  __shared__ float applied[64];
  apply<argument>(applied);
}

__device__ void inMethod() {
  __shared__ float viaMethod[64];
  viaMethod[threadIdx.x * 2] = 0;
}
struct Functor {
  __device__ Functor() { inMethod(); }
};
// CHECK-LABEL: kernel inMethod
// CHECK: blocked viaMethod: function 'inMethod' uses it, and is also used otherwise
__global__ void constructs() {
  inMethod();
  Functor();
}

__device__ void either(float *Any) { Any[threadIdx.x * 2] = 0; }
// CHECK-LABEL: kernel passesEither
// CHECK: blocked left: it is passed to 'either'
// CHECK: blocked right: it is passed to 'either'
__global__ void passesEither(bool B) {
  __shared__ float left[64], right[64];
  either(B ? left : right);
  either(left);
}

// A jump in the callee.
__device__ void jumps(float *Any) {
again:
  Any[0] += 1;
  if (Any[0] < 3)
    goto again;
}
// CHECK-LABEL: kernel callsJumps
// CHECK: blocked jumped: it is passed to 'jumps'
__global__ void callsJumps() {
  __shared__ float jumped[64];
  jumps(jumped);
}

// What is done to the parameter is done to the array.
__device__ float *keep(float *Any) { return Any + 1; }
__device__ void step(float *Any) { *Any++ = 0; }
__device__ void cast(float *Any) { ((int *)Any)[threadIdx.x] = 0; }
__device__ void measure(float (&Any)[64]) { Any[0] = sizeof(Any); }
__device__ void capture(float *Any) {
  auto Later = [=] { Any[0] = 0; };
  Later();
}
// CHECK-LABEL: kernel usesOfParameter
// CHECK: blocked kept: its address escapes here, where 'Any' is not a full
// CHECK: blocked stepped: its address escapes here, where 'Any' is not a full
// CHECK: blocked casted: it is cast to 'int *'
// CHECK: blocked measured: its size is used here
// CHECK: blocked captured: its address escapes here
__global__ void usesOfParameter() {
  __shared__ float kept[64], stepped[64], casted[64], measured[64], captured[64];
  keep(kept);
  step(stepped);
  cast(casted);
  measure(measured);
  capture(captured);
}

// A part of the array is not the array.
__device__ void half(float *Any) { Any[threadIdx.x] = 0; }
__device__ void flat(void *Any) {}
// CHECK-LABEL: kernel passesParts
// CHECK: blocked upper: it is passed to 'half'
// CHECK: blocked rows: it is passed to 'half'
// CHECK: blocked typeless: it is passed to 'flat'
__global__ void passesParts() {
  __shared__ float upper[64], rows[2][32], typeless[32];
  half(&upper[32]);
  half(rows[1]);
  flat(typeless);
}

// CHECK-LABEL: kernel callsHeader
// CHECK: blocked included: it is used in function 'fromHeader' of an included file
__global__ void callsHeader() {
  __shared__ float included[64];
  fromHeader(included);
}

#if 0
void Inactive() { inactive(nullptr); }
#endif
__device__ void inactive(float *Any) { Any[threadIdx.x * 2] = 0; }

// CHECK-LABEL: kernel switchedOff
// CHECK: blocked off: a part of the kernel that is switched off by #if mentions it
__global__ void switchedOff() {
  __shared__ float off[64];
  inactive(off);
}
