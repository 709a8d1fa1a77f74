// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %cuda-sim %s clean 2>&1 | FileCheck %s --check-prefix=CLEAN
//
// Races of each shape are found at their lines; the same kernels with the
// barrier, the wait or the atomic that they lack are silent. The kernels take
// Repair, which is 0 in the first run.
//
// CLEAN-NOT: {{error|warning}}:
// CLEAN: cuda-sim: {{[0-9]+}} launches, {{[0-9]+}} warp instructions, 0 findings

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#define I threadIdx.x

__device__ void repair(bool Repair) {
  if (Repair)
    __syncthreads();
}

__global__ void readAfterWrite(int *Data, bool Repair) {
  __shared__ int S[128];
  S[I] = I;
  repair(Repair);
  Data[I] = S[127 - I]; // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} at {{.*}}.cu:[[#@LINE-2]]:{{.*}} [race]
}

__global__ void writeAfterRead(int *Data, bool Repair) {
  __shared__ int S[128];
  S[I] = I;
  __syncthreads();
  int Value = S[127 - I];
  repair(Repair);
  S[I] = Value; // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} at {{.*}}.cu:[[#@LINE-2]]:{{.*}} [race]
}

__global__ void writeAfterWrite(int *Data, bool Repair) {
  __shared__ int S[128];
  S[I] = I;
  repair(Repair);
  S[127 - I] = 5; // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} at {{.*}}.cu:[[#@LINE-2]]:{{.*}} [race]
}

__global__ void betweenIterations(int *Data, bool Repair) {
  __shared__ int S[128];
  for (int K = 0; K < 3; ++K) {
    S[I] = I + K; // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} at {{.*}}.cu:[[#@LINE+2]]:{{.*}} [race]
    __syncthreads();
    Data[I] = S[127 - I];
    repair(Repair);
  }
}

__global__ void initialisedWithoutAtomic(int *Data, bool Repair) {
  __shared__ int Sum;
  if (I == 0)
    Sum = 0;
  repair(Repair);
  atomicAdd(&Sum, 1); // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} at {{.*}}.cu:[[#@LINE-2]]:{{.*}} [race]
}

__global__ void readWithoutAtomic(int *Data, bool Repair) {
  __shared__ int Sum;
  if (I == 0)
    Sum = 0;
  __syncthreads();
  atomicAdd(&Sum, 1);
  repair(Repair);
  Data[I] = Sum; // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} at {{.*}}.cu:[[#@LINE-2]]:{{.*}} [race]
}

__global__ void partOfAWord(int *Data, bool Repair) {
  __shared__ unsigned char S[128];
  S[I] = I; // The neighbours in the word are no race.
  repair(Repair);
  Data[I] = reinterpret_cast<unsigned *>(S)[(31 - I / 4)]; // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} at {{.*}}.cu:[[#@LINE-2]]:{{.*}} [race]
}

__global__ void otherBarrier(int *Data, bool Repair) {
  __shared__ int S[128];
  if (I < 64) {
    S[I] = I;
    asm volatile("bar.sync 1, 64;");
    Data[I] = S[63 - I];
  } else {
    asm volatile("bar.sync 2, 64;");
  }
  repair(Repair);
  if (I >= 64)
    Data[I] = S[I - 64]; // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} at {{.*}}.cu:[[#@LINE-8]]:{{.*}} [race]
}

__global__ void waitWithoutBarrier(int *Data, bool Repair) {
  __shared__ int S[128];
  __pipeline_memcpy_async(&S[I], &Data[I], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  repair(Repair);
  Data[I + 128] = S[127 - I]; // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} at {{.*}}.cu:[[#@LINE-4]]:{{.*}} [race]
}

__global__ void readBeforeWait(int *Data, bool Repair) {
  __shared__ int S[128];
  __pipeline_memcpy_async(&S[I], &Data[I], 4);
  __pipeline_commit();
  if (Repair)
    __pipeline_wait_prior(0);
  Data[I + 128] = S[I]; // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} [pending-copy]
}

__global__ void withinAWarp(int *Data, bool Repair) {
  __shared__ int S[32];
  S[I % 32] = I % 32;
  repair(Repair);
  Data[I] = S[31 - I % 32]; // CHECK-DAG: planted-races.cu:[[#@LINE]]:{{.*}} warning: {{.*}} at {{.*}}.cu:[[#@LINE-2]]:{{.*}} [warp-race]
}

__global__ void sameValue(int *Data, bool Repair) {
  __shared__ int Flag;
  Flag = 1; // All write the same: no finding in either run.
  __syncthreads();
  Data[I] = Flag;
}

int main(int argc, char **argv) {
  int *Data;
  cudaMalloc(&Data, 1024);
  cudaMemset(Data, 0, 1024);
  bool Repair = argc > 1;
  void (*Kernels[])(int *, bool) = {
      readAfterWrite,    writeAfterRead,           writeAfterWrite,
      betweenIterations, initialisedWithoutAtomic, readWithoutAtomic,
      partOfAWord,       otherBarrier,             waitWithoutBarrier,
      readBeforeWait,    sameValue};
  for (auto *Kernel : Kernels)
    Kernel<<<1, 128>>>(Data, Repair);
  withinAWarp<<<1, 32>>>(Data, Repair);
}
