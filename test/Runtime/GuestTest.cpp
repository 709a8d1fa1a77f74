// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The runtime in somebody else's process: exceptions, fork, memory, threads.
//===----------------------------------------------------------------------===//

#include "chain_loops.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cudaopt;
using namespace cudaopt::test;

namespace {

// AddressSanitizer takes memory for itself, and ends a program that gets none.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SKIP_WHERE_MEMORY_IS_SANITIZED                                         \
  GTEST_SKIP() << "AddressSanitizer needs memory of its own"
#endif
#endif
#ifndef SKIP_WHERE_MEMORY_IS_SANITIZED
#define SKIP_WHERE_MEMORY_IS_SANITIZED
#endif

/// What \p work prints by its exit code, in a child; 1000 + signal if it died,
/// and it dies by an alarm after a minute.
int in_child(const std::function<int()> &work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(work());
  }
  int how = 0;
  waitpid(child, &how, 0);
  return WIFEXITED(how) ? WEXITSTATUS(how) : 1000 + WTERMSIG(how);
}

/// A number of /proc/self/status, in bytes.
long long bytes_of(const char *name) {
  std::FILE *file = std::fopen("/proc/self/status", "r");
  char line[256];
  long long kb = 0;
  const std::string wanted = std::string(name) + ": %lld";
  while (file && std::fgets(line, sizeof(line), file))
    if (std::sscanf(line, wanted.c_str(), &kb) == 1)
      break;
  if (file)
    std::fclose(file);
  return kb * 1024;
}

/// x[i * 7919 % n] = x[i] + 1, or only writes, or only updates.
struct scattered {
  array<float> x;
  int kind;

  extents arrays() const { return extents_of(x); }
  index_t place(index_t i) const { return i * 7919 % x.size; }
  template <class Touch> void slice(index_t i, Touch &touch) const {
    if (kind == 0)
      touch.read(x, i);
    if (kind < 2)
      touch.write(x, place(i));
    else
      touch.update(x, place(i), plus{});
  }
  template <class Memory> void body(index_t i, Memory &memory) const {
    if (kind == 0)
      memory.store(x, place(i), memory.load(x, i) + 1);
    else if (kind == 1)
      memory.store(x, place(i), float(i));
    else
      memory.update(x, place(i), plus{}, 1.0f);
  }
};

/// Every body throws.
struct throwing_always : link_loop {
  static constexpr bool is_independent = true;
  template <class M> void body(index_t i, M &) const {
    throw std::runtime_error(std::to_string(i));
  }
};

/// There is no memory for what a slice does.
struct hungry : link_loop {
  template <class T> void slice(index_t i, T &touch) const {
    if (i == 9)
      throw std::bad_alloc();
    link_loop::slice(i, touch);
  }
};

/// How many bytes a run with \p budget takes at its peak, in MiB, rounded up;
/// 200 if the loop's result is wrong.
int peak_of(strategy s, int kind, std::size_t budget, index_t n) {
  return in_child([=] {
    std::vector<float> data(std::size_t(n), 1.0f), expected(data);
    const scattered loop{{data.data(), n}, kind};
    direct_memory memory;
    for (index_t i = 0; i < n; ++i)
      scattered{{expected.data(), n}, kind}.body(i, memory);
    options o = by(s);
    o.max_scratch_bytes = budget;
    // The peak is counted from here on.
    if (std::FILE *clear = std::fopen("/proc/self/clear_refs", "w")) {
      std::fputs("5", clear);
      std::fclose(clear);
    }
    const long long before = bytes_of("VmRSS");
    plan p;
    const status answer = run(p, loop, n, o);
    const long long peak = bytes_of("VmHWM") - before;
    if (answer == status::ok ? data != expected : data[0] != 1.0f)
      return 200;
    return int(std::min<long long>((peak + (1 << 20) - 1) >> 20, 199));
  });
}

} // namespace

// What a body throws is the caller's; no thread works on; the same plan may run
// again, with the right result.
TEST(Guest, BodiesMayThrow) {
  for (strategy s : general)
    for (int threads : {1, 2, 5})
      for (index_t bad : {0, 31, 63}) {
        links c(64);
        const throwing_loop thrower{c.loop(), bad};
        plan p;
        EXPECT_THROW((void)run(p, thrower, 64, by(s, threads)),
                     std::runtime_error)
            << name_of(s);
        EXPECT_TRUE(p.is_valid());
        c.data.assign(65, 0);
        EXPECT_EQ(execute(p, c.loop()), status::ok) << name_of(s);
        EXPECT_EQ(c.data[64], 64u) << name_of(s);
      }
}

// Every body throws, on every thread.
TEST(Guest, AllBodiesMayThrow) {
  links c(512);
  for (int again = 0; again < 20; ++again) {
    plan p;
    EXPECT_THROW(
        (void)run(p, throwing_always{c.loop()}, 512, by(strategy::doall, 4)),
        std::runtime_error);
  }
}

// What a slice throws is the caller's, too; there is no plan then. An exception
// of no memory is not taken for one of the runtime.
TEST(Guest, SlicesMayThrow) {
  for (strategy s : general) {
    if (s == strategy::sequential)
      continue; // Does not ask slices.
    links c(64);
    plan p;
    EXPECT_THROW((void)run(p, throwing_loop{c.loop(), -1, 30}, 64, by(s)),
                 std::runtime_error);
    EXPECT_THROW((void)run(p, hungry{c.loop()}, 64, by(s)), std::bad_alloc);
    if (s != strategy::reserve) { // Which asks them while it runs.
      EXPECT_FALSE(p.is_valid());
      EXPECT_EQ(c.data, std::vector<std::uint64_t>(65));
    }
    c.data.assign(65, 0);
    EXPECT_EQ(run(p, c.loop(), 64, by(s)), status::ok);
    EXPECT_EQ(c.data[64], 64u);
  }
}

// run_loop hands exceptions on as the loop itself would.
TEST(Guest, RunLoopHandsExceptionsOn) {
  links c(64);
  const loop_options wanted = loop_options().forced(strategy::tickets);
  EXPECT_THROW((void)run_loop(throwing_loop{c.loop(), 7}, 64, {}, wanted),
               std::runtime_error);
}

volatile std::uint64_t one = 1; // Nothing is known of it.

/// 127, from variables that lie in registers while a body throws.
CUDAOPT_NOINLINE std::uint64_t add_after_throw(const throwing_loop &loop,
                                               const loop_options &wanted) {
  const std::uint64_t a = one, b = one, c = one, d = one, e = one, f = one,
                      g = one;
  try {
    return run_loop(loop, 64, {}, wanted);
  } catch (const std::runtime_error &) {
    return a + 2 * b + 4 * c + 8 * d + 16 * e + 32 * f + 64 * g;
  }
}

TEST(Guest, CallersKeepTheirVariablesWhereABodyThrows) {
  links c(64);
  EXPECT_EQ(
      add_after_throw({c.loop(), 7}, loop_options().forced(strategy::tickets)),
      127u);
}

// A child of fork() has none of its parent's threads: it makes its own, also in
// the second generation, and ends without waiting for them.
TEST(Guest, ChildrenOfForkRun) {
  for (strategy s : general) {
    links c(64);
    auto p = std::make_unique<plan>();
    ASSERT_EQ(run(*p, c.loop(), 64, by(s, 4)), status::ok);
    auto works = [&] {
      return execute(*p, c.loop()) == status::ok && c.data[64] == 64 ? 7 : 1;
    };
    EXPECT_EQ(in_child(works), 7) << name_of(s);
    EXPECT_EQ(in_child([&] { return in_child(works); }), 7) << name_of(s);
    EXPECT_EQ(in_child([&] {
                works();
                p.reset();
                return 5;
              }),
              5);
    EXPECT_EQ(in_child([&] {
                p.reset(); // Without a run.
                return 6;
              }),
              6);
    EXPECT_EQ(works(), 7); // The parent's threads are as they were.
  }
}

// Where threads cannot be made the team is smaller.
TEST(Guest, RunsWithoutThreads) {
  SKIP_WHERE_MEMORY_IS_SANITIZED;
  EXPECT_EQ(in_child([] {
              // 64 MiB: the stacks of a few threads.
              const auto all = rlim_t(bytes_of("VmSize")) + (64u << 20);
              const rlimit limit{all, all};
              setrlimit(RLIMIT_AS, &limit);
              for (strategy s : general) {
                links c(64);
                plan p;
                if (run(p, c.loop(), 64, by(s, 5000)) != status::ok ||
                    c.data[64] != 64)
                  return 1;
              }
              return 7;
            }),
            7);
}

// Without memory there is a status, and run_loop runs the loop of the caller.
TEST(Guest, RunsOutOfMemory) {
  SKIP_WHERE_MEMORY_IS_SANITIZED;
  EXPECT_EQ(
      in_child([] {
        constexpr int n = 1 << 22;
        links c(n);
        c.from = c.to; // In a chain each round of reserve runs one.
        const auto all = rlim_t(bytes_of("VmSize")) + (8u << 20);
        const rlimit limit{all, all};
        setrlimit(RLIMIT_AS, &limit);
        for (strategy s : general) {
          plan p;
          const status answer = run(p, c.loop(), n, by(s));
          if (s != strategy::sequential && answer != status::out_of_memory)
            return s == strategy::reserve && answer != status::ok ? 3 : 1;
          std::fill(c.data.begin(), c.data.end(), 0);
        }
        if (run_loop(c.loop(), n, {}, loop_options().forced(strategy::tickets)))
          return 2;
        return 7;
      }),
      7);
}

// An inspection on the CPU never takes more than a tenth above its budget, and
// 64 KiB a thread; 1 MiB are for the allocator's own and the measurement.
TEST(Guest, InspectionsKeepTheBudget) {
  SKIP_WHERE_MEMORY_IS_SANITIZED;
  constexpr index_t n = 400'000;
  struct {
    strategy s;
    int kind;
  } cases[] = {{strategy::doall, 2},
               {strategy::last_writer, 1},
               {strategy::ordered_reduction, 2},
               {strategy::chains, 2},
               {strategy::levels_graph, 0},
               {strategy::paper_levels, 0},
               {strategy::owner, 0},
               {strategy::renaming, 0},
               {strategy::tickets, 0},
               {strategy::reserve, 0}};
  for (const auto &c : cases)
    for (std::size_t mib : {1, 8, 24}) {
      const int peak = peak_of(c.s, c.kind, mib << 20, n);
      EXPECT_LE(peak, int(double(mib) * 1.1 + 2 * 64.0 / 1024) + 2)
          << name_of(c.s) << " " << mib;
    }
}

// reserve needs no memory for the accesses of the smallest iteration.
TEST(Guest, RoundsWithoutMemoryForAccesses) {
  links c(300);
  for (std::size_t bytes : {4900u, 44000u, 50000u, 60000u}) {
    c.data.assign(301, 0);
    options o = by(strategy::reserve);
    o.max_scratch_bytes = bytes; // 301 locations take 4816.
    plan p;
    const status answer = run(p, c.loop(), 300, o);
    if (answer == status::out_of_memory)
      continue;
    EXPECT_EQ(answer, status::ok) << bytes;
    EXPECT_EQ(c.data[300], 300u) << bytes;
  }
  options o = by(strategy::reserve);
  o.max_scratch_bytes = 44000;
  plan p;
  EXPECT_EQ(run(p, c.loop(), 300, o), status::ok);
}
