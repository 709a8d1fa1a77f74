// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Threads of the CPU that work on one loop.
///
/// The algorithms are templates over a team, so that tests can run them under
/// interleavings of their choice. A team has
///
///   int size() const;
///   template <class F> void run(F &&f);  // f(worker) at the same time for all
///   void step();         // before each access that other workers may see
///   waiting begin_wait();   // `bool pause()`, false: give up, all is lost
///   bool was_stalled() const;            // somebody gave up in the last run
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_CPU_TEAM_HPP
#define CUDAOPT_LEVELIZE_CPU_TEAM_HPP

#include "cudaopt/levelize/config.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cudaopt::detail::cpu {

class thread_team {
public:
  /// \p size 0 is as many as the machine has.
  thread_team(int size, unsigned stall_ms) : Limit(stall_ms) {
    Size =
        size > 0 ? size : std::max(1, int(std::thread::hardware_concurrency()));
    for (int worker = 1; worker < Size; ++worker)
      Threads.emplace_back([this, worker] { serve(worker); });
  }
  ~thread_team() {
    {
      std::lock_guard<std::mutex> lock(Mutex);
      IsOver = true;
    }
    Begun.notify_all();
    for (std::thread &t : Threads)
      t.join();
  }
  thread_team(const thread_team &) = delete;
  thread_team &operator=(const thread_team &) = delete;

  int size() const { return Size; }
  bool was_stalled() const { return Stalled.load(std::memory_order_relaxed); }
  void step() {}

  template <class F> void run(F &&f) {
    Stalled.store(false, std::memory_order_relaxed);
    if (Size == 1)
      return f(0);
    {
      std::lock_guard<std::mutex> lock(Mutex);
      Work = [&f](int worker) { f(worker); };
      Busy = Size - 1;
      ++Generation;
    }
    Begun.notify_all();
    f(0);
    std::unique_lock<std::mutex> lock(Mutex);
    Ended.wait(lock, [this] { return Busy == 0; });
  }

  /// One wait of one worker: first it spins, then lets others run.
  class waiting {
  public:
    explicit waiting(thread_team &team) : Team(team) {}
    bool pause() {
      if (++Polls % 64 != 0)
        return true;
      if (Team.Stalled.load(std::memory_order_relaxed))
        return false;
      std::this_thread::yield(); // On a busy machine it takes milliseconds.
      const auto now = std::chrono::steady_clock::now();
      if (Polls == 64)
        Begin = now;
      if (now - Begin > Team.Limit)
        Team.Stalled.store(true, std::memory_order_relaxed);
      return true;
    }

  private:
    thread_team &Team;
    std::uint64_t Polls = 0;
    std::chrono::steady_clock::time_point Begin;
  };
  waiting begin_wait() { return waiting(*this); }

private:
  void serve(int worker) {
    std::uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(Mutex);
    while (true) {
      Begun.wait(lock, [&] { return IsOver || Generation != seen; });
      if (IsOver)
        return;
      seen = Generation;
      lock.unlock();
      Work(worker);
      lock.lock();
      if (--Busy == 0)
        Ended.notify_one();
    }
  }

  int Size;
  std::chrono::milliseconds Limit;
  std::atomic<bool> Stalled{false};
  std::mutex Mutex;
  std::condition_variable Begun, Ended;
  std::function<void(int)> Work;
  int Busy = 0;
  std::uint64_t Generation = 0;
  bool IsOver = false;
  std::vector<std::thread> Threads;
};

/// False if the team gave up before \p ready.
template <class Team, class Ready> bool wait_until(Team &team, Ready ready) {
  auto wait = team.begin_wait();
  while (true) {
    team.step();
    if (ready())
      return true;
    if (!wait.pause())
      return false;
  }
}

/// Gives out [0, end) once, in order.
class claims {
public:
  explicit claims(index_t end, index_t block = 1) : End(end), Block(block) {}
  template <class Team> bool take(Team &team, index_t &first, index_t &last) {
    team.step();
    first = Next.fetch_add(Block, std::memory_order_relaxed);
    last = std::min(first + Block, End);
    return first < End;
  }

private:
  std::atomic<index_t> Next{0};
  index_t End, Block;
};

/// Blocks that are large where nobody waits for single iterations.
inline index_t block_of(index_t work, int workers) {
  return std::clamp<index_t>(work / (index_t(workers) * 8), 1, 4096);
}

/// `f(k)` for each k of [0, end), by all workers of a run().
template <class Team, class F> void share(Team &team, claims &work, F &&f) {
  index_t first, last;
  while (work.take(team, first, last))
    for (index_t k = first; k < last; ++k)
      f(k);
}

/// The workers of a run() meet.
class barrier {
public:
  explicit barrier(int workers) : Workers(workers) {}
  /// False if the team gave up.
  template <class Team> bool meet(Team &team) {
    team.step();
    const std::uint64_t phase = Phase.load(std::memory_order_relaxed);
    if (Arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == Workers) {
      Arrived.store(0, std::memory_order_relaxed);
      Phase.store(phase + 1, std::memory_order_release);
      return true;
    }
    return wait_until(
        team, [&] { return Phase.load(std::memory_order_acquire) != phase; });
  }

private:
  int Workers;
  std::atomic<int> Arrived{0};
  std::atomic<std::uint64_t> Phase{0};
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_CPU_TEAM_HPP
