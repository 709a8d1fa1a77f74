// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of an array of floats: shuffles inside a warp, one slot of shared
// memory for each warp, shuffles again, and one atomic addition per block.
//
// Nothing here conflicts in a bank, so cuda-opt keeps it as it is; cuda-sim
// shows that a kernel whose warps talk to each other runs without a GPU.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o reduce reduce.cu
//   ./reduce [--size N] [--blocks B] [--dump FILE]
//
// The sum does not depend on the order of the blocks, because the inputs are
// small integers: FILE receives the same 4 bytes on every GPU.

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

constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;

__device__ float sumOfWarp(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void reduce(float *sum, const float *in, int n) {
  __shared__ float sums[WARPS];

  float value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    value += in[i];

  value = sumOfWarp(value);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = value;
  __syncthreads();

  if (threadIdx.x < 32) {
    value = threadIdx.x < WARPS ? sums[threadIdx.x] : 0.0f;
    value = sumOfWarp(value);
    if (threadIdx.x == 0)
      atomicAdd(sum, value);
  }
}

int main(int argc, char **argv) {
  int n = 100000, blocks = 16;
  std::string dump;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string option = argv[i];
    if (option == "--size")
      n = std::atoi(argv[i + 1]);
    else if (option == "--blocks")
      blocks = std::atoi(argv[i + 1]);
    else if (option == "--dump")
      dump = argv[i + 1];
    else
      n = 0;
  }
  if (argc % 2 == 0 || n < 1 || blocks < 1) {
    std::fprintf(stderr, "usage: %s [--size N] [--blocks B] [--dump FILE]\n",
                 argv[0]);
    return 1;
  }

  // Sums stay below 2^24, so that no addition rounds.
  std::vector<float> in(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = float(i % 7);
    expected += in[i];
  }

  float *deviceIn, *deviceSum, sum;
  CHECK(cudaMalloc(&deviceIn, n * sizeof(float)));
  CHECK(cudaMalloc(&deviceSum, sizeof(float)));
  CHECK(cudaMemcpy(deviceIn, in.data(), n * sizeof(float),
                   cudaMemcpyHostToDevice));
  CHECK(cudaMemset(deviceSum, 0, sizeof(float)));
  reduce<<<blocks, THREADS>>>(deviceSum, deviceIn, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, deviceSum, sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(deviceIn));
  CHECK(cudaFree(deviceSum));

  if (!dump.empty()) {
    std::FILE *file = std::fopen(dump.c_str(), "wb");
    if (!file || std::fwrite(&sum, sizeof sum, 1, file) != 1 ||
        std::fclose(file) != 0) {
      std::fprintf(stderr, "cannot write %s\n", dump.c_str());
      return 1;
    }
  }
  std::printf("sum %.0f\n%s\n", sum, sum == expected ? "ok" : "FAIL");
  return sum == expected ? 0 : 1;
}
