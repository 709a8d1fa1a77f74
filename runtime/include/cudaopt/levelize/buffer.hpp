// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Device memory with an owner, taken from a pool in a stream's order.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_BUFFER_HPP
#define CUDAOPT_LEVELIZE_BUFFER_HPP

#include "cudaopt/levelize/memory_pools.hpp"

#include <utility>

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// Scratch of one inspection: where it comes from, how much is left, and the
/// first error. Device code is launched on its stream.
class scratch {
public:
  scratch(const options &o, stream s)
      : Pool(o.pool ? o.pool : library_pool()), Stream(s),
        Device(current_device()) {
    Left = o.max_scratch_bytes ? o.max_scratch_bytes : ~std::size_t(0);
  }
  stream on() const { return Stream; }
  int device() const { return Device; }

  status allocate(void **p, std::size_t bytes) {
    *p = nullptr;
    if (bytes == 0)
      return status::ok;
    if (bytes > Left)
      return status::out_of_memory;
    cudaError_t e = Pool ? cudaMallocFromPoolAsync(p, bytes, Pool, Stream)
                         : cudaMallocAsync(p, bytes, Stream);
    if (e == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError(); // Not sticky: the next strategy needs less.
      return status::out_of_memory;
    }
    if (e == cudaSuccess)
      Left -= bytes;
    return check(e);
  }
  void release(std::size_t bytes) {
    if (Left != ~std::size_t(0))
      Left += bytes;
  }
  status check(cudaError_t e) {
    if (e == cudaSuccess)
      return status::ok;
    if (Error == cudaSuccess)
      Error = e;
    return status::cuda_error;
  }
  cudaError_t error() const { return Error; }

private:
  memory_pool Pool;
  stream Stream;
  int Device;
  std::size_t Left;
  cudaError_t Error = cudaSuccess;
};

/// \p T[size] on the device; freed there, whichever is the current one then, in
/// the order of the stream that made it.
template <class T> class buffer {
public:
  buffer() = default;
  buffer(buffer &&o) noexcept { swap(o); }
  buffer &operator=(buffer &&o) noexcept {
    swap(o);
    return *this;
  }
  ~buffer() { reset(); }

  /// What was there is freed.
  status allocate(scratch &from, index_t size) {
    reset();
    Stream = from.on();
    Device = from.device();
    if (std::uint64_t(size) > std::uint64_t(PTRDIFF_MAX) / sizeof(T))
      return status::out_of_memory;
    void *p;
    status s = from.allocate(&p, std::size_t(size) * sizeof(T));
    if (s == status::ok) {
      Data = static_cast<T *>(p);
      Size = size;
    }
    return s;
  }
  /// As allocate(); each byte becomes \p fill.
  status allocate_filled(scratch &from, index_t size, int fill) {
    status s = allocate(from, size);
    if (s != status::ok || size == 0)
      return s;
    return from.check(cudaMemsetAsync(Data, fill, bytes(), Stream));
  }
  void reset() {
    if (Data) {
      const own_errors mine;
      const device_scope there(Device);
      (void)cudaFreeAsync(Data, Stream);
    }
    Data = nullptr;
    Size = 0;
  }
  /// As reset(), and the budget gets its bytes back.
  void give_back(scratch &to) {
    to.release(bytes());
    reset();
  }

  T *data() const { return Data; }
  index_t size() const { return Size; }
  std::size_t bytes() const { return std::size_t(Size) * sizeof(T); }

private:
  void swap(buffer &o) {
    std::swap(Data, o.Data);
    std::swap(Size, o.Size);
    std::swap(Stream, o.Stream);
    std::swap(Device, o.Device);
  }
  T *Data = nullptr;
  index_t Size = 0;
  stream Stream = nullptr;
  int Device = -1;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_BUFFER_HPP
