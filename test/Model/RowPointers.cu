// RUN: %cuda-opt --print=model %s -- %cuda-flags | FileCheck %s
// RUN: %cuda-opt --quiet %s -- %cuda-flags | FileCheck %s --check-prefix=TEXT
//
// A local pointer to a row that is never changed, and only subscripted: rows may
// be stored farther apart.

#include "cuda.h"

// CHECK-LABEL: kernel rows
// CHECK-NOT: blocked
// CHECK: array tile[32][32]
// TEXT-LABEL: void rows(
__global__ void rows(float *out) {
  // TEXT: __shared__ float tile[32][32 + {{[0-9]+}}];
  __shared__ float tile[32][32];
  int t = threadIdx.x;
  float *row = tile[t];
  t = 0;
  // CHECK-NEXT: write 4 bytes line [[#@LINE+2]] {{.*}} -> tile[t0, i0] :
  for (int k = 0; k < 32; ++k)
    row[k] = out[k];
  // CHECK-NEXT: read 4 bytes line [[#@LINE+1]] {{.*}} -> tile[0, 0] :
  out[t] = tile[t][0];
}

// CHECK-LABEL: kernel planes
// CHECK-NOT: blocked
// CHECK: array tile[4][8][32]
__global__ void planes(float *out) {
  __shared__ float tile[4][8][32];
  for (int z = 0; z < 4; ++z) {
    const float *row = tile[z][threadIdx.x / 4];
    // CHECK-NEXT: read 4 bytes line [[#@LINE+1]] {{.*}} -> tile[i0, o1, t0] :
    out[z] = row[threadIdx.x];
  }
}

// CHECK-LABEL: kernel overflowing
// CHECK: array tile[32][32]
// TEXT-LABEL: void overflowing(
__global__ void overflowing(float *out) {
  // TEXT: float tile[32][32];
  __shared__ float tile[32][32];
  float *row = tile[threadIdx.x / 2];
  // CHECK-NEXT: write {{.*}} bounds not proved
  row[threadIdx.x + 1] = 1;
  out[0] = tile[threadIdx.x][0];
}

// CHECK-LABEL: kernel others
// CHECK-DAG: blocked changed: its address escapes
// CHECK-DAG: blocked read: its address escapes
// CHECK-DAG: blocked stepped: its address escapes
// CHECK-DAG: blocked plane: its address escapes
// CHECK-DAG: blocked captured: its address escapes
// CHECK-DAG: blocked flat: its address escapes
// CHECK-DAG: blocked element: its address escapes
__global__ void others(float *out) {
  __shared__ float changed[4][4], read[4][4], stepped[4][4], plane[4][4][4],
      captured[4][4], flat[4], element[4][4];
  int t = threadIdx.x;
  float *p = changed[t];
  p[0] = 1;
  p = out;
  float *q = read[t];
  out[0] = *q;
  for (float *r = stepped[t]; r[0] > 0; ++r)
    r[0] = 1;
  float(*s)[4] = plane[t];
  s[0][0] = 1;
  float *u = captured[t];
  auto Body = [=] { u[0] = 1; };
  Body();
  float *v = flat;
  v[t] = 1;
  float *w = element[t];
  float *x = &w[1];
  x[1] = 1;
}

// CHECK-LABEL: kernel inactive
// CHECK: blocked tile: a part of the kernel that is switched off
__global__ void inactive(float *out) {
  __shared__ float tile[32][32];
  float *row = tile[threadIdx.x];
  row[0] = 1;
#ifdef MORE
  row[32] = 1;
#endif
}

void launch(float *out) {
  rows<<<1, 32>>>(out);
  planes<<<1, 32>>>(out);
  overflowing<<<1, 32>>>(out);
  others<<<1, 4>>>(out);
  inactive<<<1, 32>>>(out);
}
