// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A thread pool for one piece of work at a time, which all threads do
/// together.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_CREW_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_CREW_HPP

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>
#include <unistd.h>

namespace cudaopt::detail::cpu {

/// Threads that wait for work. A child of fork() has none of the threads of its
/// parent, and the state of the mutex and of the condition variables there is
/// undefined, so that a crew of another process may neither be used nor
/// destroyed: see is_of_this_process().
class crew {
public:
  using work = void (*)(void *context, int worker);

  crew() = default;
  crew(const crew &) = delete;
  crew &operator=(const crew &) = delete;
  ~crew() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_over_ = true;
    }
    begun_.notify_all();
    for (int k = 0; k < size_; ++k)
      (void)pthread_join(threads_[k], nullptr);
  }

  /// Starts \p wanted threads, or as many as can be made.
  void start(int wanted) {
    threads_.reset(new (std::nothrow) pthread_t[std::size_t(wanted)]);
    while (threads_ && size_ < wanted &&
           pthread_create(&threads_[size_], nullptr, begin, this) == 0)
      ++size_;
  }
  int size() const { return size_; }
  bool is_of_this_process() const { return process_ == getpid(); }

  /// Lets each thread call \p w(context, k) for a k of its own, from 1 to
  /// size(). Returns at once; \p context must live until wait() has returned.
  void run(work w, void *context) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      work_ = w;
      context_ = context;
      busy_ = size_;
      ++generation_;
    }
    begun_.notify_all();
  }
  /// Waits until all threads have done the last work.
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    ended_.wait(lock, [this] { return busy_ == 0; });
  }

private:
  static void *begin(void *self) {
    static_cast<crew *>(self)->serve();
    return nullptr;
  }
  void serve() {
    std::uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    const int number = ++numbered_;
    while (true) {
      begun_.wait(lock, [&] { return is_over_ || generation_ != seen; });
      if (is_over_)
        return;
      seen = generation_;
      lock.unlock();
      work_(context_, number);
      lock.lock();
      if (--busy_ == 0)
        ended_.notify_one();
    }
  }

  const pid_t process_ = getpid();
  int size_ = 0, numbered_ = 0, busy_ = 0;
  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  work work_ = nullptr;
  void *context_ = nullptr;
  std::uint64_t generation_ = 0;
  bool is_over_ = false;
  std::unique_ptr<pthread_t[]> threads_;
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_CREW_HPP
