// RUN: %cuda-opt --passes=bank-layout --verify=machine -Rpass=.* -Rpass-missed %s -o %t.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
//
// An array of structs whose members are accessed one by one becomes a struct of
// arrays; qualifiers and dimensions stay.

#include "cuda.h"

struct Body { float x, y; double m; };
struct Pair { float re, im; };

// CHECK: 'bodies' is stored as [128] struct of arrays: wavefronts per block 64 -> 24 (at least 24; bound reached)
// CHECK: 'members' verified: proved equal for all data
// NEW: __shared__ struct { float x[128], y[128]; double m[128]; } bodies;
// NEW-NEXT: bodies.x[threadIdx.x] = In[0];
// NEW-NEXT: bodies.m[threadIdx.x] = In[1];
// NEW: Out[threadIdx.x] = bodies.m[threadIdx.x] + bodies.x[(threadIdx.x + 1) & 127];
__global__ void members(double *Out, const float *In) {
  __shared__ Body bodies[128];
  bodies[threadIdx.x].x = In[0];
  bodies[threadIdx.x].m = In[1];
  __syncthreads();
  Out[threadIdx.x] = bodies[threadIdx.x].m + bodies[(threadIdx.x + 1) & 127].x;
}

// CHECK: 'rows' is stored as [8][128] struct of arrays
// CHECK: 'dimensions' verified: proved equal for all data
// NEW: __shared__ struct { float x[8][128], y[8][128]; double m[8][128]; } rows;
// NEW-NEXT: rows.x[threadIdx.x & 7][threadIdx.x] = In[0];
__global__ void dimensions(double *Out, const float *In) {
  __shared__ Body rows[8][128];
  rows[threadIdx.x & 7][threadIdx.x].x = In[0];
  Out[threadIdx.x] = rows[threadIdx.x & 7][threadIdx.x].x;
}

// CHECK: 'pairs' is stored as [64] struct of arrays
// CHECK: 'qualified' verified: equal in the 2 orders of warps tried
// NEW: __shared__ volatile struct { float re[64], im[64]; } pairs;
__global__ void qualified(double *Out, const float *In) {
  __shared__ volatile Pair pairs[64];
  pairs[threadIdx.x].re = In[threadIdx.x];
  pairs[threadIdx.x].im = In[threadIdx.x];
  Out[threadIdx.x] = pairs[threadIdx.x].re + pairs[threadIdx.x].im;
}

// CHECK: :[[@LINE+4]]:24: remark: shared array 'pointed' keeps its layout: its address escapes here, where '&pointed[threadIdx.x]'
// NEW: __shared__ Body pointed[128];
__global__ void arrow(double *Out) {
  __shared__ Body pointed[128];
  Out[threadIdx.x] = (&pointed[threadIdx.x])->x;
}

void launch(double *D, float *F) {
  members<<<1, 128>>>(D, F);
  dimensions<<<1, 128>>>(D, F);
  qualified<<<1, 64>>>(D, F);
  arrow<<<1, 128>>>(D);
}
