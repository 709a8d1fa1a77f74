// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --print=plan %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse %s -- %cuda-flags | grep -v '^ *//' | FileCheck %s --check-prefix=TEXT
//
// What keeps an array shared of which each thread seems to have one element.
#include "cuda.h"

// TEXT-COUNT-23: __shared__
// TEXT-NOT: __shared__

// CHECK-LABEL: plan atomics
// CHECK-NEXT: share own: '&own[threadIdx.x]' is more than a plain subscript
__global__ void atomics(int *out) {
  __shared__ int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  atomicAdd(&own[threadIdx.x], 1);
  out[threadIdx.x] = own[threadIdx.x];
}

// CHECK-LABEL: plan passed
// CHECK-NEXT: share own: it is passed to 'handed'
__device__ void handed(int *a, int value) { a[threadIdx.x] = value; }
__global__ void passed(int *out) {
  __shared__ int own[64];
  handed(own, out[threadIdx.x]);
  out[threadIdx.x] = own[threadIdx.x];
}

// CHECK-LABEL: plan volatiles
__global__ void pointers(int *out) {
  __shared__ int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  int *first = &own[0];
  out[threadIdx.x] = first[63 - threadIdx.x];
}

// CHECK-NEXT: share own: it is volatile
__global__ void volatiles(int *out) {
  __shared__ volatile int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = own[threadIdx.x];
}

// The last thread of an iteration reads what the first one wrote in the last.
// CHECK-LABEL: plan inLoop
// CHECK-NEXT: share own: it is declared in a loop
__global__ void inLoop(int *out, int n) {
  for (int k = 0; k < n; ++k) {
    __shared__ int own[64];
    if (k == 0)
      own[threadIdx.x] = out[threadIdx.x];
    own[threadIdx.x] += k;
    out[threadIdx.x] = own[threadIdx.x];
  }
}

// CHECK-LABEL: plan lambdas
// CHECK-NEXT: share own: a lambda would have to capture it
__global__ void lambdas(int *out) {
  __shared__ int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  auto get = [] { return own[threadIdx.x]; };
  out[threadIdx.x] = get() + own[threadIdx.x];
}

// CHECK-LABEL: plan sizes
// CHECK-NEXT: share own: its size is used here
__global__ void sizes(int *out) {
  __shared__ int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = own[threadIdx.x] + sizeof(own);
}

// CHECK-LABEL: plan macros
// CHECK-NEXT: share own: {{.*}}macro
#define OWN own[threadIdx.x]
__global__ void macros(int *out) {
  __shared__ int own[64];
  OWN = out[threadIdx.x];
  out[threadIdx.x] = OWN;
}

// CHECK-LABEL: plan spelling
// CHECK-NEXT: share own: '{{.*}}' is more than a plain subscript
__global__ void spelling(int *out) {
  __shared__ int own[64];
  (own)[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = own[threadIdx.x];
}

struct Object {
  __device__ Object() {}
  int i;
};
// CHECK-LABEL: plan objects
// CHECK-NEXT: share own: its elements are objects with constructors
__global__ void objects(int *out) {
  __shared__ Object own[64];
  own[threadIdx.x].i = out[threadIdx.x];
  out[threadIdx.x] = own[threadIdx.x].i;
}

// What is accessed through a pointer is not known: nothing is said.
// CHECK-LABEL: plan addresses
// CHECK-NOT: share own
__global__ void addresses(int *out) {
  __shared__ int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = *&own[threadIdx.x];
}

// CHECK-LABEL: plan discarded
// CHECK-NEXT: share own: it is named without subscripts, or in a branch that no instance has
template <int N> __global__ void discarded(int *out) {
  __shared__ int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  if constexpr (N == 1)
    out[0] = own[N];
  out[threadIdx.x] = own[threadIdx.x];
}

// CHECK-LABEL: plan jumps
// CHECK-NEXT: share own: the kernel contains a goto
__global__ void jumps(int *out, int n) {
again:
  __shared__ int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  if (own[threadIdx.x] < n)
    goto again;
  out[threadIdx.x] = own[threadIdx.x];
}

// CHECK-LABEL: plan annotated
// CHECK-NEXT: share own: --layout=keep or an annotation says so
__global__ void annotated(int *out) {
  __attribute__((annotate("cudaopt::layout=keep"))) __shared__ int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = own[threadIdx.x];
}

// Of 96 bytes, 64 go to registers.
struct Wide {
  float a, b, c, d, e, f, g, h;
};
// CHECK-LABEL: plan registers
// CHECK-NEXT: share third: its elements would take 96 bytes of a thread's registers
// CHECK-NEXT: private first, second
__global__ void registers(float *out) {
  __shared__ Wide first[64];
  __shared__ Wide second[64];
  __shared__ Wide third[64];
  int t = threadIdx.x;
  first[t].a = out[t];
  second[t].b = first[t].a + 1;
  third[t].c = second[t].b + 1;
  out[t] = third[t].c;
}

// From here on, threads do not have one element each, and nothing is tried that a
// check would have to refuse.

// Another thread reads it.
// CHECK-LABEL: plan exchanged
// CHECK-NOT: {{share|private|keep storage}}
__global__ void exchanged(int *out) {
  __shared__ int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = own[63 - threadIdx.x];
}

// Two rows of threads have the same element.
// CHECK-LABEL: plan sharedByRows
// CHECK-NOT: {{share|private|keep storage}}
__global__ void sharedByRows(int *out) {
  __shared__ int own[32];
  if (threadIdx.y == 0)
    own[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  if (threadIdx.y == 1)
    out[threadIdx.x] = own[threadIdx.x];
}

// Each thread has several.
// CHECK-LABEL: plan several
// CHECK-NOT: {{share|private|keep storage}}
__global__ void several(int *out) {
  __shared__ int own[4][64];
  for (int k = 0; k < 4; ++k)
    own[k][threadIdx.x] = out[k];
  int sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += own[k][threadIdx.x];
  out[threadIdx.x] = sum;
}

// Each thread has two.
// CHECK-LABEL: plan two
// CHECK-NOT: {{share|private|keep storage}}
__global__ void two(int *out) {
  __shared__ int own[128];
  int t = threadIdx.x;
  own[t] = out[t];
  own[t + 64] = out[t + 64];
  out[t] = own[t] - own[t + 64];
}

// The end of one row is the start of the next.
// CHECK-LABEL: plan wraps
// CHECK-NOT: {{share|private|keep storage}}
__global__ void wraps(int *out) {
  __shared__ int own[3][32];
  own[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = own[threadIdx.y][threadIdx.x];
}

// Some launch has blocks that are not known.
// CHECK-LABEL: plan unknownBlocks
// CHECK-NOT: {{share|private|keep storage}}
__global__ void unknownBlocks(int *out) {
  __shared__ int own[64];
  own[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = own[threadIdx.x];
}

// A table that all threads only read.
// CHECK-LABEL: plan constantElement
// CHECK-NOT: {{share|private|keep storage}}
__global__ void constantElement(int *out) {
  __shared__ int own[64];
  own[7] = out[7];
  __syncthreads();
  out[threadIdx.x] = own[7];
}

// Which thread has which element depends on the block, and on an argument.
// CHECK-LABEL: plan byArgument
// CHECK-NOT: {{share|private|keep storage}}
__global__ void byArgument(int *out, int n) {
  __shared__ int own[128];
  own[threadIdx.x + n] = out[threadIdx.x];
  out[threadIdx.x] = own[threadIdx.x + n];
}

void launch(int *out, float *floats, int n) {
  atomics<<<1, 64>>>(out);
  passed<<<1, 64>>>(out);
  volatiles<<<1, 64>>>(out);
  inLoop<<<1, 64>>>(out, n);
  lambdas<<<1, 64>>>(out);
  sizes<<<1, 64>>>(out);
  macros<<<1, 64>>>(out);
  spelling<<<1, 64>>>(out);
  objects<<<1, 64>>>(out);
  addresses<<<1, 64>>>(out);
  discarded<0><<<1, 64>>>(out);
  jumps<<<1, 64>>>(out, n);
  annotated<<<1, 64>>>(out);
  registers<<<1, 64>>>(floats);
  exchanged<<<1, 64>>>(out);
  sharedByRows<<<1, dim3(32, 2)>>>(out);
  several<<<1, 64>>>(out);
  two<<<1, 64>>>(out);
  wraps<<<1, dim3(64, 2)>>>(out);
  unknownBlocks<<<1, 64>>>(out);
  unknownBlocks<<<1, n>>>(out);
  constantElement<<<1, 64>>>(out);
  byArgument<<<1, 64>>>(out, n);
}
