// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sort of 1024 keys in shared memory: 512 threads, each of which
// compares keys that lie a power of two apart.

#include "Bench.h"

constexpr int KEYS = 1024;

#if defined(PADDED)

__global__ void __launch_bounds__(KEYS / 2)
    bitonicSort(unsigned *out, const unsigned *in) {
  // An element after each 32.
  __shared__ unsigned keys[KEYS + KEYS / 32];
  auto at = [](int i) { return i + i / 32; };

  int tx = threadIdx.x;
  in += size_t(blockIdx.x) * KEYS;
  out += size_t(blockIdx.x) * KEYS;
  keys[at(tx)] = in[tx];
  keys[at(tx + KEYS / 2)] = in[tx + KEYS / 2];

  for (int size = 2; size <= KEYS; size *= 2) {
    bool ascends = (tx & (size / 2)) == 0 || size == KEYS;
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int pos = 2 * tx - (tx & (stride - 1));
      unsigned a = keys[at(pos)];
      unsigned b = keys[at(pos + stride)];
      keys[at(pos)] = ascends ? min(a, b) : max(a, b);
      keys[at(pos + stride)] = ascends ? max(a, b) : min(a, b);
    }
  }

  __syncthreads();
  out[tx] = keys[at(tx)];
  out[tx + KEYS / 2] = keys[at(tx + KEYS / 2)];
}

#elif defined(SWIZZLED)

__global__ void __launch_bounds__(KEYS / 2)
    bitonicSort(unsigned *out, const unsigned *in) {
  __shared__ unsigned keys[KEYS];
  auto at = [](int i) { return bench::swizzle<1, 0, 5>(i); };

  int tx = threadIdx.x;
  in += size_t(blockIdx.x) * KEYS;
  out += size_t(blockIdx.x) * KEYS;
  keys[at(tx)] = in[tx];
  keys[at(tx + KEYS / 2)] = in[tx + KEYS / 2];

  for (int size = 2; size <= KEYS; size *= 2) {
    bool ascends = (tx & (size / 2)) == 0 || size == KEYS;
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int pos = 2 * tx - (tx & (stride - 1));
      unsigned a = keys[at(pos)];
      unsigned b = keys[at(pos + stride)];
      keys[at(pos)] = ascends ? min(a, b) : max(a, b);
      keys[at(pos + stride)] = ascends ? max(a, b) : min(a, b);
    }
  }

  __syncthreads();
  out[tx] = keys[at(tx)];
  out[tx + KEYS / 2] = keys[at(tx + KEYS / 2)];
}

#else

__global__ void __launch_bounds__(KEYS / 2)
    bitonicSort(unsigned *out, const unsigned *in) {
  __shared__ unsigned keys[KEYS];

  int tx = threadIdx.x;
  in += size_t(blockIdx.x) * KEYS;
  out += size_t(blockIdx.x) * KEYS;
  keys[tx] = in[tx];
  keys[tx + KEYS / 2] = in[tx + KEYS / 2];

  for (int size = 2; size <= KEYS; size *= 2) {
    bool ascends = (tx & (size / 2)) == 0 || size == KEYS;
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int pos = 2 * tx - (tx & (stride - 1));
      unsigned a = keys[pos];
      unsigned b = keys[pos + stride];
      keys[pos] = ascends ? min(a, b) : max(a, b);
      keys[pos + stride] = ascends ? max(a, b) : min(a, b);
    }
  }

  __syncthreads();
  out[tx] = keys[tx];
  out[tx + KEYS / 2] = keys[tx + KEYS / 2];
}

#endif

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {8448, 0}, 1);
  int blocks = options.work.size;
  size_t count = size_t(blocks) * KEYS;
  bench::DeviceArray<unsigned> in(count, bench::hash), out(count);
  return bench::run("bitonic", options, blocks, out, [&] {
    bitonicSort<<<blocks, KEYS / 2>>>(out.get(), in.get());
  });
}
