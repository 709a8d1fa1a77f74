// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FFT of 512 complex numbers by 64 threads, radix 8: between the three stages
// the threads exchange their numbers through a buffer of 512 floats, first the
// real parts, then the imaginary ones. The transform is repeated, with its
// result as the next input, so that shared memory matters and not the device's.

#include "Bench.h"
#include <cmath>

constexpr int POINTS = 512;
constexpr int THREADS = POINTS / 8;
constexpr float HALF_ROOT = 0.70710678f;
constexpr float SCALE = HALF_ROOT / 16; // Keeps the sum of the squares.

__device__ float2 operator*(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

__device__ void butterfly(float2 &a, float2 &b) {
  float2 sum = {a.x + b.x, a.y + b.y};
  b = {a.x - b.x, a.y - b.y};
  a = sum;
}

__device__ float2 timesMinusI(float2 a) { return {a.y, -a.x}; }

__device__ void fft4(float2 &a, float2 &b, float2 &c, float2 &d) {
  butterfly(a, c);
  butterfly(b, d);
  d = timesMinusI(d);
  butterfly(a, b);
  butterfly(c, d);
}

__device__ void swap(float2 &a, float2 &b) {
  float2 old = a;
  a = b;
  b = old;
}

__device__ void fft8(float2 *data) {
  for (int i = 0; i < 4; ++i)
    butterfly(data[i], data[i + 4]);
  data[5] = data[5] * float2{HALF_ROOT, -HALF_ROOT};
  data[6] = timesMinusI(data[6]);
  data[7] = data[7] * float2{-HALF_ROOT, -HALF_ROOT};
  fft4(data[0], data[1], data[2], data[3]);
  fft4(data[4], data[5], data[6], data[7]);
  // The results are there in the order of their reversed bits.
  swap(data[1], data[4]);
  swap(data[3], data[6]);
}

#if defined(PADDED)

__global__ void __launch_bounds__(THREADS)
    fft512(float2 *out, const float2 *in, const float2 *roots, int rounds) {
  __shared__ float work[8 * (THREADS + 1)];

  int t = threadIdx.x;
  int hi = t / 8;
  int lo = t % 8;
  float2 data[8], first[8], second[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    data[i] = in[blockIdx.x * POINTS + i * THREADS + t];
    first[i] = roots[i * t];
    second[i] = roots[i * hi * 8];
  }

  for (int round = 0; round < rounds; ++round) {
    fft8(data);
    for (int i = 1; i < 8; ++i)
      data[i] = data[i] * first[i];
    for (int i = 0; i < 8; ++i)
      work[i * (THREADS + 1) + t] = data[i].x;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].x = work[lo * (THREADS + 1) + i * 8 + hi];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      work[i * (THREADS + 1) + t] = data[i].y;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].y = work[lo * (THREADS + 1) + i * 8 + hi];
    __syncthreads();

    fft8(data);
    for (int i = 1; i < 8; ++i)
      data[i] = data[i] * second[i];
    for (int i = 0; i < 8; ++i)
      work[i * (THREADS + 1) + t] = data[i].x;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].x = work[hi * (THREADS + 1) + i * 8 + lo];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      work[i * (THREADS + 1) + t] = data[i].y;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].y = work[hi * (THREADS + 1) + i * 8 + lo];
    __syncthreads();

    fft8(data);
    for (int i = 0; i < 8; ++i)
      data[i] = {data[i].x * SCALE, data[i].y * SCALE};
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
    out[blockIdx.x * POINTS + i * THREADS + t] = data[i];
}

#elif defined(SWIZZLED)

__global__ void __launch_bounds__(THREADS)
    fft512(float2 *out, const float2 *in, const float2 *roots, int rounds) {
  __shared__ float work[8 * THREADS];
  auto at = [](int row, int column) {
    return bench::swizzle<2, 3, 3, THREADS>(row, column);
  };

  int t = threadIdx.x;
  int hi = t / 8;
  int lo = t % 8;
  float2 data[8], first[8], second[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    data[i] = in[blockIdx.x * POINTS + i * THREADS + t];
    first[i] = roots[i * t];
    second[i] = roots[i * hi * 8];
  }

  for (int round = 0; round < rounds; ++round) {
    fft8(data);
    for (int i = 1; i < 8; ++i)
      data[i] = data[i] * first[i];
    for (int i = 0; i < 8; ++i)
      work[at(i, t)] = data[i].x;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].x = work[at(lo, i * 8 + hi)];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      work[at(i, t)] = data[i].y;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].y = work[at(lo, i * 8 + hi)];
    __syncthreads();

    fft8(data);
    for (int i = 1; i < 8; ++i)
      data[i] = data[i] * second[i];
    for (int i = 0; i < 8; ++i)
      work[at(i, t)] = data[i].x;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].x = work[at(hi, i * 8 + lo)];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      work[at(i, t)] = data[i].y;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].y = work[at(hi, i * 8 + lo)];
    __syncthreads();

    fft8(data);
    for (int i = 0; i < 8; ++i)
      data[i] = {data[i].x * SCALE, data[i].y * SCALE};
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
    out[blockIdx.x * POINTS + i * THREADS + t] = data[i];
}

#else

__global__ void __launch_bounds__(THREADS)
    fft512(float2 *out, const float2 *in, const float2 *roots, int rounds) {
  __shared__ float work[8 * THREADS];

  int t = threadIdx.x;
  int hi = t / 8;
  int lo = t % 8;
  float2 data[8], first[8], second[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    data[i] = in[blockIdx.x * POINTS + i * THREADS + t];
    first[i] = roots[i * t];
    second[i] = roots[i * hi * 8];
  }

  for (int round = 0; round < rounds; ++round) {
    fft8(data);
    for (int i = 1; i < 8; ++i)
      data[i] = data[i] * first[i];
    for (int i = 0; i < 8; ++i)
      work[i * THREADS + t] = data[i].x;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].x = work[lo * THREADS + i * 8 + hi];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      work[i * THREADS + t] = data[i].y;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].y = work[lo * THREADS + i * 8 + hi];
    __syncthreads();

    fft8(data);
    for (int i = 1; i < 8; ++i)
      data[i] = data[i] * second[i];
    for (int i = 0; i < 8; ++i)
      work[i * THREADS + t] = data[i].x;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].x = work[hi * THREADS + i * 8 + lo];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      work[i * THREADS + t] = data[i].y;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      data[i].y = work[hi * THREADS + i * 8 + lo];
    __syncthreads();

    fft8(data);
    for (int i = 0; i < 8; ++i)
      data[i] = {data[i].x * SCALE, data[i].y * SCALE};
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
    out[blockIdx.x * POINTS + i * THREADS + t] = data[i];
}

#endif

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {8448, 24}, 1);
  int blocks = options.work.size, rounds = options.work.rounds;
  size_t count = size_t(blocks) * POINTS;
  bench::DeviceArray<float2> in(count, [](size_t i) {
    return float2{bench::number(2 * i), bench::number(2 * i + 1)};
  });
  bench::DeviceArray<float2> roots(POINTS, [](size_t i) {
    double angle = -2 * 3.14159265358979323846 * double(i) / POINTS;
    return float2{float(std::cos(angle)), float(std::sin(angle))};
  });
  bench::DeviceArray<float2> out(count);
  return bench::run("fft", options, blocks, out, [&] {
    fft512<<<blocks, THREADS>>>(out.get(), in.get(), roots.get(), rounds);
  });
}
