// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The workers of the CPU that execute one loop together, and how they share
/// work and wait for each other.
///
/// The algorithms are templates over a team, so that tests can run them under
/// interleavings of their choice. A team has
///
///   int size() const;
///   template <class F> void run(F &&f);  // f(worker) at the same time for all
///   void step();         // before each access that other workers may see
///   waiting begin_wait();   // has `bool pause()`; false: give up waiting
///   bool was_stalled() const;   // somebody gave up or threw in the last run
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_CPU_TEAM_HPP
#define CUDAOPT_LEVELIZE_DETAIL_CPU_TEAM_HPP

#include "cudaopt/levelize/config.hpp"
#include "cudaopt/levelize/detail/cpu/crew.hpp"
#include "cudaopt/levelize/detail/support/exceptions.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <type_traits>

namespace cudaopt::detail::cpu {

/// The number of threads that the machine runs at a time. Kept, as asking the
/// system takes long.
inline int count_cores() {
  static const int cores =
      std::max(1, int(std::thread::hardware_concurrency()));
  return cores;
}

/// The team of real threads. The calling thread of run() is worker 0.
class thread_team {
public:
  /// \p size 0 is as many as the machine has. Where threads cannot be made the
  /// team is smaller; the caller's thread is always there.
  thread_team(int size, unsigned stall_ms) : limit_(stall_ms) {
    wanted_ = size > 0 ? size : count_cores();
    start();
  }
  ~thread_team() {
    if (crew_ && !crew_->is_of_this_process())
      (void)crew_.release();
  }
  thread_team(const thread_team &) = delete;
  thread_team &operator=(const thread_team &) = delete;

  /// To be called before size() and run(): gives a child of fork() threads of
  /// its own. The crew of its parent, whose threads it does not have, is
  /// leaked, a few hundred bytes.
  void prepare() {
    if (!crew_ || crew_->is_of_this_process())
      return;
    (void)crew_.release();
    start();
  }
  int size() const { return size_; }
  bool was_stalled() const {
    return ending_.load(std::memory_order_relaxed) != goes_on;
  }
  void step() {}

  /// Lets all workers call \p f(worker) at the same time, and returns when all
  /// have ended. Rethrows what \p f threw, the first if there are several.
  template <class F> void run(F &&f) {
    ending_.store(goes_on, std::memory_order_relaxed);
    active_.store(size_, std::memory_order_relaxed);
    if (size_ == 1)
      return f(0);
    using function = std::remove_reference_t<F>;
    task<function> one{this, &f};
    crew_->run(task<function>::run, &one);
    one.call(0);
    crew_->wait();
    thrown_.rethrow();
  }

  /// One wait of one worker: first it spins, then lets others run. The team
  /// gives up when all workers that have not ended have waited for the limit
  /// and none has gone on meanwhile: however long a body takes, its worker does
  /// not wait.
  class waiting {
  public:
    explicit waiting(thread_team &team) : team_(team) {}
    waiting(const waiting &) = delete;
    waiting &operator=(const waiting &) = delete;
    ~waiting() {
      if (polls_ < spin_polls)
        return;
      team_.waiting_.fetch_sub(1, std::memory_order_relaxed);
      team_.moves_.fetch_add(1, std::memory_order_relaxed);
    }
    bool pause() {
      if (++polls_ % spin_polls != 0)
        return true;
      if (polls_ == spin_polls)
        team_.waiting_.fetch_add(1, std::memory_order_relaxed);
      if (team_.was_stalled())
        return false;
      std::this_thread::yield(); // On a busy machine it takes milliseconds.
      look();
      return true;
    }

  private:
    using clock = std::chrono::steady_clock;
    static constexpr std::uint64_t spin_polls = 64;
    /// A longer time between two looks counts as this: the process may have
    /// been stopped meanwhile.
    static constexpr std::chrono::milliseconds longest_step{10};

    void look() {
      const auto now = clock::now();
      const std::uint64_t moves = team_.moves_.load(std::memory_order_relaxed);
      const bool all_wait = team_.waiting_.load(std::memory_order_relaxed) >=
                            team_.active_.load(std::memory_order_relaxed);
      if (polls_ == spin_polls || moves != seen_ || !all_wait)
        waited_ = {};
      else
        waited_ += std::min<clock::duration>(now - last_, longest_step);
      seen_ = moves;
      last_ = now;
      if (waited_ > team_.limit_)
        team_.end(stalled);
    }

    thread_team &team_;
    std::uint64_t polls_ = 0, seen_ = 0;
    clock::time_point last_;
    clock::duration waited_{};
  };
  waiting begin_wait() { return waiting(*this); }

private:
  /// How a run ended. All but goes_on make waits give up.
  enum ending { goes_on, stalled, threw };

  /// What the threads of the crew get of one run().
  template <class F> struct task {
    thread_team *team;
    F *work;

    static void run(void *self, int worker) {
      static_cast<task *>(self)->call(worker);
    }
    void call(int worker) {
      if (!team->thrown_.call([&] { (*work)(worker); }))
        team->end(threw);
      team->active_.fetch_sub(1, std::memory_order_relaxed);
      team->moves_.fetch_add(1, std::memory_order_relaxed);
    }
  };

  void end(ending how) {
    int before = goes_on;
    ending_.compare_exchange_strong(before, how, std::memory_order_relaxed);
  }
  void start() {
    size_ = 1;
    if (wanted_ > 1)
      crew_.reset(new (std::nothrow) crew);
    if (!crew_)
      return;
    crew_->start(wanted_ - 1);
    size_ += crew_->size();
    if (size_ == 1)
      crew_.reset();
  }

  int wanted_, size_ = 1;
  std::chrono::milliseconds limit_;
  std::atomic<int> ending_{goes_on};
  std::atomic<int> active_{0};  ///< Workers of this run that have not ended.
  std::atomic<int> waiting_{0}; ///< Workers among them that wait for long.
  std::atomic<std::uint64_t> moves_{0}; ///< Ends of long waits and of workers.
  carried_exception thrown_;
  std::unique_ptr<crew> crew_;
};

/// Waits until \p ready() returns true. Returns false if the team gave up
/// before.
template <class Team, class Ready> bool wait_until(Team &team, Ready ready) {
  team.step();
  if (ready()) // The usual case, which needs no clock.
    return true;
  auto wait = team.begin_wait();
  while (wait.pause()) {
    team.step();
    if (ready())
      return true;
  }
  return false;
}

/// Gives out the numbers [0, end) once, in order and in blocks, until some
/// worker gives up.
class claims {
public:
  explicit claims(index_t end, index_t block = 1) : end_(end), block_(block) {}
  template <class Team> bool take(Team &team, index_t &first, index_t &last) {
    team.step();
    if (team.was_stalled())
      return false;
    first = next_.fetch_add(block_, std::memory_order_relaxed);
    last = std::min(first + block_, end_);
    return first < end_;
  }

private:
  std::atomic<index_t> next_{0};
  index_t end_, block_;
};

/// The size of blocks for \p work items that do not wait for each other: large,
/// but at least eight blocks for each worker.
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

/// A barrier: each worker of a run() waits until all have called meet().
class barrier {
public:
  explicit barrier(int workers) : workers_(workers) {}
  /// Returns false if the team gave up.
  template <class Team> bool meet(Team &team) {
    team.step();
    const std::uint64_t phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == workers_) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
      return true;
    }
    return wait_until(
        team, [&] { return phase_.load(std::memory_order_acquire) != phase; });
  }

private:
  int workers_;
  std::atomic<int> arrived_{0};
  std::atomic<std::uint64_t> phase_{0};
};

} // namespace cudaopt::detail::cpu

#endif // CUDAOPT_LEVELIZE_DETAIL_CPU_TEAM_HPP
