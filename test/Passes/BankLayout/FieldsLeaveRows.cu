// RUN: %cuda-opt %s -o - -- %cuda-flags | FileCheck %s
//
// Each field has the rows that the struct had: who leaves one of them comes to
// the next one, as before.

#include "cuda.h"

struct Pair {
  int first, second;
};
// CHECK: __shared__ struct { int first[16][16], second[16][16]; } pairs;
static __global__ void leaves(int *out) {
  __shared__ Pair pairs[16][16];
  const int t = threadIdx.x;
  pairs[0][t * 8].first = t;
  pairs[0][t * 8].second = t + 1;
  __syncthreads();
  // CHECK: out[t] = pairs.first[t / 2][t % 2 * 8] + pairs.second[0][t * 8];
  out[t] = pairs[t / 2][t % 2 * 8].first + pairs[0][t * 8].second;
}
void launch(int *out) { leaves<<<1, 32>>>(out); }
