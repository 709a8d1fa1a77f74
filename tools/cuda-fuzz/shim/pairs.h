// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares what pairs of kernels leave, an original and a rewritten one, on the
/// same input. What runs them (cuda_shim.h on the host, gpu_pairs.cuh on a device)
/// has make_pair; a program defines shim::pairs.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SHIM_PAIRS_H
#define CUDAOPT_SHIM_PAIRS_H

#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace shim {

/// Of launches so far, the number and the threads.
inline std::uint64_t launches = 0, threads = 0;

/// What a kernel left; bytes that it did not write have a pattern.
using memory = std::vector<unsigned char>;
inline constexpr unsigned char unwritten = 0xa5;

/// Each kernel runs twice: the second time in another order of threads, where
/// there is a choice.
struct pair {
  unsigned long long number;
  std::function<memory(bool is_second)> original, rewritten;
};
extern const pair pairs[]; ///< The last one is empty.

/// The input of a kernel.
template <class T> struct arguments {
  explicit arguments(unsigned long long number) {
    std::mt19937_64 random(number);
    fill(in, random);
    fill(flags, random);
    for (int &flag : flags)
      flag >>= 8;
  }
  std::vector<T> in = std::vector<T>(1 << 14);
  std::vector<int> flags = std::vector<int>(64);

private:
  template <class V>
  static void fill(std::vector<V> &values, std::mt19937_64 &random) {
    for (V &value : values)
      if constexpr (V(0.5) != V(0)) // All bits of the mantissa.
        value = V(double(std::int64_t(random() >> 10)) / (1ll << 51) - 4);
      else
        value = V(random() >> 40);
  }
};

/// Of all pairs; in memory that children share.
struct totals {
  std::uint64_t next, pairs, different, unordered, crashed, launches, threads;
  std::uint64_t sum; ///< FNV-1a of what the originals left.
};

inline void add_to_sum(std::uint64_t &sum, const memory &bytes) {
  for (unsigned char byte : bytes)
    sum = (sum ^ byte) * 0x100000001b3;
}

/// An original that leaves something else the second time has a race, and
/// nothing can be said.
inline void compare(const pair &p, totals &t) {
  const memory before = p.original(false), after = p.rewritten(false);
  const memory before2 = p.original(true), after2 = p.rewritten(true);
  add_to_sum(t.sum, before);
  ++t.pairs;
  if (before != before2) {
    ++t.unordered;
    std::printf("unordered: kernel %llu\n", p.number);
    return;
  }
  for (const memory *found : {&after, &after2}) {
    if (*found == before)
      continue;
    std::size_t at = 0;
    while ((*found)[at] == before[at])
      ++at;
    ++t.different;
    std::printf("different: kernel %llu, byte %zu of the output%s\n", p.number,
                at, found == &after ? "" : ", in the second run");
    return;
  }
}

/// Ends the process if one pair takes a minute of a processor.
inline void limit_time() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const rlim_t seconds = used.ru_utime.tv_sec + used.ru_stime.tv_sec;
  const rlimit limit{seconds + 60, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &limit);
}

/// One child after the other: each begins behind the pair that ended the last.
inline int run_all() {
  void *shared = mmap(nullptr, sizeof(totals), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  totals &t = *new (shared) totals{0, 0, 0, 0, 0, 0, 0, 0xcbf29ce484222325};
  while (pairs[t.next].original) {
    std::fflush(stdout);
    if (pid_t child = fork(); child == 0) {
      while (pairs[t.next].original) {
        limit_time();
        compare(pairs[t.next], t);
        t.launches = launches;
        t.threads = threads;
        ++t.next;
      }
      std::fflush(stdout);
      _exit(0);
    } else {
      int status = 0;
      waitpid(child, &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        break;
      ++t.crashed;
      std::printf("crashed: kernel %llu\n", pairs[t.next].number);
      ++t.next;
    }
  }
  std::printf("pairs %llu, different %llu, unordered %llu, crashed %llu, "
              "launches %llu, sum %016llx\n",
              (unsigned long long)t.pairs, (unsigned long long)t.different,
              (unsigned long long)t.unordered, (unsigned long long)t.crashed,
              (unsigned long long)t.launches, (unsigned long long)t.sum);
  return t.different || t.crashed ? 1 : 0;
}

} // namespace shim

#endif // CUDAOPT_SHIM_PAIRS_H
