// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Device memory and times of benchmarks.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_BENCHMARKS_LEVELIZE_DEVICE_ARRAY_HPP
#define CUDAOPT_BENCHMARKS_LEVELIZE_DEVICE_ARRAY_HPP

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void require(bool ok, const char *what) {
  if (ok)
    return;
  std::fprintf(stderr, "%s: %s\n", what,
               cudaGetErrorString(cudaGetLastError()));
  std::exit(1);
}
#define REQUIRE(...) require((__VA_ARGS__), #__VA_ARGS__)

inline double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The median of up to \p most runs that take 300 ms together.
template <class Run> double median_ms(Run run, int most = 9) {
  std::vector<double> times;
  double total = 0;
  while (int(times.size()) < most && (total < 300 || times.empty())) {
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const double begin = now_ms();
    run();
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    times.push_back(now_ms() - begin);
    total += times.back();
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class T> class device_array {
public:
  explicit device_array(std::size_t size) : Size(size) {
    REQUIRE(cudaMalloc(&Data, std::max<std::size_t>(size, 1) * sizeof(T)) ==
            cudaSuccess);
  }
  explicit device_array(const std::vector<T> &v) : device_array(v.size()) {
    copy_from(v);
  }
  device_array(const device_array &) = delete;
  ~device_array() { cudaFree(Data); }

  void copy_from(const std::vector<T> &v) {
    REQUIRE(cudaMemcpy(Data, v.data(), v.size() * sizeof(T),
                       cudaMemcpyHostToDevice) == cudaSuccess);
  }
  std::vector<T> to_host() const {
    std::vector<T> v(Size);
    REQUIRE(cudaMemcpy(v.data(), Data, Size * sizeof(T),
                       cudaMemcpyDeviceToHost) == cudaSuccess);
    return v;
  }
  void fill(int byte) const {
    REQUIRE(cudaMemsetAsync(Data, byte, Size * sizeof(T)) == cudaSuccess);
  }
  T *data() const { return Data; }

private:
  T *Data = nullptr;
  std::size_t Size;
};

#endif // CUDAOPT_BENCHMARKS_LEVELIZE_DEVICE_ARRAY_HPP
