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
      : pool_(o.pool ? o.pool : library_pool()), stream_(s),
        device_(current_device()) {
    left_ = o.max_scratch_bytes ? o.max_scratch_bytes : ~std::size_t(0);
  }
  stream on() const { return stream_; }
  int device() const { return device_; }

  /// Allocates in the stream's order; null for 0 bytes.
  status allocate(void **p, std::size_t bytes) {
    *p = nullptr;
    if (bytes == 0)
      return status::ok;
    if (bytes > left_)
      return status::out_of_memory;
    cudaError_t e = pool_ ? cudaMallocFromPoolAsync(p, bytes, pool_, stream_)
                          : cudaMallocAsync(p, bytes, stream_);
    if (e == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError(); // Not sticky: the next strategy needs less.
      return status::out_of_memory;
    }
    if (e == cudaSuccess)
      left_ -= bytes;
    return check(e);
  }
  /// Returns \p bytes to the budget; their owner frees them.
  void release(std::size_t bytes) {
    if (left_ != ~std::size_t(0))
      left_ += bytes;
  }
  /// Turns an error into a status, and keeps the first one.
  status check(cudaError_t e) {
    if (e == cudaSuccess)
      return status::ok;
    if (error_ == cudaSuccess)
      error_ = e;
    return status::cuda_error;
  }
  cudaError_t error() const { return error_; }

private:
  memory_pool pool_;
  stream stream_;
  int device_;
  std::size_t left_;
  cudaError_t error_ = cudaSuccess;
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
    stream_ = from.on();
    device_ = from.device();
    if (std::uint64_t(size) > std::uint64_t(PTRDIFF_MAX) / sizeof(T))
      return status::out_of_memory;
    void *p;
    status s = from.allocate(&p, std::size_t(size) * sizeof(T));
    if (s == status::ok) {
      data_ = static_cast<T *>(p);
      size_ = size;
    }
    return s;
  }
  /// As allocate(), and sets each byte to \p fill.
  status allocate_filled(scratch &from, index_t size, int fill) {
    status s = allocate(from, size);
    if (s != status::ok || size == 0)
      return s;
    return from.check(cudaMemsetAsync(data_, fill, bytes(), stream_));
  }
  void reset() {
    if (data_) {
      const own_errors mine;
      const device_scope there(device_);
      (void)cudaFreeAsync(data_, stream_);
    }
    data_ = nullptr;
    size_ = 0;
  }
  /// As reset(), and the budget gets its bytes back.
  void give_back(scratch &to) {
    to.release(bytes());
    reset();
  }

  T *data() const { return data_; }
  index_t size() const { return size_; }
  std::size_t bytes() const { return std::size_t(size_) * sizeof(T); }

private:
  void swap(buffer &o) {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(stream_, o.stream_);
    std::swap(device_, o.device_);
  }
  T *data_ = nullptr;
  index_t size_ = 0;
  stream stream_ = nullptr;
  int device_ = -1;
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_BUFFER_HPP
