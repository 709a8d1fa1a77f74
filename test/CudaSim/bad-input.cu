// REQUIRES: cuda
// RUN: %exits 3 %cuda-sim %t.none.cu 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: %exits 3 %cuda-sim -DSYNTAX %s 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: %exits 3 %cuda-sim -DHOST %s 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: %exits 3 %cuda-sim -DCUDA %s 2>&1 | FileCheck %s --check-prefix=CUDA
// RUN: %exits 3 %cuda-sim -DLINK %s 2>&1 | FileCheck %s --check-prefix=LINK
// RUN: %exits 3 %cuda-sim -DMAIN %s 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: %exits 3 %cuda-sim -DCOOPERATIVE %s 2>&1 | FileCheck %s --check-prefix=COOP
// RUN: %exits 3 %cuda-sim --json=%t.none/x %s 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: %exits 3 %cuda-sim -l does-not-exist %s 2>&1 | FileCheck %s --check-prefix=LIBRARY
//
// What cannot be compiled, linked or modelled is named, and nothing runs after.
//
// FILE: cuda-sim: error: cannot read '{{.*}}.none.cu'
// SYNTAX: bad-input.cu:[[#@LINE+25]]:{{[0-9]+}}: error: use of undeclared identifier 'nobody'
// SYNTAX-NOT: error:
// HOST: bad-input.cu:{{[0-9]+}}:{{[0-9]+}}: error: only the host
// CUDA: cuda-sim: error: the program calls cudaMallocArray, which cuda-sim does not model
// LINK: cuda-sim: error: the program uses elsewhere(int), which neither its files nor its libraries define
// MAIN: cuda-sim: error: the program has no function main
// COOP: before
// COOP-NEXT: cuda-sim: error: the program launches a kernel whose blocks wait for each other (cudaLaunchCooperativeKernel), which cuda-sim does not model
// COOP-NOT: after
// JSON: cuda-sim: error: cannot write '{{.*}}.none/x': No such file or directory
// LIBRARY: cuda-sim: error: library 'does-not-exist' cannot be loaded

#include <cstdio>

#if defined(HOST) && !defined(__CUDA_ARCH__)
#error only the host
#endif

int elsewhere(int X);

__global__ void kernel() {}

#ifndef MAIN
int main() {
#ifdef SYNTAX
  nobody();
#elif defined(CUDA)
  cudaArray_t Array;
  cudaChannelFormatDesc Format = {};
  cudaMallocArray(&Array, &Format, 4, 4);
#elif defined(LINK)
  return elsewhere(1);
#elif defined(COOPERATIVE)
  puts("before");
  cudaLaunchCooperativeKernel((const void *)kernel, 1, 1, nullptr);
  puts("after");
#endif
}
#endif
