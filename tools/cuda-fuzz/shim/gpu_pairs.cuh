// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs kernels of cuda-fuzz on a GPU, as nvcc compiles them. A program
/// includes it once and defines shim::pairs; docs/Reliability.md tells how.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SHIM_GPU_PAIRS_CUH
#define CUDAOPT_SHIM_GPU_PAIRS_CUH

#include "pairs.h"

#include <cassert>
#include <cstdlib>
#include <cuda_pipeline.h>

//===----------------------------------------------------------------------===//
// The functions of the kernels
//===----------------------------------------------------------------------===//

#define LAYOUT(KIND)
#define __builtin_trap __trap

struct Mixed {
  float x;
  short y;
};
inline __device__ float4 tofloat4(float v) { return {v, v + 1, v + 2, v + 3}; }
inline __device__ double2 todouble2(double v) { return {v, v + 1}; }
inline __device__ Mixed toMixed(float v) { return {v, 7}; }
inline __device__ float sumOf(float4 v) { return v.x + v.y + v.z + v.w; }
inline __device__ double sumOf(double2 v) { return v.x + v.y; }
inline __device__ float sumOf(Mixed v) { return v.x + v.y; }
template <class T> __device__ T twice(T v) { return v + v; }
inline __device__ int wrapped(int i, int n) { return i % n; }
template <class F> __device__ auto applied(F f, unsigned i) { return f(i); }
template <class T> __device__ unsigned long long throughAsm(T *p) {
  unsigned long long u;
  asm("mov.u64 %0, %1;" : "=l"(u) : "l"(p));
  return u;
}
inline __device__ void trapUnless(bool c) {
  if (!c)
    __trap();
}
inline __device__ void leaveIf(bool c) {
  if (c)
    asm volatile("exit;");
}
template <class T> __device__ void leaveIfNot(T v) {
  if (!v)
    asm volatile("exit;");
}
inline constexpr int roundUp(int n, int m) { return (n + m - 1) / m * m; }
inline void assign(int &to, int n) { to = n; }

//===----------------------------------------------------------------------===//
// Pairs of kernels
//===----------------------------------------------------------------------===//

namespace shim {

/// Ends the process on an error, and with it the CUDA context, which is
/// unusable after a failed kernel.
inline void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::_Exit(1);
}

template <class T> class device_array {
public:
  explicit device_array(std::size_t count) : bytes(count * sizeof(T)) {
    check(cudaMalloc(&data, bytes));
  }
  device_array(const std::vector<T> &from) : device_array(from.size()) {
    check(cudaMemcpy(data, from.data(), bytes, cudaMemcpyHostToDevice));
  }
  ~device_array() { check(cudaFree(data)); }
  device_array(const device_array &) = delete;
  device_array &operator=(const device_array &) = delete;

  T *data = nullptr;
  const std::size_t bytes;
};

template <class T>
pair make_pair(unsigned long long number, unsigned outputs,
               void (*original)(T *, const T *, const int *),
               void (*rewritten)(T *, const T *, const int *)) {
  auto run = [=](auto launch) {
    return [=](order) {
      const arguments<T> given(number);
      const device_array<T> in(given.in), out(outputs);
      const device_array<int> flags(given.flags);
      check(cudaMemset(out.data, unwritten, out.bytes));
      launch(out.data, in.data, flags.data);
      check(cudaGetLastError());
      ++launches;
      memory result(out.bytes);
      check(cudaMemcpy(result.data(), out.data, out.bytes,
                       cudaMemcpyDeviceToHost));
      return result;
    };
  };
  return {number, run(original), run(rewritten)};
}

} // namespace shim

int main() { return shim::run_all(); }

#endif // CUDAOPT_SHIM_GPU_PAIRS_CUH
