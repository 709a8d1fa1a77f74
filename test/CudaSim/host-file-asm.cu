// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
//
// Assembly of the host outside of functions defines what the program uses.
//
// CHECK: 42 7

#include <cstdio>

asm(".pushsection .data\n"
    ".globl answer\n"
    ".balign 4\n"
    "answer: .long 42\n"
    ".popsection\n");
extern "C" int answer;

__global__ void set(int *data) { *data = 7; }

int main() {
  int *data;
  cudaMallocManaged(&data, sizeof(int));
  set<<<1, 1>>>(data);
  cudaDeviceSynchronize();
  printf("%d %d\n", answer, *data);
}
