// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Device memory with an owner, taken from a pool and given back in a stream's
/// order, within a budget.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_BUFFER_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_BUFFER_HPP

#include "cudaopt/levelize/detail/support/error_state.hpp"
#include "cudaopt/levelize/detail/support/library_pool.hpp"
#include "cudaopt/levelize/options.hpp"

#include <utility>

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// The memory that one inspection may take: the pool, how much of
/// options::max_scratch_bytes is left, and the first error of CUDA. Its stream
/// is also that on which the inspection's kernels are launched.
class scratch {
public:
  scratch(const options &o, stream s)
      : Pool(o.pool ? o.pool : library_pool()), Stream(s),
        Device(current_device()) {
    Left = o.max_scratch_bytes ? o.max_scratch_bytes : ~std::size_t(0);
  }
  stream on() const { return Stream; }
  int device() const { return Device; }

  /// Allocates in the stream's order; null for 0 bytes.
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
  /// Returns \p bytes to the budget; their owner frees them.
  void release(std::size_t bytes) {
    if (Left != ~std::size_t(0))
      Left += bytes;
  }
  /// Turns an error into a status, and keeps the first one.
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

/// An array \p T[size] on a device, uninitialised; freed on that device,
/// whichever is the current one then, in the order of the stream that it was
/// allocated on. Moved by swapping.
template <class T> class buffer {
public:
  buffer() = default;
  buffer(buffer &&o) noexcept { swap(o); }
  buffer &operator=(buffer &&o) noexcept {
    swap(o);
    return *this;
  }
  ~buffer() { reset(); }

  /// Allocates \p size elements; what was there before is freed.
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
  /// As allocate(), and sets each byte to \p fill.
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
#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_BUFFER_HPP
