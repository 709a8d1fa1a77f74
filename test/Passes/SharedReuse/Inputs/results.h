// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Gives each kernel the same data, and prints a hash of what it wrote.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_SHAREDREUSE_RESULTS_H
#define CUDAOPT_TEST_SHAREDREUSE_RESULTS_H

#include <cstdio>

/// The numbers that a kernel reads and writes; its launch is in between.
template <int N> struct Results {
  const char *Name;
  int *Out, *In;

  explicit Results(const char *Name) : Name(Name) {
    int Host[N];
    for (int I = 0; I < N; ++I)
      Host[I] = I + 1;
    cudaMalloc(&Out, sizeof Host);
    cudaMalloc(&In, sizeof Host);
    cudaMemcpy(In, Host, sizeof Host, cudaMemcpyHostToDevice);
    cudaMemset(Out, 0, sizeof Host);
  }
  ~Results() {
    int Host[N], Hash = 0;
    cudaMemcpy(Host, Out, sizeof Host, cudaMemcpyDeviceToHost);
    for (int Each : Host)
      Hash = Hash * 31 + Each;
    printf("%s %d\n", Name, Hash);
    cudaFree(Out);
    cudaFree(In);
  }
};

#endif // CUDAOPT_TEST_SHAREDREUSE_RESULTS_H
