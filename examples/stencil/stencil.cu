// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of an anisotropic diffusion on an image of floats: a tile with its
// halo, the diffusivity of its pixels, and the flux between them, three arrays
// in shared memory, each made from the one before.
//
// Two rows of 18 floats meet in each request of a warp, so that some lanes
// conflict in a bank; rows that do not would need much more memory.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -fmad=false -o stencil stencil.cu
//   ./stencil [--size N] [--dump FILE]
//
// N is a multiple of 16; FILE receives the bytes of the result.

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

constexpr int TILE = 16;
constexpr int HALO = TILE + 2;

__global__ void diffuse(float *out, const float *in, int n, float lambda) {
  __shared__ float image[HALO][HALO];
  __shared__ float diffusivity[HALO][HALO];
  __shared__ float flux[TILE + 1][TILE + 1];

  int tx = threadIdx.x, ty = threadIdx.y;
  int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
  for (int i = ty * TILE + tx; i < HALO * HALO; i += TILE * TILE) {
    int row = i / HALO, column = i % HALO;
    int y = min(max(top + row - 1, 0), n - 1);
    int x = min(max(left + column - 1, 0), n - 1);
    image[row][column] = in[y * n + x];
  }
  __syncthreads();

  for (int i = ty * TILE + tx; i < HALO * HALO; i += TILE * TILE) {
    int row = i / HALO, column = i % HALO;
    float slope = image[row][column] - image[row][max(column - 1, 0)];
    diffusivity[row][column] = 1.0f / (1.0f + slope * slope);
  }
  float center = image[ty + 1][tx + 1];
  float above = image[ty][tx + 1], before = image[ty + 1][tx];
  __syncthreads();

  flux[ty][tx] = diffusivity[ty + 1][tx + 1] * (above - center) +
                 diffusivity[ty + 1][tx] * (before - center);
  if (tx == 0)
    flux[ty][TILE] = 0.0f;
  if (ty == 0)
    flux[TILE][tx] = 0.0f;
  __syncthreads();

  float change = flux[ty][tx] - flux[ty][tx + 1] + flux[ty][tx] -
                 flux[ty + 1][tx];
  out[(top + ty) * n + left + tx] = center + lambda * change;
}

// A step of a picture keeps its mean roughly, and its values between the least
// and the greatest: what a test can ask for without a second implementation.
bool isPlausible(const std::vector<float> &out, const std::vector<float> &in) {
  auto [inLeast, inMost] = std::minmax_element(in.begin(), in.end());
  auto [outLeast, outMost] = std::minmax_element(out.begin(), out.end());
  float range = *inMost - *inLeast;
  return *outLeast >= *inLeast - range && *outMost <= *inMost + range &&
         out != in;
}

int main(int argc, char **argv) {
  int n = 128;
  std::string dump;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string option = argv[i];
    if (option == "--size")
      n = std::atoi(argv[i + 1]);
    else if (option == "--dump")
      dump = argv[i + 1];
    else
      n = 0;
  }
  if (argc % 2 == 0 || n < TILE || n % TILE != 0) {
    std::fprintf(stderr,
                 "usage: %s [--size N] [--dump FILE], N a multiple of 16\n",
                 argv[0]);
    return 1;
  }

  std::vector<float> in(size_t(n) * n), out(in.size());
  unsigned state = 12345;
  for (float &value : in) {
    state = state * 1664525u + 1013904223u;
    value = float(state >> 16) / 65536.0f;
  }

  size_t bytes = in.size() * sizeof(float);
  float *deviceIn, *deviceOut;
  CHECK(cudaMalloc(&deviceIn, bytes));
  CHECK(cudaMalloc(&deviceOut, bytes));
  CHECK(cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice));
  diffuse<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(deviceOut, deviceIn,
                                                          n, 0.2f);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(deviceIn));
  CHECK(cudaFree(deviceOut));

  if (!dump.empty()) {
    std::FILE *file = std::fopen(dump.c_str(), "wb");
    if (!file ||
        std::fwrite(out.data(), sizeof(float), out.size(), file) !=
            out.size() ||
        std::fclose(file) != 0) {
      std::fprintf(stderr, "cannot write %s\n", dump.c_str());
      return 1;
    }
  }
  bool isOk = isPlausible(out, in);
  std::printf("%s\n", isOk ? "ok" : "FAIL");
  return isOk ? 0 : 1;
}
