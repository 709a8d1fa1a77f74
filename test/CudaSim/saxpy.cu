// REQUIRES: cuda
// RUN: %cuda-sim %s 2>&1 | FileCheck %s
// RUN: %cuda-sim --quiet %s 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: %cuda-sim --quiet %s -- -lineinfo 2>&1 | FileCheck %s --check-prefix=QUIET
//
// A program runs as it is: its host side by a JIT, its kernels interpreted.
//
// CHECK: sum 8150.0
// CHECK-NEXT: cuda-sim: 1 launch, {{[0-9]+}} warp instructions, 0 findings
// QUIET: sum 8150.0
// QUIET-NOT: {{.}}

#include <cstdio>
#include <vector>

__global__ void saxpy(float *Y, const float *X, float A, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Y[I] = A * X[I] + Y[I];
}

int main() {
  constexpr int N = 100;
  std::vector<float> X(N), Y(N, 32.0f);
  for (int I = 0; I < N; ++I)
    X[I] = I;
  float *DeviceX, *DeviceY;
  cudaMalloc(&DeviceX, N * sizeof(float));
  cudaMalloc(&DeviceY, N * sizeof(float));
  cudaMemcpy(DeviceX, X.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(DeviceY, Y.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<(N + 31) / 32, 32>>>(DeviceY, DeviceX, 1.0f, N);
  cudaMemcpy(Y.data(), DeviceY, N * sizeof(float), cudaMemcpyDeviceToHost);
  float Sum = 0;
  for (float Value : Y)
    Sum += Value;
  printf("sum %.1f\n", Sum);
  cudaFree(DeviceX);
  cudaFree(DeviceY);
}
