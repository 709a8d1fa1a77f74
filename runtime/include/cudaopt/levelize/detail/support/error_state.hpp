// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The rule for CUDA's errors: a call of the runtime returns its own, and
/// leaves the last error of the calling thread as it was.
///
/// CUDA keeps one last error for each thread. A launch by <<<>>> tells of its
/// failure only there, CUB reads it and resets it, and nothing can set it. So
/// what launches runs on a thread without an error: the caller's if it has
/// none, and then all errors found there afterwards are the runtime's; else
/// another one, whose errors end with it. Below with_own_errors() code may use
/// cudaGetLastError() as if it were alone.
///
/// Calls that only query or free return their errors, and mostly succeed: for
/// these own_errors is enough.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ERROR_STATE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ERROR_STATE_HPP

#include "cudaopt/levelize/detail/support/exceptions.hpp"

#if CUDAOPT_CUDA

#include <pthread.h>

namespace cudaopt::detail {

/// A scope whose errors are the runtime's: they are reset at its end, if the
/// thread had no error before. If it had one, CUDA does not tell whose the last
/// error is, and it stays.
class own_errors {
public:
  own_errors() : is_clean_(cudaPeekAtLastError() == cudaSuccess) {}
  ~own_errors() {
    if (is_clean_ && cudaPeekAtLastError() != cudaSuccess)
      (void)cudaGetLastError();
  }
  own_errors(const own_errors &) = delete;
  own_errors &operator=(const own_errors &) = delete;

  /// Returns true if the thread had no error before.
  bool is_clean() const { return is_clean_; }

private:
  bool is_clean_;
};

/// A scope in which a device is the current one; nothing happens for a negative
/// number.
class device_scope {
public:
  explicit device_scope(int device) {
    if (device >= 0 && cudaGetDevice(&before_) == cudaSuccess &&
        before_ != device)
      is_changed_ = cudaSetDevice(device) == cudaSuccess;
  }
  ~device_scope() {
    if (is_changed_)
      (void)cudaSetDevice(before_);
  }
  device_scope(const device_scope &) = delete;
  device_scope &operator=(const device_scope &) = delete;

private:
  int before_ = 0;
  bool is_changed_ = false;
};

/// The current device; negative if there is none.
inline int current_device() {
  int device = -1;
  return cudaGetDevice(&device) == cudaSuccess ? device : -1;
}

/// Returns true if waiting for \p s would break a capture: its own, or, if it
/// is the legacy stream, that of another stream.
inline bool is_captured(stream s) {
  const own_errors mine;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const cudaError_t e = cudaStreamIsCapturing(s, &capture);
  return e == cudaErrorStreamCaptureImplicit ||
         (e == cudaSuccess && capture != cudaStreamCaptureStatusNone);
}

/// Returns true if \p s is the default stream of the calling thread, which for
/// another thread is another stream.
inline bool is_of_thread(stream s) {
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
  if (s == nullptr)
    return true;
#endif
  return s == cudaStreamPerThread;
}

/// Work for another thread, which the caller waits for.
template <class Work> struct errand {
  Work &work;
  stream on;
  int device;
  status result = status::cuda_error;
  carried_exception thrown = {};

  static void *run(void *self) {
    auto &e = *static_cast<errand *>(self);
    (void)e.thrown.call([&e] {
      if (e.device >= 0 && cudaSetDevice(e.device) != cudaSuccess)
        return;
      e.result = e.work();
      if (is_of_thread(e.on) && cudaStreamSynchronize(e.on) != cudaSuccess &&
          e.result == status::ok)
        e.result = status::cuda_error;
    });
    return nullptr;
  }
};

/// Does \p work in another thread, which has no error of CUDA. If \p on is the
/// thread's own default stream, which the other thread does not share, it is
/// waited for before and after.
template <class Work> status on_other_thread(stream on, Work &work) {
  if (is_of_thread(on)) {
    if (is_captured(on))
      return status::capturing;
    if (cudaStreamSynchronize(on) != cudaSuccess)
      return status::cuda_error;
  }
  errand<Work> one{work, on, current_device()};
  pthread_t thread;
  if (pthread_create(&thread, nullptr, errand<Work>::run, &one) != 0)
    return status::out_of_memory;
  (void)pthread_join(thread, nullptr);
  one.thrown.rethrow();
  return one.result;
}

/// Returns what \p work returns, a status. \p work uses the stream \p on, and
/// runs in a thread in which CUDA has no last error of anybody else.
template <class Work> status with_own_errors(stream on, Work &&work) {
  {
    const own_errors mine;
    if (mine.is_clean())
      return work();
  }
  return on_other_thread(on, work);
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_ERROR_STATE_HPP
