// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Workers of one thread that take turns at random: before each access that
/// others may see any of them may go on.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TEST_RUNTIME_FIBER_TEAM_HPP
#define CUDAOPT_TEST_RUNTIME_FIBER_TEAM_HPP

#include "random_problem.hpp"

#include <csetjmp>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace cudaopt::test {

class fiber_team {
public:
  static constexpr int most_workers = 4;

  explicit fiber_team(random_engine &random) : Random(random) {
    for (fiber &f : Fibers)
      f.stack.reset(new char[stack_bytes]);
  }
  void resize(int workers) { Size = workers; }

  int size() const { return Size; }
  bool was_stalled() const { return Stalled; }
  std::uint64_t steps() const { return Steps; }

  template <class F> void run(F &&f) {
    Stalled = false;
    Pauses = 0;
    Live = 0;
    Work = [&f](int worker) { f(worker); };
    for (int worker = 0; worker < Size; ++worker) {
      Fibers[worker].has_begun = false;
      Order[Live++] = worker;
    }
    if (_setjmp(Caller) == 0)
      go_on(pick());
  }

  void step() {
    ++Steps;
    const int next = pick();
    if (next != Current && _setjmp(Fibers[Current].place) == 0)
      go_on(next);
  }

  /// Waits in vain end after so many looks of all workers together.
  static constexpr int spin_backoff = 50'000;
  class waiting {
  public:
    explicit waiting(fiber_team &team) : Team(team) {}
    bool pause() {
      Team.Stalled |= ++Team.Pauses > spin_backoff;
      return !Team.Stalled;
    }

  private:
    fiber_team &Team;
  };
  waiting begin_wait() { return waiting(*this); }

private:
  static constexpr std::size_t stack_bytes = 1 << 16;
  struct fiber {
    std::unique_ptr<char[]> stack;
    ucontext_t first; ///< Its beginning.
    jmp_buf place;    ///< Where it goes on.
    bool has_begun = false;
  };

  int pick() { return Order[Random() % std::uint64_t(Live)]; }

  void go_on(int worker) {
    Current = worker;
    fiber &f = Fibers[worker];
    if (f.has_begun)
      _longjmp(f.place, 1);
    f.has_begun = true;
    getcontext(&f.first);
    f.first.uc_stack.ss_sp = f.stack.get();
    f.first.uc_stack.ss_size = stack_bytes;
    f.first.uc_link = nullptr;
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&f.first, reinterpret_cast<void (*)()>(begin), 2,
                unsigned(self), unsigned(self >> 16 >> 16));
    setcontext(&f.first);
  }

  static void begin(unsigned low, unsigned high) {
    auto *team =
        reinterpret_cast<fiber_team *>(std::uintptr_t(high) << 16 << 16 | low);
    const int me = team->Current;
    team->Work(me);
    int *place = std::find(team->Order, team->Order + team->Live, me);
    *place = team->Order[--team->Live];
    if (team->Live == 0)
      _longjmp(team->Caller, 1);
    team->go_on(team->pick());
  }

  random_engine &Random;
  int Size = 1, Live = 0, Current = 0, Pauses = 0;
  int Order[most_workers] = {}; ///< Those who have not ended.
  bool Stalled = false;
  std::uint64_t Steps = 0;
  fiber Fibers[most_workers];
  jmp_buf Caller;
  std::function<void(int)> Work;
};

} // namespace cudaopt::test

#endif // CUDAOPT_TEST_RUNTIME_FIBER_TEAM_HPP
