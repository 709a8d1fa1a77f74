// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares the results of pairs of kernels, an original and a rewritten one,
/// on the same input. The header that runs them (cuda_shim.h on the host,
/// gpu_pairs.cuh on a GPU) defines make_pair; a program defines shim::pairs.
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

/// The number of launches so far, and of their threads.
inline std::uint64_t launches = 0, threads = 0;

/// The output of a kernel; bytes that it did not write keep a pattern.
using memory = std::vector<unsigned char>;
inline constexpr unsigned char unwritten = 0xa5;

/// The order in which threads run, where there is a choice: ascending;
/// ascending with threads that leave before others last; descending.
enum class order { forwards, late, backwards };

struct pair {
  unsigned long long number;
  std::function<memory(order)> original, rewritten;
};
extern const pair pairs[]; ///< The last one is empty.

/// The input of a kernel, which depends only on its number.
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
      // Floating-point values with random bits in the whole mantissa.
      if constexpr (V(0.5) != V(0))
        value = V(double(std::int64_t(random() >> 10)) / (1ll << 51) - 4);
      else
        value = V(random() >> 40);
  }
};

/// The totals of all pairs, in memory that children share.
struct totals {
  std::uint64_t next, pairs, different, unordered, crashed, launches, threads;
  std::uint64_t broken; ///< Originals that crash by themselves.
  bool is_in_original;  ///< An original runs at the moment.
  std::uint64_t late;   ///< Pairs in which threads that leave may run late.
  std::uint64_t sum;    ///< FNV-1a hash of the originals' results.
};

inline void add_to_sum(std::uint64_t &sum, const memory &bytes) {
  for (unsigned char byte : bytes)
    sum = (sum ^ byte) * 0x100000001b3;
}

inline bool tell_difference(const pair &p, const memory &before,
                            const memory &after, const char *when) {
  if (before == after)
    return false;
  std::size_t at = 0;
  while (after[at] == before[at])
    ++at;
  std::printf("different: kernel %llu, byte %zu of the output%s\n", p.number,
              at, when);
  return true;
}

/// Compares a pair. An original whose result depends on the order of threads
/// has a race, and nothing can be said about its rewrite. If the result changes
/// only when leaving threads are late, threads write outputs, or memory that
/// others read, on their way out; then the late order is not compared.
inline void compare(const pair &p, totals &t) {
  t.is_in_original = true;
  const memory before = p.original(order::forwards);
  const bool may_be_late = p.original(order::late) == before;
  const bool is_ordered = p.original(order::backwards) == before;
  t.is_in_original = false;
  add_to_sum(t.sum, before);
  ++t.pairs;
  t.late += may_be_late;
  if (!is_ordered) {
    ++t.unordered;
    std::printf("unordered: kernel %llu\n", p.number);
    return;
  }
  const memory after = p.rewritten(order::forwards);
  const memory after_late = p.rewritten(order::late);
  const memory after_backwards = p.rewritten(order::backwards);
  t.different += tell_difference(p, before, after, "") ||
                 tell_difference(p, before, after_backwards,
                                 ", threads in reverse order") ||
                 (may_be_late && tell_difference(p, before, after_late,
                                                 ", leaving threads last"));
}

/// Ends the process if one pair uses a minute of CPU time.
inline void limit_time() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const rlim_t seconds = used.ru_utime.tv_sec + used.ru_stime.tv_sec;
  const rlimit limit{seconds + 60, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &limit);
}

/// Runs all pairs in children, one after the other: each child begins behind
/// the pair that ended the previous one.
inline int run_all() {
  void *shared = mmap(nullptr, sizeof(totals), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  totals &t = *new (shared) totals();
  t.sum = 0xcbf29ce484222325;
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
      ++(t.is_in_original ? t.broken : t.crashed);
      std::printf("%s: kernel %llu\n", t.is_in_original ? "broken" : "crashed",
                  pairs[t.next].number);
      ++t.next;
    }
  }
  std::printf("pairs %llu, different %llu, unordered %llu, crashed %llu, "
              "broken %llu, launches %llu, late %llu, sum %016llx\n",
              (unsigned long long)t.pairs, (unsigned long long)t.different,
              (unsigned long long)t.unordered, (unsigned long long)t.crashed,
              (unsigned long long)t.broken, (unsigned long long)t.launches,
              (unsigned long long)t.late, (unsigned long long)t.sum);
  return t.different || t.crashed ? 1 : 0;
}

} // namespace shim

#endif // CUDAOPT_SHIM_PAIRS_H
