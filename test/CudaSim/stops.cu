// REQUIRES: cuda
// RUN: %exits 1 %cuda-sim %s assert 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: %exits 1 %cuda-sim %s trap 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: %exits 1 %cuda-sim --max-steps=100000 %s loop 2>&1 | FileCheck %s --check-prefix=LOOP
//
// A kernel that does not come to its end leaves an error that every later call
// gives back.
//
// ASSERT: stops.cu:[[#@LINE+15]]:{{[0-9]+}}: error: an assertion fails: {{.*}}threadIdx.x < 20
// ASSERT: launch: cudaSuccess
// ASSERT-NEXT: synchronize: cudaErrorAssert
// ASSERT-NEXT: last: cudaErrorAssert, then cudaSuccess
// ASSERT-NEXT: malloc: cudaErrorAssert
// TRAP: stops.cu:[[#@LINE+13]]:{{[0-9]+}}: error: the kernel executes a trap
// TRAP: synchronize: cudaErrorLaunchFailure
// LOOP: stops.cu:[[#@LINE+14]]:{{[0-9]+}}: error: the kernel does not end within the limit of steps
// LOOP: synchronize: cudaErrorLaunchTimeout

#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void asserts() {
  assert(threadIdx.x < 20);
}
__global__ void traps() {
  __trap();
}
__global__ void loops(volatile int *Data) {
  while (*Data == 0)
    ;
}

static void show(const char *Call, cudaError_t Error) {
  printf("%s: %s\n", Call, cudaGetErrorName(Error));
}

int main(int argc, char **argv) {
  int *Data;
  cudaMalloc(&Data, 4);
  if (!strcmp(argv[1], "assert"))
    asserts<<<1, 32>>>();
  else if (!strcmp(argv[1], "trap"))
    traps<<<1, 32>>>();
  else
    loops<<<1, 32>>>(Data);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  printf("last: %s, ", cudaGetErrorName(cudaGetLastError()));
  printf("then %s\n", cudaGetErrorName(cudaGetLastError()));
  show("malloc", cudaMalloc(&Data, 4));
}
