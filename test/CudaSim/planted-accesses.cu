// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %cuda-sim %s clean 2>&1 | FileCheck %s --check-prefix=CLEAN
//
// Accesses out of bounds, misaligned and of bytes that nobody wrote are found
// at their lines. N is 1 in the first run, else 0.
//
// CLEAN-NOT: {{error|warning}}:
// CLEAN: cuda-sim: {{[0-9]+}} launches, {{[0-9]+}} warp instructions, 0 findings

#include <cuda_runtime.h>

#define I threadIdx.x

struct Pair {
  int A[4], B[4];
};

__constant__ int Table[4];

__global__ void behind(int *Data, int N) {
  __shared__ int S[32];
  S[I] = I;
  Data[I] = S[I + N]; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [shared-out-of-bounds]
}

__global__ void before(int *Data, int N) {
  __shared__ int S[32];
  S[I] = I;
  Data[I] = S[static_cast<int>(I) - N]; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [shared-out-of-bounds]
}

__global__ void neighbour(int *Data, int N) {
  __shared__ int S[32], T[1024];
  for (int K = I; K < 1024; K += 32)
    T[K] = 0;
  S[I] = I;
  Data[I] = S[I + 512 * N] + T[I]; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [cross-array]
}

__global__ void behindStruct(int *Data, int N) {
  __shared__ Pair S[1];
  if (I < 8)
    S[0].A[I] = I;
  __syncwarp();
  Data[0] = S[N].A[0]; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [shared-out-of-bounds]
}

__global__ void dynamicShared(int *Data, int N) {
  extern __shared__ int Dynamic[];
  Dynamic[I + N] = I; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [shared-out-of-bounds]
}

__global__ void globalBehind(int *Data, int N) {
  Data[255 + N] = 1; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [global-out-of-bounds]
}

__global__ void globalBefore(int *Data, int N) {
  Data[-N] = 1; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [global-out-of-bounds]
}

__global__ void freed(int *Data, int N) {
  if (N)
    Data[0] = 1; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [use-after-free]
}

__global__ void local(int *Data, int N) {
  int L[4];
  for (int K = 0; K < 4; ++K)
    L[K] = K;
  Data[I] = L[3 + N]; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [local-out-of-bounds]
}

__global__ void writeConst(int *Data, int N) {
  int *To = N ? const_cast<int *>(Table) : Data;
  *To = 1; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [write-const]
}

__global__ void misaligned(int *Data, int N) {
  *reinterpret_cast<double *>(Data + N) = 1; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [misaligned]
}

__global__ void misalignedVector(int *Data, int N) {
  int4 *To = reinterpret_cast<int4 *>(Data + N);
  *To = make_int4(1, 2, 3, 4); // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [misaligned]
}

// The part by itself is aligned.
__global__ void misalignedPart(int *Data, int N) {
  __shared__ __align__(16) int S[36];
  S[I + 1] = I;
  __syncwarp();
  int4 *From = reinterpret_cast<int4 *>(S + 4 + N);
  Data[0] = From->x; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [misaligned]
}

__global__ void partlyWritten(int *Data, int N) {
  __shared__ int S[32];
  for (int K = N; K < 4; ++K)
    reinterpret_cast<char *>(&S[I])[K] = 1;
  Data[I] = S[I]; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} [uninitialised]
}

__global__ void otherBlocks(int *Data, int N) {
  __shared__ int S[32];
  if (blockIdx.x == 0 || !N)
    S[I] = 1;
  Data[I] = S[I]; // CHECK-DAG: planted-accesses.cu:[[#@LINE]]:{{.*}} block (1,0,0){{.*}} [uninitialised]
}

int main(int argc, char **argv) {
  int *Data, *Gone, N = argc < 2;
  cudaMalloc(&Data, 1024);
  cudaMalloc(&Gone, 1024);
  cudaFree(Gone);
  void (*Kernels[])(int *, int) = {
      behind, before,     neighbour,  behindStruct,  globalBehind, globalBefore,
      local,  writeConst, misaligned, misalignedVector, misalignedPart,
      partlyWritten};
  for (auto *Kernel : Kernels)
    Kernel<<<1, 32>>>(Data, N);
  dynamicShared<<<1, 32, 128>>>(Data, N);
  freed<<<1, 1>>>(Gone, N);
  otherBlocks<<<2, 32>>>(Data, N);
}
