// REQUIRES: cuda
// RUN: not %cuda-path/bin/nvcc -arch=sm_90 -o %t.none %s
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --quiet -o %t.cu %s -- -arch=sm_90
// RUN: %cuda-path/bin/nvcc -arch=sm_90 -c -o %t.o %t.cu
// RUN: %cuda-sim --quiet %t.cu | FileCheck %s
// RUN: %cuda-opt --assume-closed-world --passes=shared-reuse --check %t.cu -- -arch=sm_90
//
// A program that does not compile for its static memory does, with the results
// that it should have; a second run leaves it as it is.
#include <cstdio>
#include <vector>

namespace tools {
template <class T, int Rows> __global__ void reverse(T *out) {
  __shared__ T tile[Rows][64];
  __shared__ T last[64];
  int t = threadIdx.x;
  for (int r = 0; r < Rows; ++r)
    tile[r][t] = out[r * 64 + t];
  last[t] = tile[Rows - 1][t];
  __syncthreads();
  for (int r = 0; r < Rows; ++r)
    out[r * 64 + t] = tile[Rows - 1 - r][63 - t] + last[63 - t];
}
} // namespace tools

__global__ void apart(int *out) {
  __shared__ int first[80][128];
  __shared__ double second[48][64];
  auto at = [=](int r) -> int & { return first[r][127 - threadIdx.x]; };
  for (int r = 0; r < 80; ++r)
    first[r][threadIdx.x] = out[r * 128 + threadIdx.x];
  if (threadIdx.x < 64)
    for (int r = 0; r < 48; ++r)
      second[r][threadIdx.x] = r;
  __syncthreads();
  for (int r = 0; r < 80; ++r)
    out[r * 128 + threadIdx.x] = at(r) + int(second[r % 48][threadIdx.x / 2]);
}

template <class T> int count(int rows) {
  std::vector<T> values(rows * 64);
  T *data;
  cudaMalloc(&data, values.size() * sizeof(T));
  for (int i = 0; i < rows * 64; ++i)
    values[i] = T(i);
  cudaMemcpy(data, values.data(), values.size() * sizeof(T),
             cudaMemcpyHostToDevice);
  if (rows == 256) {
    tools::reverse<T, 256><<<1, 64>>>(data);
  } else {
    tools::reverse<T, 200><<<1, dim3(64), 0, 0>>>(data);
  }
  cudaMemcpy(values.data(), data, values.size() * sizeof(T),
             cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < rows * 64; ++i)
    wrong += values[i] != T(rows * 64 - 1 - i) + T(rows * 64 - 1 - i % 64);
  return wrong;
}

int main() {
  std::printf("%d %d\n", count<int>(256), count<float>(200));
  std::vector<int> values(80 * 128, 7);
  int *data;
  cudaMalloc(&data, sizeof(int) * values.size());
  cudaMemcpy(data, values.data(), sizeof(int) * values.size(),
             cudaMemcpyHostToDevice);
  apart<<<1, 128>>>(data);
  cudaMemcpy(values.data(), data, sizeof(int) * values.size(),
             cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < 80 * 128; ++i)
    wrong += values[i] != 7 + i / 128 % 48;
  std::printf("%d\n", wrong);
}
// CHECK: {{^}}0 0
// CHECK-NEXT: {{^}}0
