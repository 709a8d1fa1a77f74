// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A test's data on the device, and its checks.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_RUNTIME_GPU_DEVICE_IMAGE_HPP
#define CUDAOPT_TEST_RUNTIME_GPU_DEVICE_IMAGE_HPP

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cudaopt::test {

class results {
public:
  void expect(bool good, const char *what, const char *detail = "",
              long long number = 0) {
    ++Checks;
    if (good)
      return;
    if (++Failures <= 30)
      std::printf("FAILED %s %s %lld\n", what, detail, number);
  }
  int report(const char *suite) const {
    std::printf("%s: %d checks, %d failed\n", suite, Checks, Failures);
    return Failures != 0;
  }

private:
  int Checks = 0, Failures = 0;
};

/// A problem's image on the device.
class device_image {
public:
  explicit device_image(const std::vector<std::uint64_t> &image)
      : Image(image), Bytes(image.size() * sizeof(image[0])) {
    if (cudaMalloc(&Data, Bytes + 64) != cudaSuccess)
      std::abort();
    restore();
  }
  ~device_image() { (void)cudaFree(Data); }
  device_image(const device_image &) = delete;
  device_image &operator=(const device_image &) = delete;

  void *data() const { return Data; }
  void restore() const {
    if (cudaMemcpy(Data, Image.data(), Bytes, cudaMemcpyHostToDevice) !=
        cudaSuccess)
      std::abort();
  }
  std::vector<std::uint64_t> read() const {
    std::vector<std::uint64_t> copy(Image.size());
    if (cudaMemcpy(copy.data(), Data, Bytes, cudaMemcpyDeviceToHost) !=
        cudaSuccess)
      std::printf("copy: %s\n", cudaGetErrorString(cudaGetLastError()));
    return copy;
  }

private:
  const std::vector<std::uint64_t> &Image;
  std::size_t Bytes;
  void *Data = nullptr;
};

} // namespace cudaopt::test

#endif // CUDAOPT_TEST_RUNTIME_GPU_DEVICE_IMAGE_HPP
