// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Out-of-place transpose of a square matrix of floats.
//
// A block moves a tile of 32 x 32 elements through shared memory, so that both
// the reads and the writes of global memory are coalesced. A warp writes rows
// of the tile and reads columns; as it is declared here, the 32 elements of a
// column lie in one bank, and each read takes 32 wavefronts instead of 1.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o transpose transpose.cu
//   ./transpose [--size N] [--repeat R] [--dump FILE]
//
// N is a multiple of 32; FILE receives the bytes of the result.

#include <algorithm>
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

constexpr int TILE = 32;
constexpr int ROWS = 8;

__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[TILE][TILE];

  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * n + x];

  __syncthreads();

  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    out[size_t(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

void launch(float *out, const float *in, int n) {
  dim3 block(32, 8);
  dim3 grid(n / TILE, n / TILE);
  transpose<<<grid, block>>>(out, in, n);
}

// Returns the median time of a launch in milliseconds.
float measure(float *out, const float *in, int n, int repeat) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  launch(out, in, n); // Warms up.
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  std::vector<float> times(repeat);
  for (float &time : times) {
    CHECK(cudaEventRecord(start));
    launch(out, in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&time, start, stop));
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  std::sort(times.begin(), times.end());
  return times[repeat / 2];
}

bool isTransposed(const std::vector<float> &out, const std::vector<float> &in,
                  size_t n) {
  for (size_t row = 0; row < n; ++row)
    for (size_t column = 0; column < n; ++column)
      if (out[row * n + column] != in[column * n + row])
        return false;
  return true;
}

bool writeFile(const std::string &path, const std::vector<float> &data) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return false;
  size_t written = std::fwrite(data.data(), sizeof(float), data.size(), file);
  return std::fclose(file) == 0 && written == data.size();
}

int main(int argc, char **argv) {
  int n = 8192, repeat = 20;
  std::string dump;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string option = argv[i];
    if (option == "--size")
      n = std::atoi(argv[i + 1]);
    else if (option == "--repeat")
      repeat = std::atoi(argv[i + 1]);
    else if (option == "--dump")
      dump = argv[i + 1];
    else
      n = 0;
  }
  if (argc % 2 == 0 || n < TILE || n % TILE != 0 || repeat < 1) {
    std::fprintf(stderr, "usage: %s [--size N] [--repeat R] [--dump FILE], "
                         "N a multiple of 32\n",
                 argv[0]);
    return 1;
  }

  std::vector<float> in(size_t(n) * n), out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i % 16777213);

  size_t bytes = in.size() * sizeof(float);
  float *deviceIn, *deviceOut;
  CHECK(cudaMalloc(&deviceIn, bytes));
  CHECK(cudaMalloc(&deviceOut, bytes));
  CHECK(cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice));
  float time = measure(deviceOut, deviceIn, n, repeat);
  CHECK(cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(deviceIn));
  CHECK(cudaFree(deviceOut));

  if (!dump.empty() && !writeFile(dump, out)) {
    std::fprintf(stderr, "cannot write %s\n", dump.c_str());
    return 1;
  }
  bool isOk = isTransposed(out, in, n);
  std::printf("time_ms %.4f\n%s\n", time, isOk ? "ok" : "FAIL");
  return isOk ? 0 : 1;
}
