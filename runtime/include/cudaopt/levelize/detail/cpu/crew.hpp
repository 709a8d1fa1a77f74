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
      const std::lock_guard<std::mutex> lock(Mutex);
      IsOver = true;
    }
    Begun.notify_all();
    for (int k = 0; k < Size; ++k)
      (void)pthread_join(Threads[k], nullptr);
  }

  /// Starts \p wanted threads, or as many as can be made.
  void start(int wanted) {
    Threads.reset(new (std::nothrow) pthread_t[std::size_t(wanted)]);
    while (Threads && Size < wanted &&
           pthread_create(&Threads[Size], nullptr, begin, this) == 0)
      ++Size;
  }
  int size() const { return Size; }
  bool is_of_this_process() const { return Process == getpid(); }

  /// Lets each thread call \p w(context, k) for a k of its own, from 1 to
  /// size(). Returns at once; \p context must live until wait() has returned.
  void run(work w, void *context) {
    {
      const std::lock_guard<std::mutex> lock(Mutex);
      Work = w;
      Context = context;
      Busy = Size;
      ++Generation;
    }
    Begun.notify_all();
  }
  /// Waits until all threads have done the last work.
  void wait() {
    std::unique_lock<std::mutex> lock(Mutex);
    Ended.wait(lock, [this] { return Busy == 0; });
  }

private:
  static void *begin(void *self) {
    static_cast<crew *>(self)->serve();
    return nullptr;
  }
  void serve() {
    std::uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(Mutex);
    const int number = ++Numbered;
    while (true) {
      Begun.wait(lock, [&] { return IsOver || Generation != seen; });
      if (IsOver)
        return;
      seen = Generation;
      lock.unlock();
      Work(Context, number);
      lock.lock();
      if (--Busy == 0)
        Ended.notify_one();
    }
  }

  const pid_t Process = getpid();
  int Size = 0, Numbered = 0, Busy = 0;
  std::mutex Mutex;
  std::condition_variable Begun, Ended;
  work Work = nullptr;
  void *Context = nullptr;
  std::uint64_t Generation = 0;
  bool IsOver = false;
  std::unique_ptr<pthread_t[]> Threads;
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_CREW_HPP
