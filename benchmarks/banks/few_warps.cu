// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What bank conflicts cost, and what the instructions cost that take them away,
// where few warps are on a multiprocessor: the measurement behind the model of
// docs/BankLayout.md. One block lies on each multiprocessor, or several of one
// warp. Needs no arguments:
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -Igpu -o few_warps few_warps.cu &&
//   ./few_warps

#include "Bench.h"

namespace {

constexpr int WARPS[] = {1, 2, 4, 5, 8, 13, 16, 32};
constexpr int LANES = 32;
constexpr int WIDTH = 52;
constexpr int ROUNDS = 400;
/// No two blocks with as much lie on one multiprocessor.
constexpr int ALONE = 140 * 1024;

enum Layout { IDENTITY, XOR, PAD, ROTATE };

int numMultiprocessors;

template <class Kernel> void allowShared(Kernel kernel, int bytes) {
  CHECK(cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

template <class Launch> double timeOf(Launch launch) {
  std::vector<float> times = bench::measure(7, launch);
  return times[times.size() / 2] * 1000;
}

//===----------------------------------------------------------------------===//
// Chains: cycles of a load with conflicts and of instructions before it
//===----------------------------------------------------------------------===//

/// CHAINS loads that do not depend on each other, each with DEGREE wavefronts;
/// EXTRA instructions lie between the result of one and the next of its chain.
template <int DEGREE, int EXTRA, int CHAINS>
__global__ void chase(int *out, long long *cycles, int zero) {
  extern __shared__ int words[];
  unsigned base = unsigned(__cvta_generic_to_shared(words));
  for (int i = threadIdx.x; i < 2048; i += blockDim.x)
    words[i] = base + i * 4;
  __syncthreads();
  unsigned place[CHAINS];
  for (int c = 0; c < CHAINS; ++c)
    place[c] = base + (threadIdx.x % LANES % DEGREE * 32 +
                       threadIdx.x % LANES / DEGREE + c) *
                          4;
  long long start = clock64();
#pragma unroll 4
  for (int round = 0; round < ROUNDS; ++round)
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) {
      unsigned next = place[c];
#pragma unroll
      for (int i = 0; i < EXTRA; ++i)
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(next) : "r"(zero));
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(place[c]) : "r"(next));
    }
  int sum = 0;
  for (int c = 0; c < CHAINS; ++c)
    sum += place[c];
  long long end = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (threadIdx.x == 0)
    cycles[blockIdx.x] = end - start;
}

template <int DEGREE, int EXTRA, int CHAINS>
void runChase(int *out, long long *cycles) {
  auto *kernel = chase<DEGREE, EXTRA, CHAINS>;
  allowShared(kernel, ALONE);
  std::printf("chase degree %2d extra %d chains %d:", DEGREE, EXTRA, CHAINS);
  for (int warps : WARPS) {
    for (int i = 0; i < 2; ++i)
      kernel<<<1, warps * LANES, ALONE>>>(out, cycles, 0);
    CHECK(cudaDeviceSynchronize());
    long long count;
    CHECK(cudaMemcpy(&count, cycles, sizeof count, cudaMemcpyDeviceToHost));
    std::printf(" %6.1f", double(count) / ROUNDS / CHAINS);
  }
  std::printf("\n");
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

template <Layout L> __device__ inline int aAt(int row, int k) {
  if (L == XOR)
    return row * WIDTH + (k ^ (row >> 2 & 3));
  if (L == PAD)
    return row * (WIDTH + 1) + k;
  if (L == ROTATE)
    return row * WIDTH + (k + row * 2) % WIDTH;
  return row * WIDTH + k;
}

constexpr int PRODUCT_BYTES = WIDTH * (2 * WIDTH + 1) * 8;

/// The product of document 000 with blocks of any number of warps; UNROLL is
/// that of the inner loop. If HAS_COPIES is false, the factors stay in shared
/// memory.
template <Layout L, int UNROLL, bool HAS_COPIES>
__global__ void product(double *C, const double *A, const double *B,
                        int rounds) {
  extern __shared__ double AS[];
  double *BS = AS + WIDTH * (WIDTH + 1);
  const int warps = blockDim.y;
  size_t first = size_t(blockIdx.y) * WIDTH * WIDTH;
  for (int i = threadIdx.y * LANES + threadIdx.x; i < WIDTH * WIDTH;
       i += LANES * warps) {
    AS[L == XOR   ? i ^ (i / 208 & 3)
       : L == PAD ? i + i / WIDTH
                  : aAt<L>(i / WIDTH, i % WIDTH)] = A[first + i];
    BS[i] = B[first + i];
  }
  __syncthreads();
  int row = blockIdx.x % 2 * (WIDTH - LANES) + threadIdx.x;
  int column =
      HAS_COPIES ? (blockIdx.x / 2 * warps + threadIdx.y) : threadIdx.y;
  if (column >= WIDTH)
    return;
  double sum = 0;
  for (int round = 0; round < (HAS_COPIES ? 1 : rounds); ++round)
#pragma unroll UNROLL
    for (int k = 0; k < WIDTH; ++k)
      sum += AS[aAt<L>(row, k)] * BS[k * WIDTH + column];
  C[first + row * WIDTH + column] = sum;
}

template <int UNROLL, class Launch>
void printRatios(const char *name, int warps, Launch launch) {
  double times[4];
  for (int pass = 0; pass < 2; ++pass)
    for (int l = 0; l < 4; ++l) {
      double time = launch(l);
      times[l] = pass ? std::min(times[l], time) : time;
    }
  std::printf("%s unroll %d warps %2d: %8.1f us  xor %.3f pad %.3f rot %.3f\n",
              name, UNROLL, warps, times[0], times[1] / times[0],
              times[2] / times[0], times[3] / times[0]);
}

template <int UNROLL, bool HAS_COPIES>
void runProduct(double *c, const double *a, const double *b, int products) {
  auto launch = [&](int warps, int blocks, int l) {
    auto *kernel = l == XOR      ? product<XOR, UNROLL, HAS_COPIES>
                   : l == PAD    ? product<PAD, UNROLL, HAS_COPIES>
                   : l == ROTATE ? product<ROTATE, UNROLL, HAS_COPIES>
                                 : product<IDENTITY, UNROLL, HAS_COPIES>;
    int bytes = blocks > 1 ? 227 * 1024 / blocks - 1024 : ALONE;
    if (bytes < PRODUCT_BYTES)
      bytes = PRODUCT_BYTES;
    allowShared(kernel, bytes);
    dim3 grid(HAS_COPIES ? (WIDTH + warps - 1) / warps * 2 : 2,
              HAS_COPIES ? products : numMultiprocessors / 2);
    return timeOf(
        [&] { kernel<<<grid, dim3(LANES, warps), bytes>>>(c, a, b, 40); });
  };
  for (int warps : WARPS)
    printRatios<UNROLL>(HAS_COPIES ? "whole product" : "product loop", warps,
                        [&](int l) { return launch(warps, 1, l); });
  if (HAS_COPIES)
    for (int warps : {1, 2, 3, 4, 6, 13})
      printRatios<UNROLL>("whole product x 5", warps * 5,
                          [&](int l) { return launch(warps, 5, l); });
}

//===----------------------------------------------------------------------===//
// Transposes: each warp has its own tile
//===----------------------------------------------------------------------===//

template <Layout L> __device__ inline int tileAt(int row, int column) {
  if (L == XOR)
    return row * 32 + (column ^ row);
  if (L == PAD)
    return row * 33 + column;
  if (L == ROTATE)
    return row * 32 + (column + row) % 32;
  return row * 32 + column;
}

template <Layout L, int UNROLL>
__global__ void transpose(float *out, const float *in, int n, int rounds) {
  extern __shared__ float tiles[];
  float *tile = tiles + threadIdx.y * 32 * 33;
  int lane = threadIdx.x;
  int numTiles = n / 32;
  for (int round = 0; round < rounds; ++round) {
    int number = (round * gridDim.x + blockIdx.x) * blockDim.y + threadIdx.y;
    size_t x = number % numTiles * 32, y = number / numTiles % numTiles * 32;
#pragma unroll UNROLL
    for (int j = 0; j < 32; ++j)
      tile[tileAt<L>(j, lane)] = in[(y + j) * n + x + lane];
    __syncwarp();
#pragma unroll UNROLL
    for (int j = 0; j < 32; ++j)
      out[(x + j) * n + y + lane] = tile[tileAt<L>(lane, j)];
    __syncwarp();
  }
}

template <int UNROLL>
void runTranspose(float *out, const float *in, int n, const char *name) {
  for (int warps : WARPS)
    printRatios<UNROLL>(name, warps, [&](int l) {
      auto *kernel = l == XOR      ? transpose<XOR, UNROLL>
                     : l == PAD    ? transpose<PAD, UNROLL>
                     : l == ROTATE ? transpose<ROTATE, UNROLL>
                                   : transpose<IDENTITY, UNROLL>;
      allowShared(kernel, ALONE);
      return timeOf([&] {
        kernel<<<numMultiprocessors, dim3(LANES, warps), ALONE>>>(out, in, n,
                                                                  32);
      });
    });
}

//===----------------------------------------------------------------------===//
// Exchanges: a tree of additions with the strides of a scan, one array a warp
//===----------------------------------------------------------------------===//

template <Layout L> __device__ inline int wordAt(int i) {
  if (L == XOR)
    return i ^ (i >> 5 & 31);
  if (L == PAD)
    return i + (i >> 5);
  if (L == ROTATE)
    return (i & ~31) + (((i & 31) + (i >> 5)) & 31);
  return i;
}

template <Layout L, int UNROLL> __global__ void scan(int *out, int rounds) {
  extern __shared__ int words[];
  int *mine = words + threadIdx.y * (1024 + 32);
  int lane = threadIdx.x;
  for (int i = lane; i < 1024; i += 32)
    mine[wordAt<L>(i)] = i;
  __syncwarp();
  for (int round = 0; round < rounds; ++round) {
#pragma unroll UNROLL
    for (int stride = 1; stride < 32; stride *= 2) {
      int i = 2 * stride * (lane + 1) - 1;
      if (i < 1024)
        mine[wordAt<L>(i)] += mine[wordAt<L>(i - stride)];
      __syncwarp();
    }
  }
  out[(blockIdx.x * blockDim.y + threadIdx.y) * LANES + lane] =
      mine[wordAt<L>(lane * 32)];
}

template <int UNROLL> void runScan(int *out) {
  for (int warps : WARPS)
    printRatios<UNROLL>("scan", warps, [&](int l) {
      auto *kernel = l == XOR      ? scan<XOR, UNROLL>
                     : l == PAD    ? scan<PAD, UNROLL>
                     : l == ROTATE ? scan<ROTATE, UNROLL>
                                   : scan<IDENTITY, UNROLL>;
      allowShared(kernel, ALONE);
      return timeOf([&] {
        kernel<<<numMultiprocessors, dim3(LANES, warps), ALONE>>>(out, 200);
      });
    });
}

} // namespace

int main() {
  CHECK(cudaDeviceGetAttribute(&numMultiprocessors,
                               cudaDevAttrMultiProcessorCount, 0));
  std::printf("%d multiprocessors; warps of each:", numMultiprocessors);
  for (int warps : WARPS)
    std::printf(" %d", warps);
  std::printf("\n");

  bench::DeviceArray<int> words(size_t(numMultiprocessors) * 1024);
  bench::DeviceArray<long long> cycles(numMultiprocessors);
  runChase<1, 0, 1>(words.get(), cycles.get());
  runChase<2, 0, 1>(words.get(), cycles.get());
  runChase<4, 0, 1>(words.get(), cycles.get());
  runChase<8, 0, 1>(words.get(), cycles.get());
  runChase<32, 0, 1>(words.get(), cycles.get());
  runChase<1, 1, 1>(words.get(), cycles.get());
  runChase<1, 4, 1>(words.get(), cycles.get());
  runChase<1, 0, 8>(words.get(), cycles.get());
  runChase<4, 0, 8>(words.get(), cycles.get());
  runChase<32, 0, 8>(words.get(), cycles.get());
  runChase<1, 1, 8>(words.get(), cycles.get());
  runChase<1, 4, 8>(words.get(), cycles.get());

  constexpr int PRODUCTS = 64;
  auto value = [](size_t i) { return double(bench::number(i)); };
  bench::DeviceArray<double> a(size_t(PRODUCTS + 64) * WIDTH * WIDTH, value);
  bench::DeviceArray<double> b(size_t(PRODUCTS + 64) * WIDTH * WIDTH, value);
  bench::DeviceArray<double> c(size_t(PRODUCTS + 64) * WIDTH * WIDTH);
  runProduct<1, false>(c.get(), a.get(), b.get(), 0);
  runProduct<4, false>(c.get(), a.get(), b.get(), 0);
  runProduct<1, true>(c.get(), a.get(), b.get(), PRODUCTS);
  runProduct<4, true>(c.get(), a.get(), b.get(), PRODUCTS);

  constexpr int LARGE = 8192, SMALL = 1024;
  bench::DeviceArray<float> in(size_t(LARGE) * LARGE),
      out(size_t(LARGE) * LARGE);
  runTranspose<1>(out.get(), in.get(), SMALL, "transpose in cache");
  runTranspose<8>(out.get(), in.get(), SMALL, "transpose in cache");
  runTranspose<8>(out.get(), in.get(), LARGE, "transpose");
  runScan<1>(words.get());
  runScan<5>(words.get());
}
