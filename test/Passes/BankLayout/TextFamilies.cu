// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --quiet --layout=linear --verify=machine %s -- %cuda-flags | grep -v '^//' | FileCheck %s --check-prefix=LINEAR
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --quiet --layout=T --verify=machine %s -- %cuda-flags | grep -v '^//' | FileCheck %s --check-prefix=T
// RUN: %cuda-opt --assume-closed-world --passes=bank-layout --quiet --verify=machine %s -- %cuda-flags | grep -v '^//' | FileCheck %s --check-prefix=AUTO
//
// What is proved equal on the machine is also what a reviewer reads: rows that
// the author wrote stay rows, and members stay members.

#include "cuda.h"

// Neighbours that one load takes stay visibly together.
// LINEAR-LABEL: void product
// LINEAR-NEXT: __shared__ double As[52 * 52];
// LINEAR: As[i ^ ((i / 208 & 1) << 1)] = A[i];
// LINEAR: Sum += As[threadIdx.x * 52 + ((k & ~1) ^ ((threadIdx.x >> 2 & 1) << 1)) + (k & 1)];
__global__ void product(double *C, const double *A) {
  __shared__ double As[52 * 52];
  for (int i = threadIdx.x; i < 52 * 52; i += 52)
    As[i] = A[i];
  __syncthreads();
  double Sum = 0;
  for (int k = 0; k < 52; ++k)
    Sum += As[threadIdx.x * 52 + k];
  C[threadIdx.x] = Sum;
}
void launchProduct(double *C, double *A) { product<<<1, 52>>>(C, A); }

// A mapping with holes has one dimension.
// T-LABEL: void square
// T-NEXT: __shared__ float Tile[32 * 32 + {{[0-9]+}}];
// T-NEXT: Tile[threadIdx.y * [[ROW:[0-9]+]] + threadIdx.x{{.*}}] =
// T: Tile[threadIdx.x * [[ROW]] + threadIdx.y{{.*}}];
__global__ void square(float *Out, const float *In) {
  __shared__ float Tile[32][32];
  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}
void launchSquare(float *Out, float *In) { square<<<1, dim3(32, 32)>>>(Out, In); }

// LINEAR-LABEL: void box
// LINEAR: Tile[threadIdx.z][threadIdx.y][threadIdx.x ^ threadIdx.z] =
// LINEAR: Tile[threadIdx.x][threadIdx.y][threadIdx.z ^ threadIdx.x];
// T-LABEL: void box
// T-NEXT: __shared__ float Tile[8][8][8];
__global__ void box(float *Out, const float *In) {
  __shared__ float Tile[8][8][8];
  Tile[threadIdx.z][threadIdx.y][threadIdx.x] =
      In[(threadIdx.z * 8 + threadIdx.y) * 8 + threadIdx.x];
  __syncthreads();
  Out[(threadIdx.z * 8 + threadIdx.y) * 8 + threadIdx.x] =
      Tile[threadIdx.x][threadIdx.y][threadIdx.z];
}
void launchBox(float *Out, float *In) { box<<<1, dim3(8, 8, 8)>>>(Out, In); }

struct body {
  double x, y, z, m;
};

// AUTO-LABEL: void bodies
// AUTO-NEXT: __shared__ struct { double x[128], y[128], z[128], m[128]; } All;
// AUTO-NEXT: All.x[threadIdx.x] = In[threadIdx.x];
// AUTO-NEXT: All.m[threadIdx.x] = 1;
// AUTO: Out[threadIdx.x] = All.x[127 - threadIdx.x] * All.m[127 - threadIdx.x];
__global__ void bodies(double *Out, const double *In) {
  __shared__ body All[128];
  All[threadIdx.x].x = In[threadIdx.x];
  All[threadIdx.x].m = 1;
  __syncthreads();
  Out[threadIdx.x] = All[127 - threadIdx.x].x * All[127 - threadIdx.x].m;
}
void launchBodies(double *Out, double *In) { bodies<<<1, 128>>>(Out, In); }

// A copy of a whole element: its members would be in many places.
// AUTO-LABEL: void copies
// AUTO-NEXT: __shared__ body All[128{{.*}}];
__global__ void copies(double *Out, const body *In) {
  __shared__ body All[128];
  All[threadIdx.x] = In[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = All[127 - threadIdx.x].x;
}
void launchCopies(double *Out, body *In) { copies<<<1, 128>>>(Out, In); }
