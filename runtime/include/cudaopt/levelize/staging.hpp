// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Host memory of a loop, copied to the device and back:
///
/// \code{.cpp}
/// cudaopt::status scatter_on_device(float *A, cudaopt::index_t m, float *B,
///                                   const int *w, const int *r,
///                                   cudaopt::index_t n, cudaopt::stream s) {
///   using cudaopt::status;
///   using cudaopt::transfer;
///   cudaopt::plan plan;
///   cudaopt::staging area(cudaopt::backend::automatic, s);
///   area.declare(A, m, transfer::in_out);
///   area.declare(B, n, transfer::out);
///   area.declare(w, n, transfer::in);
///   area.declare(r, n, transfer::in);
///   status result = area.start();
///   if (result != status::ok)
///     return result;
///   const scatter loop{{area.on_device(A), m},
///                      area.on_device(B),
///                      area.on_device(w),
///                      area.on_device(r)};
///   result = cudaopt::run(plan, loop, n, {}, s);
///   if (result == status::ok)
///     result = cudaopt::check(plan); // Before the host's data are replaced.
///   return result == status::ok ? area.finish() : result;
/// }
/// \endcode
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_STAGING_HPP
#define CUDAOPT_LEVELIZE_STAGING_HPP

#include "cudaopt/levelize/detail/cpu/host_memory.hpp"
#include "cudaopt/levelize/detail/inspect/device_dispatch.hpp"

#include <algorithm>
#include <cstring>

namespace cudaopt {

/// What a loop does with an extent, and so which way its bytes are copied.
enum class transfer : std::uint8_t {
  in,     ///< Only read.
  out,    ///< Every element is written before it is read.
  in_out, ///< Anything else.
};

/// Copies of declared extents of host memory on the current device. What the
/// device reaches is used in place; of everything else all bytes of each extent
/// are copied, and no others. Extents that overlap on the host do so on the
/// device. One cycle is declare() for each extent, start(), on_device() as
/// often as needed, finish(); then the next may begin.
///
/// Used by one thread at a time. Its device memory comes from the device's
/// current pool and is taken and freed in the order of the stream, which must
/// outlive the object. While it copies it holds two pinned pieces of 16 MiB.
/// On the CPU backend, and without CUDA, nothing is copied or allocated on a
/// device.
class staging {
public:
  /// \param where backend::cpu copies nothing; the others are the same.
  /// \param s The stream of all copies. It should be that of the loop's
  ///     execution, which then comes between them.
  explicit staging(backend where = backend::automatic, stream s = nullptr)
      : where_(where), stream_(s) {
    extents_.take_from(memory_);
    clusters_.take_from(memory_);
  }
  /// Frees the device's memory. Copies nothing back.
  ~staging() { release(); }
  staging(const staging &) = delete;
  staging &operator=(const staging &) = delete;

  /// Declares an extent; to be called before start().
  /// \param data The first element. Null pointers, and memory that the device
  ///     reaches (device, managed, or pinned at the same address), are left
  ///     alone. Extents may overlap each other.
  /// \param size The number of elements; 0 declares nothing.
  /// \param how What the loop does with all of them.
  ///
  /// Errors are returned by start(): status::invalid_argument for a negative
  /// size or one that does not fit the address space, status::out_of_memory
  /// where the list of extents has no room. Does not wait.
  template <class T> void declare(T *data, index_t size, transfer how) {
    const auto *p = reinterpret_cast<const char *>(data);
    if (!data || size == 0)
      return;
    const std::uint64_t most =
        std::min<std::uint64_t>(PTRDIFF_MAX, UINTPTR_MAX - std::uintptr_t(p));
    if (size < 0 || std::uint64_t(size) > most / sizeof(T))
      declared_ = status::invalid_argument;
    else if (is_copied(p) &&
             !extents_.append({p, p + std::size_t(size) * sizeof(T), how}))
      declared_ = status::out_of_memory;
  }

  /// Allocates, and copies in what is not transfer::out, whose copies have no
  /// defined contents. When it returns, the host's memory has been read and may
  /// change; the last copies to the device are still in the stream.
  ///
  /// Returns status::invalid_argument if called twice without finish(), or for
  /// what declare() was given; status::out_of_memory; status::capturing if the
  /// stream is captured; status::cuda_error. After the last three, and a wrong
  /// extent, the object is as if new, and the host's memory as it was.
  status start() {
    if (is_started_)
      return status::invalid_argument;
    is_started_ = true;
    status s = declared_;
    if (s == status::ok && !make_clusters())
      s = status::out_of_memory;
    if (s == status::ok && !clusters_.empty())
      s = copy_all_in();
    if (s != status::ok)
      begin_anew();
    return s;
  }

  /// Returns the address on the device of what the host has at \p data.
  /// \param data An address anywhere in a declared extent. If that was not
  ///     copied, or none was declared there, the result is \p data itself.
  ///
  /// The result is valid from start() to finish(). Neither waits nor takes
  /// memory.
  template <class T> T *on_device(T *data) const {
    const auto *p = reinterpret_cast<const char *>(data);
    for (const cluster &c : clusters_)
      if (p >= c.host.begin && p < c.host.end && c.device)
        return reinterpret_cast<T *>(c.device + (p - c.host.begin));
    return data;
  }

  /// Copies out every extent that is not transfer::in, all of its bytes; waits
  /// for the stream; frees the copies. To be called after start(), and when
  /// the execution is known to have succeeded.
  ///
  /// Returns status::invalid_argument before start(); status::out_of_memory,
  /// status::cuda_error, or status::capturing if the stream is captured. The
  /// copies are freed then, too: has_modified_host() says whether the host has
  /// a part of the results.
  status finish() {
    if (!is_started_)
      return status::invalid_argument;
    const status s = clusters_.empty() ? status::ok : copy_all_out();
    begin_anew();
    return s;
  }
  /// Returns true if any finish() has begun to write to the host's memory.
  bool has_modified_host() const { return has_modified_host_; }

  /// Returns the number of bytes that are copied to or allocated on the device;
  /// 0 before start() and after finish(). Bytes of overlapping extents count
  /// once.
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const cluster &c : clusters_)
      sum += c.host.bytes();
    return sum;
  }

private:
  /// A declared extent, or a stretch that several cover.
  struct piece {
    const char *begin, *end;
    transfer how;
    std::size_t bytes() const { return std::size_t(end - begin); }
  };
  /// A stretch of host memory and its copy; null until it is allocated.
  struct cluster {
    piece host;
    char *device;
  };

  void begin_anew() {
    release();
    is_started_ = false;
    declared_ = status::ok;
  }

  /// Merges extents that overlap into one cluster each, so that they overlap
  /// on the device, too. A cluster of extents that are not all alike is copied
  /// in, since one may read what another only writes in part. Returns false if
  /// there is no memory.
  bool make_clusters() {
    std::sort(extents_.begin(), extents_.end(),
              [](const piece &a, const piece &b) { return a.begin < b.begin; });
    for (const piece &e : extents_)
      if (clusters_.empty() || e.begin >= clusters_.back().host.end) {
        if (!clusters_.append({e, nullptr}))
          return false;
      } else {
        cluster &c = clusters_.back();
        if (e.begin != c.host.begin || e.end != c.host.end ||
            e.how != c.host.how)
          c.host.how = transfer::in_out;
        c.host.end = std::max(c.host.end, e.end);
      }
    return true;
  }

#if CUDAOPT_CUDA
  status copy_all_in() {
    if (detail::is_captured(stream_))
      return status::capturing;
    device_ = detail::current_device();
    return detail::with_own_errors(stream_, [this] {
      status s = status::ok;
      for (cluster &c : clusters_)
        if (s == status::ok)
          s = copy_in(c);
      return s;
    });
  }
  status copy_all_out() {
    if (detail::is_captured(stream_))
      return status::capturing;
    const detail::device_scope there(device_);
    return detail::with_own_errors(stream_, [this] {
      status s = status::ok;
      for (const piece &e : extents_)
        if (e.how != transfer::in && s == status::ok)
          s = copy_out(e);
      return s;
    });
  }

  /// Copies go through two pieces of pinned memory in turns: while the device
  /// copies one, the host copies the other.
  static constexpr std::size_t chunk_bytes = std::size_t(16) << 20;

  static status check(cudaError_t e) {
    if (e == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      return status::out_of_memory;
    }
    return e == cudaSuccess ? status::ok : status::cuda_error;
  }
  bool is_copied(const char *p) const {
    return where_ != backend::cpu && !detail::reach_of(p).device;
  }

  status prepare_chunks() {
    for (int k = 0; k < 2; ++k) {
      cudaError_t e = cudaSuccess;
      if (!chunks_[k])
        e = cudaMallocHost(&chunks_[k], chunk_bytes);
      if (e == cudaSuccess && !copied_[k])
        e = cudaEventCreateWithFlags(&copied_[k], cudaEventDisableTiming);
      if (e != cudaSuccess)
        return check(e);
    }
    return status::ok;
  }

  status copy_in(cluster &c) {
    void *device = nullptr;
    cudaError_t e = cudaMallocAsync(&device, c.host.bytes(), stream_);
    c.device = static_cast<char *>(device);
    if (e != cudaSuccess || c.host.how == transfer::out)
      return check(e);
    status s = prepare_chunks();
    if (s != status::ok)
      return s;
    for (std::size_t at = 0, k = 0; at < c.host.bytes() && e == cudaSuccess;
         at += chunk_bytes, k ^= 1) {
      const std::size_t size = std::min(chunk_bytes, c.host.bytes() - at);
      e = cudaEventSynchronize(copied_[k]); // Its last copy has left.
      if (e != cudaSuccess)
        break;
      std::memcpy(chunks_[k], c.host.begin + at, size);
      e = cudaMemcpyAsync(c.device + at, chunks_[k], size,
                          cudaMemcpyHostToDevice, stream_);
      if (e == cudaSuccess)
        e = cudaEventRecord(copied_[k], stream_);
    }
    return check(e);
  }

  status copy_out(const piece &e) {
    status s = prepare_chunks();
    if (s != status::ok)
      return s;
    const char *device = on_device(e.begin);
    char *host = const_cast<char *>(e.begin);
    cudaError_t error = cudaSuccess;
    auto fetch = [&](std::size_t chunk) {
      const std::size_t at = chunk * chunk_bytes;
      if (at >= e.bytes() || error != cudaSuccess)
        return;
      error = cudaMemcpyAsync(chunks_[chunk % 2], device + at,
                              std::min(chunk_bytes, e.bytes() - at),
                              cudaMemcpyDeviceToHost, stream_);
      if (error == cudaSuccess)
        error = cudaEventRecord(copied_[chunk % 2], stream_);
    };
    fetch(0);
    for (std::size_t chunk = 0; chunk * chunk_bytes < e.bytes(); ++chunk) {
      fetch(chunk + 1);
      if (error == cudaSuccess)
        error = cudaEventSynchronize(copied_[chunk % 2]);
      if (error != cudaSuccess)
        break;
      const std::size_t at = chunk * chunk_bytes;
      has_modified_host_ = true;
      std::memcpy(host + at, chunks_[chunk % 2],
                  std::min(chunk_bytes, e.bytes() - at));
    }
    return check(error);
  }

  void release() {
    const detail::own_errors mine;
    const detail::device_scope there(device_);
    for (cluster &c : clusters_)
      if (c.device)
        (void)cudaFreeAsync(c.device, stream_);
    for (int k = 0; k < 2; ++k) {
      if (copied_[k]) {
        (void)cudaEventSynchronize(copied_[k]);
        (void)cudaEventDestroy(copied_[k]);
      }
      if (chunks_[k])
        (void)cudaFreeHost(chunks_[k]);
      copied_[k] = nullptr;
      chunks_[k] = nullptr;
    }
    clusters_.clear();
    extents_.clear();
  }

  void *chunks_[2] = {};
  cudaEvent_t copied_[2] = {};
  int device_ = -1;
#else
  bool is_copied(const char *) const { return false; }
  status copy_all_in() { return status::ok; }
  status copy_all_out() { return status::ok; }
  void release() {
    (void)where_;
    (void)stream_;
    clusters_.clear();
    extents_.clear();
  }
#endif

  backend where_;
  stream stream_;
  bool is_started_ = false, has_modified_host_ = false;
  status declared_ = status::ok;
  detail::cpu::host_scratch memory_{0};
  detail::cpu::host_array<piece> extents_;
  detail::cpu::host_array<cluster> clusters_;
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_STAGING_HPP
