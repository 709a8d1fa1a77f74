// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Owners of what the CUDA runtime hands out: memory, streams, events. Errors
/// are thrown as std::runtime_error.
//===----------------------------------------------------------------------===//

#ifndef CELLS_CUDA_CUH
#define CELLS_CUDA_CUH

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#define CUDA(call) ::cells::check((call), #call)

namespace cells {

inline void check(cudaError_t status, const char *call) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(call) + ": " +
                             cudaGetErrorString(status));
}

/// An array on the current device. Its memory grows and never shrinks; growing
/// drops the elements.
template <typename T> class DeviceArray {
public:
  DeviceArray() = default;
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(data); }

  T *get() const { return data; }
  size_t size() const { return count; }
  size_t bytes() const { return capacity * sizeof(T); }
  void resize(size_t size) {
    if (size > capacity) {
      cudaFree(data);
      data = nullptr;
      capacity = 0;
      CUDA(cudaMalloc(reinterpret_cast<void **>(&data), size * sizeof(T)));
      capacity = size;
    }
    count = size;
  }
  void assign(const std::vector<T> &values) {
    resize(values.size());
    CUDA(cudaMemcpy(data, values.data(), count * sizeof(T),
                    cudaMemcpyHostToDevice));
    // The copy may still be in flight, and other streams do not wait for it.
    CUDA(cudaStreamSynchronize(nullptr));
  }
  std::vector<T> values() const {
    std::vector<T> copy(count);
    CUDA(cudaMemcpy(copy.data(), data, count * sizeof(T),
                    cudaMemcpyDeviceToHost));
    return copy;
  }

private:
  T *data = nullptr;
  size_t count = 0, capacity = 0;
};

/// An array in pinned memory of the host, which a GPU can copy to while it
/// computes.
template <typename T> class PinnedArray {
public:
  PinnedArray() = default;
  PinnedArray(const PinnedArray &) = delete;
  PinnedArray &operator=(const PinnedArray &) = delete;
  ~PinnedArray() { cudaFreeHost(data); }

  T *get() const { return data; }
  void resize(size_t size) {
    if (size <= capacity)
      return;
    cudaFreeHost(data);
    data = nullptr;
    capacity = 0;
    CUDA(cudaMallocHost(reinterpret_cast<void **>(&data), size * sizeof(T)));
    capacity = size;
  }

private:
  T *data = nullptr;
  size_t capacity = 0;
};

class Stream {
public:
  Stream() { CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  ~Stream() { cudaStreamDestroy(stream); }
  operator cudaStream_t() const { return stream; }

private:
  cudaStream_t stream;
};

class Event {
public:
  Event() { CUDA(cudaEventCreate(&event)); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  ~Event() { cudaEventDestroy(event); }
  operator cudaEvent_t() const { return event; }
  /// The time to a later event, which must have happened.
  double millisecondsTo(const Event &later) const {
    float time = 0;
    CUDA(cudaEventElapsedTime(&time, event, later.event));
    return time;
  }

private:
  cudaEvent_t event;
};

} // namespace cells

#endif // CELLS_CUDA_CUH
