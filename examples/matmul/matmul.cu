// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product of two 52 x 52 matrices of doubles, both kept in shared memory.
//
// Each block copies A and B to shared memory and computes a part of one column
// of C, a row per thread. The 32 threads of a warp then read a column of A,
// whose elements lie 52 doubles apart: conflicts in the banks make most of the
// cost. All threads read the same element of B, which is free.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o matmul matmul.cu
//   ./matmul [--repeat R] [--dump FILE]
//
// FILE receives the bytes of the result.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t status = (call);                                               \
    if (status != cudaSuccess) {                                               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                  \
                   cudaGetErrorString(status));                                \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

constexpr int WIDTH = 52;

__global__ void matmul(double *C, const double *A, const double *B) {
  __shared__ double AS[WIDTH * WIDTH];
  __shared__ double BS[WIDTH * WIDTH];

  for (int i = threadIdx.x; i < WIDTH * WIDTH; i += blockDim.x) {
    AS[i] = A[i];
    BS[i] = B[i];
  }
  __syncthreads();

  int Row = blockIdx.x * blockDim.x + threadIdx.x;
  int Col = blockIdx.y * blockDim.y + threadIdx.y;
  if (Row < WIDTH && Col < WIDTH) {
    double Cvalue = 0;
#pragma unroll 1
    for (int k = 0; k < WIDTH; k++)
      Cvalue += AS[Row * WIDTH + k] * BS[k * WIDTH + Col];
    C[Row * WIDTH + Col] = Cvalue;
  }
}

// Returns the median time of a launch in milliseconds.
float measure(double *C, const double *A, const double *B, int repeat) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));

  std::vector<float> times(repeat + 1);
  for (float &time : times) {
    CHECK(cudaEventRecord(start));
    matmul<<<dim3(2, 52), 32>>>(C, A, B);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&time, start, stop));
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  std::sort(times.begin() + 1, times.end()); // The first launch warms up.
  return times[1 + repeat / 2];
}

// The GPU contracts a product and a sum to one operation; so does this.
std::vector<double> multiply(const std::vector<double> &A,
                             const std::vector<double> &B) {
  std::vector<double> C(WIDTH * WIDTH);
  for (int row = 0; row < WIDTH; ++row)
    for (int column = 0; column < WIDTH; ++column) {
      double sum = 0;
      for (int k = 0; k < WIDTH; ++k)
        sum = std::fma(A[row * WIDTH + k], B[k * WIDTH + column], sum);
      C[row * WIDTH + column] = sum;
    }
  return C;
}

bool writeFile(const std::string &path, const std::vector<double> &data) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return false;
  size_t written = std::fwrite(data.data(), sizeof(double), data.size(), file);
  return std::fclose(file) == 0 && written == data.size();
}

int main(int argc, char **argv) {
  int repeat = 20;
  std::string dump;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string option = argv[i];
    if (option == "--repeat")
      repeat = std::atoi(argv[i + 1]);
    else if (option == "--dump")
      dump = argv[i + 1];
    else
      repeat = 0;
  }
  if (argc % 2 == 0 || repeat < 1) {
    std::fprintf(stderr, "usage: %s [--repeat R] [--dump FILE]\n", argv[0]);
    return 1;
  }

  std::vector<double> A(WIDTH * WIDTH), B(A.size()), C(A.size());
  for (size_t i = 0; i < A.size(); ++i) {
    A[i] = std::sin(double(i));
    B[i] = std::cos(double(i));
  }

  size_t bytes = A.size() * sizeof(double);
  double *deviceA, *deviceB, *deviceC;
  CHECK(cudaMalloc(&deviceA, bytes));
  CHECK(cudaMalloc(&deviceB, bytes));
  CHECK(cudaMalloc(&deviceC, bytes));
  CHECK(cudaMemcpy(deviceA, A.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(deviceB, B.data(), bytes, cudaMemcpyHostToDevice));
  float time = measure(deviceC, deviceA, deviceB, repeat);
  CHECK(cudaMemcpy(C.data(), deviceC, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(deviceA));
  CHECK(cudaFree(deviceB));
  CHECK(cudaFree(deviceC));

  if (!dump.empty() && !writeFile(dump, C)) {
    std::fprintf(stderr, "cannot write %s\n", dump.c_str());
    return 1;
  }
  bool isOk = C == multiply(A, B);
  std::printf("time_ms %.4f\n%s\n", time, isOk ? "ok" : "FAIL");
  return isOk ? 0 : 1;
}
