// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Exceptions that a program's bodies and slices throw, on their way from a
/// thread of the runtime to the caller. The runtime throws none of its own.
/// Programs may be compiled without exceptions.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_SUPPORT_EXCEPTIONS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_SUPPORT_EXCEPTIONS_HPP

#include "cudaopt/levelize/status.hpp"

#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define CUDAOPT_EXCEPTIONS 1
#else
#define CUDAOPT_EXCEPTIONS 0
#endif

namespace cudaopt::detail {

/// The first exception of several threads, kept until one thread rethrows it.
class carried_exception {
public:
  /// Calls \p f. Returns false if it threw; the first exception is kept. Any
  /// thread may call.
  template <class F> bool call(F &&f) {
#if CUDAOPT_EXCEPTIONS
    try {
      f();
      return true;
    } catch (...) {
      const std::lock_guard<std::mutex> lock(lock_);
      if (!first_)
        first_ = std::current_exception();
      return false;
    }
#else
    f();
    return true;
#endif
  }
  /// Throws the exception that was kept, if there is one, which is then no
  /// longer kept. No other thread may be in call().
  void rethrow() {
#if CUDAOPT_EXCEPTIONS
    if (std::exception_ptr thrown = std::exchange(first_, nullptr))
      std::rethrow_exception(std::move(thrown));
#endif
  }

private:
  std::mutex lock_;
  std::exception_ptr first_;
};

/// Carries an exception out of a function that must not throw. Trivially
/// destructible, so that callers have nothing to clean up where there was none.
class passed_exception {
public:
  /// Calls \p f, and keeps what it throws.
  template <class F> void call(F &&f) noexcept {
#if CUDAOPT_EXCEPTIONS
    try {
      f();
    } catch (...) {
      thrown_ = new std::exception_ptr(std::current_exception());
    }
#else
    f();
#endif
  }
  bool is_pending() const { return CUDAOPT_EXCEPTIONS && thrown_; }
  [[noreturn]] CUDAOPT_COLD void rethrow() const {
#if CUDAOPT_EXCEPTIONS
    const std::unique_ptr<std::exception_ptr> mine(thrown_);
    std::rethrow_exception(*mine);
#else
    std::abort();
#endif
  }

private:
  std::exception_ptr *thrown_ = nullptr;
};

/// Makes a new \p T; null if there is no memory.
template <class T, class... Arguments>
std::unique_ptr<T> make_or_null(Arguments &&...arguments) {
  return std::unique_ptr<T>(new (std::nothrow)
                                T(std::forward<Arguments>(arguments)...));
}

/// Returns what \p f returns, a status; status::out_of_memory if an allocation
/// of its own failed. \p f must not call functions of the program, whose
/// exceptions would be lost.
template <class F> status without_throwing(F &&f) {
#if CUDAOPT_EXCEPTIONS
  try {
    return f();
  } catch (...) { // Standard containers and strings throw nothing else here.
    return status::out_of_memory;
  }
#else
  return f();
#endif
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_SUPPORT_EXCEPTIONS_HPP
