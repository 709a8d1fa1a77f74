// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
//
// `&element` may be passed to a function that does no more than to read and
// assign what is behind the pointer.

#include "cuda.h"

__device__ void order(float *a, float *b) {
  if (*a > *b) {
    float t = *a;
    *a = *b;
    *b += t;
    ++*b;
  }
}
__device__ float get(const float *a) { return *a; }
__device__ float next(const float *a) { return a[1]; }
__device__ float *hand(float *a) { return a; }
__device__ float &refer(float *a) { return *a; }
__device__ void step(float *a) { *a++ = 1; }
__device__ void compare(float *a, float *b) {
  if (a != b)
    *a = 1;
}
__device__ void column(float (*row)[4]) { (*row)[0] = 1; }
__device__ void declared(float *a);

// CHECK-LABEL: kernel pointers
// CHECK-NOT: blocked s:
// CHECK-DAG: blocked next1: it is passed to 'next'
// CHECK-DAG: blocked hand1: it is passed to 'hand'
// CHECK-DAG: blocked refer1: it is passed to 'refer'
// CHECK-DAG: blocked step1: it is passed to 'step'
// CHECK-DAG: blocked compare1: it is passed to 'compare'
// CHECK-DAG: blocked column1: it is passed to 'column'
// CHECK-DAG: blocked declared1: it is passed to 'declared'
// CHECK-DAG: blocked cast1: it is cast to 'float *'
// CHECK-NOT: blocked s:
// CHECK: array s[32][4]
__global__ void pointers(float *out) {
  __shared__ float s[32][4], next1[4], hand1[4], refer1[4], step1[4],
      compare1[4], column1[4][4], declared1[4];
  __shared__ int cast1[4];
  int t = threadIdx.x;
  // CHECK-NEXT: read 4 bytes line [[#@LINE+4]] {{.*}} -> s[t0, 0]
  // CHECK-NEXT: write 4 bytes line [[#@LINE+3]] {{.*}} -> s[t0, 0]
  // CHECK-NEXT: read 4 bytes line [[#@LINE+2]] {{.*}} -> s[t0, 1]
  // CHECK-NEXT: write 4 bytes line [[#@LINE+1]] {{.*}} -> s[t0, 1]
  order(&s[t][0], &s[t][1]);
  // CHECK-NEXT: read 4 bytes line [[#@LINE+1]] {{.*}} -> s[t0, 2]
  out[t] = get(&s[t][2]);
  // CHECK-NEXT: array next1
  out[t] += next(&next1[t]);
  *hand(&hand1[t]) = 1;
  refer(&refer1[t]) = 1;
  step(&step1[t]);
  compare(&compare1[t], out);
  column(&column1[t]);
  declared(&declared1[t]);
  out[t] += get((float *)&cast1[t]);
}
void launch() { pointers<<<1, 32>>>(nullptr); }
