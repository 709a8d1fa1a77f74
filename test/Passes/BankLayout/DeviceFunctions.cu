// RUN: %cuda-opt --passes=bank-layout %s -o %t.cu -Rpass=.* -Rpass-missed --verify=machine -- %cuda-flags 2>&1 | FileCheck %s
// RUN: grep -v '//' %t.cu | FileCheck %s --check-prefix=NEW
// RUN: %clang-plugin %t.cu
//
// Arrays that device functions declare, or get, are laid out anew: in the text of
// the function.

#include "cuda.h"

// The parameter spells the pitch, too.
// NEW: void storeColumns(const float (*Tile)[32 + 1], float *Out) {
__device__ void storeColumns(const float (*Tile)[32], float *Out) {
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}
// CHECK: 'tile' is stored as [32][33]: wavefronts per block 1056 -> 64
// CHECK: kernel 'passesTile' verified: proved equal for all data
__global__ void passesTile(float *Out, const float *In) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  storeColumns(tile, Out);
}

// What is deduced stays.
// NEW: = Tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
template <int R, int C>
__device__ void storeDeduced(const float (&Tile)[R][C], float *Out) {
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}
// CHECK: 'deduced' is stored as [32][32] c ^ r: wavefronts per block 1056 -> 64
// CHECK: kernel 'passesDeduced' verified: proved equal for all data
__global__ void passesDeduced(float *Out, const float *In) {
  __shared__ float deduced[32][32];
  deduced[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  storeDeduced(deduced, Out);
}

// References and other dimensions are as good.
// NEW: void storePlane(const float (&Box)[2][32][32 + 1], float *Out) {
__device__ void storePlane(const float (&Box)[2][32][32], float *Out) {
  Out[threadIdx.y * 32 + threadIdx.x] = Box[1][threadIdx.x][threadIdx.y];
}
// CHECK: 'box' is stored as [2][32][33]
// CHECK: kernel 'passesBox' verified: proved equal for all data
__global__ void passesBox(float *Out, const float *In) {
  __shared__ float box[2][32][32];
  box[1][threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  storePlane(box, Out);
}

// CHECK: 'mine' is stored as [32][33]: wavefronts per block 1056 -> 64
// CHECK: kernel 'transpose' verified: proved equal for all data
// NEW: mine[32][32 + 1];
__device__ float transpose(float In) {
  __shared__ float mine[32][32];
  mine[threadIdx.y][threadIdx.x] = In;
  __syncthreads();
  return mine[threadIdx.x][threadIdx.y];
}
__global__ void callsTranspose(float *Out, const float *In) {
  unsigned I = threadIdx.y * 32 + threadIdx.x;
  Out[I] = transpose(In[I]);
}

// One layout for two specialisations.
// CHECK: 'twice' is stored as
// CHECK: kernel 'reverse' verified: proved equal for all data
template <int N> __device__ float reverse(float In) {
  __shared__ float twice[32 * N];
  twice[threadIdx.x * N] = In;
  __syncthreads();
  return twice[(31 - threadIdx.x) * N];
}
__global__ void callsReverse(float *Out, const float *In) {
  Out[threadIdx.x] = reverse<8>(In[threadIdx.x]) + reverse<4>(In[threadIdx.x]);
}

// The declaration stays, and the text of both functions changes.
// CHECK: 'line' is stored as
// CHECK: kernel 'passesLine' verified: proved equal for all data
// NEW-NOT: Line[threadIdx.x * 8]
__device__ void spread(float *Line, float In) { Line[threadIdx.x * 8] = In; }
__device__ float collect(float *Line) {
  return Line[threadIdx.x * 8];
}
__global__ void passesLine(float *Out, const float *In) {
  __shared__ float line[256];
  spread(line, In[threadIdx.x]);
  __syncthreads();
  Out[threadIdx.x] = collect(&line[0]);
}

void launch(float *Out, const float *In) {
  passesTile<<<1, dim3(32, 32)>>>(Out, In);
  passesDeduced<<<1, dim3(32, 32)>>>(Out, In);
  passesBox<<<1, dim3(32, 32)>>>(Out, In);
  callsTranspose<<<1, dim3(32, 32)>>>(Out, In);
  callsReverse<<<1, 32>>>(Out, In);
  passesLine<<<1, 32>>>(Out, In);
}
