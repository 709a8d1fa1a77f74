// REQUIRES: cuda
// RUN: %cuda-sim %s -- --extended-lambda | FileCheck %s
//
// Headers of the toolkit, as Thrust's, ask for the kind of a lambda's type.
//
// CHECK: 8

#include <cstdio>

#if defined(__CUDACC_EXTENDED_LAMBDA__) && !defined(__CUDA_ARCH__)
static_assert(!__nv_is_extended_device_lambda_closure_type(int) ||
              __nv_is_extended_host_device_lambda_closure_type(int) ||
              __nv_is_extended_device_lambda_with_preserved_return_type(int));
#endif

template <class Function> __global__ void apply(int *data, Function f) {
  *data = f(*data);
}

int main() {
  int *data;
  cudaMallocManaged(&data, sizeof(int));
  *data = 7;
  apply<<<1, 1>>>(data, [] __device__(int x) { return x + 1; });
  cudaDeviceSynchronize();
  printf("%d\n", *data);
}
