// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --quiet --report=json:%t.json %s -o %t.cu -- %cuda-flags
// RUN: diff %s %t.cu
// RUN: FileCheck %s --check-prefix=ID < %t.json
//
// What keeps the parts of an extern array from being arrays of their own: each
// kernel accesses one of them in a way that a permutation would mend.

#include "cuda.h"

// A part ends where the next one begins, the last one with the launch's bytes.
// CHECK-LABEL: kernel slices
// ID: "reason": "divided"
// CHECK: array s[][32] of 4 bytes
// CHECK-NEXT: array a in s at byte 0 [32] of 4 bytes
// CHECK-NEXT: write 4 bytes line [[#@LINE+9]] {{.*}} -> a[t0]
// CHECK-NEXT: array c in s at byte 384 [6] of 8 bytes
// CHECK-NEXT: array b in s at byte 128 [64] of 4 bytes
// CHECK-NEXT: write 4 bytes line [[#@LINE+7]] {{.*}} -> b[32 + t0]
__global__ void slices() {
  extern __shared__ float s[];
  float *a = s;
  double *c = (double *)(s + 96);
  const auto b = 32 + a;
  a[threadIdx.x] = 1;
  b[threadIdx.x + 32] = 1;
}

// CHECK-LABEL: kernel beyond
// ID: "reason": "leaves-part"
// CHECK-DAG: blocked s: access 'a[threadIdx.x * 32 + 1]' cannot be proved to stay inside its part
// CHECK-DAG: blocked a: access 'a[threadIdx.x * 32 + 1]' cannot be proved
// CHECK-DAG: blocked b: access 'a[threadIdx.x * 32 + 1]' cannot be proved
__global__ void beyond() {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 993;
  a[threadIdx.x * 32] = 1;
  a[threadIdx.x * 32 + 1] = 1;
  b[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel before
// CHECK: blocked b: access 'b[(int)threadIdx.x - 1]' cannot be proved
__global__ void before() {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 1024;
  a[threadIdx.x * 32] = 1;
  b[(int)threadIdx.x - 1] = 1;
}

// CHECK-LABEL: kernel ofData
// CHECK: blocked b: access 'b[at[0]]' cannot be proved
__global__ void ofData(int *at) {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 1024;
  a[threadIdx.x * 32] = 1;
  b[at[0]] = 1;
}

// CHECK-LABEL: kernel wholeBeyond
// CHECK: blocked a: access 's[threadIdx.x * 33 + 32]' cannot be proved
__global__ void wholeBeyond() {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 1024;
  a[threadIdx.x * 32] = 1;
  s[threadIdx.x * 33 + 32] = 1;
  b[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel overlapping
// ID: "reason": "overlapping-parts"
// CHECK-DAG: blocked a: 'b' names a part of the dynamic shared memory that has another name
// CHECK-DAG: blocked b: 'b' names a part
__global__ void overlapping() {
  extern __shared__ float s[];
  float *a = s;
  int *b = (int *)s;
  a[threadIdx.x * 32] = 1;
  b[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel wholeOverlaps
// CHECK: blocked a: 'a' names a part
__global__ void wholeOverlaps() {
  extern __shared__ float s[];
  int *a = (int *)s;
  a[threadIdx.x * 32] = 1;
  s[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel reassigned
// ID: "reason": "other-part"
// CHECK-DAG: blocked a: its address escapes here, where 'a' is not a full subscript
// CHECK-DAG: blocked b: 'a', another part of the same dynamic shared memory
__global__ void reassigned(float *out) {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 1024;
  b[threadIdx.x * 32] = 1;
  a = out;
  a[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel stepped
// CHECK: blocked a: its address escapes
__global__ void stepped() {
  extern __shared__ float s[];
  for (float *a = s; a[0] > 0; ++a)
    a[threadIdx.x * 32] = 1;
}

// CHECK-LABEL: kernel addressTaken
// CHECK: blocked a: its address escapes
__global__ void addressTaken(float ***out) {
  extern __shared__ float s[];
  float *a = s;
  *out = &a;
  a[threadIdx.x * 32] = 1;
}

// CHECK-LABEL: kernel captured
// CHECK: blocked a: its address escapes
__global__ void captured() {
  extern __shared__ float s[];
  float *a = s;
  auto Body = [&] { a[threadIdx.x * 32] = 1; };
  Body();
}

// CHECK-LABEL: kernel chosen
// CHECK: blocked s: its address escapes
__global__ void chosen(bool which) {
  extern __shared__ float s[];
  float *a = which ? s : s + 1024;
  a[threadIdx.x * 32] = 1;
}

// CHECK-LABEL: kernel runtime
// ID: "reason": "runtime-part"
// CHECK-DAG: blocked b: where 'b' begins in the dynamic shared memory is not a constant
// CHECK-DAG: blocked a: where 'b' begins
__global__ void runtime(int n) {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + n;
  a[threadIdx.x * 32] = 1;
  b[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel ofThread
// CHECK: blocked a: where 'a' begins
__global__ void ofThread() {
  extern __shared__ float s[];
  float *a = s + threadIdx.x * 32;
  a[0] = 1;
}

// CHECK-LABEL: kernel changing
// CHECK: blocked b: where 'b' begins
__global__ void changing(int n) {
  extern __shared__ float s[];
  int at = 0;
  for (int i = 0; i < 2; ++i) {
    float *b = s + at;
    b[threadIdx.x * 32] = 1;
    at += 4;
  }
}

// The block decides where b begins, and one launch does not tell it.
// CHECK-LABEL: kernel ofBlock
// CHECK: blocked b: where 'b' begins
__global__ void ofBlock() {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + blockDim.x * 32;
  a[threadIdx.x * 32] = 1;
  b[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel misaligned
// ID: "reason": "misaligned-part"
// CHECK: blocked b: 'b' begins in the dynamic shared memory where its elements are not aligned
__global__ void misaligned() {
  extern __shared__ float s[];
  float *a = s;
  double *b = (double *)(s + 1025);
  a[threadIdx.x * 32] = 1;
  b[threadIdx.x] = 1;
}

// Other code is compiled where MORE is defined.
// CHECK-LABEL: kernel inactive
// CHECK-DAG: blocked b: a part of the kernel that is switched off
// CHECK-DAG: blocked a: 'b', another part
__global__ void inactive() {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 1024;
  a[threadIdx.x * 32] = 1;
  b[threadIdx.x] = 1;
#ifdef MORE
  b[-1] = 1;
#endif
}

// No more than the launch gives is permuted, wherever the next part begins.
// CHECK-LABEL: kernel small
// CHECK: array a in s at byte 0 [100] of 4 bytes
// CHECK: array b in s at byte 4096 [0] of 4 bytes
__global__ void small() {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 1024;
  a[threadIdx.x * 3] = 1;
}

// CHECK-LABEL: kernel unknownSize
// CHECK: array s[] of 4 bytes
// CHECK-NOT: array a
__global__ void unknownSize() {
  extern __shared__ float s[];
  float *a = s;
  float *b = s + 1024;
  a[threadIdx.x * 32] = 1;
  b[threadIdx.x] = 1;
}

void launch(float *out, float ***place, int *at, int n) {
  slices<<<1, 32, 436>>>();
  beyond<<<1, 32, 8192>>>();
  before<<<1, 32, 8192>>>();
  ofData<<<1, 32, 8192>>>(at);
  wholeBeyond<<<1, 32, 8192>>>();
  overlapping<<<1, 32, 8192>>>();
  wholeOverlaps<<<1, 32, 8192>>>();
  reassigned<<<1, 32, 8192>>>(out);
  stepped<<<1, 32, 8192>>>();
  addressTaken<<<1, 32, 8192>>>(place);
  captured<<<1, 32, 8192>>>();
  chosen<<<1, 32, 8192>>>(true);
  runtime<<<1, 32, 8192>>>(n);
  ofThread<<<1, 32, 8192>>>();
  changing<<<1, 32, 8192>>>(n);
  ofBlock<<<1, 32, 8192>>>();
  ofBlock<<<1, n, 8192>>>();
  misaligned<<<1, 32, 8200>>>();
  inactive<<<1, 32, 8192>>>();
  small<<<1, 32, 400>>>();
  unknownSize<<<1, 32, n>>>();
}
