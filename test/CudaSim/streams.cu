// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
//
// Work is done in order; events tell a time that grows, the same in every run.
//
// CHECK: callback 5
// CHECK-NEXT: result 5, time grows: 1, reproducible: 1
// CHECK-NEXT: grows without work: 1
// CHECK-NEXT: unrecorded invalid resource handle

#include <cstdio>

__global__ void set(int *Data, int Value) { *Data = Value; }

static void callback(void *Data) { printf("callback %d\n", *(int *)Data); }

int main() {
  cudaStream_t Stream;
  cudaStreamCreate(&Stream);
  cudaEvent_t Events[4];
  for (cudaEvent_t &Event : Events)
    cudaEventCreate(&Event);
  int *Data, Host = 0;
  cudaMallocAsync(&Data, 4, Stream);
  float Times[2];
  for (int I = 0; I < 2; ++I) {
    cudaEventRecord(Events[0], Stream);
    set<<<1, 1, 0, Stream>>>(Data, 5);
    cudaEventRecord(Events[1], Stream);
    cudaStreamWaitEvent(0, Events[1]);
    cudaEventSynchronize(Events[1]);
    cudaEventElapsedTime(&Times[I], Events[0], Events[1]);
  }
  cudaMemcpyAsync(&Host, Data, 4, cudaMemcpyDeviceToHost, Stream);
  cudaStreamSynchronize(Stream);
  cudaLaunchHostFunc(Stream, callback, &Host);
  printf("result %d, time grows: %d, reproducible: %d\n", Host, Times[0] > 0,
         Times[0] == Times[1]);
  cudaEventRecord(Events[1]);
  cudaEventRecord(Events[2]);
  cudaEventElapsedTime(&Times[0], Events[1], Events[2]);
  printf("grows without work: %d\n", Times[0] > 0);
  cudaError_t Error = cudaEventElapsedTime(&Times[0], Events[0], Events[3]);
  printf("unrecorded %s\n", cudaGetErrorString(Error));
  cudaStreamDestroy(Stream);
}
