// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs of this folder share: arguments, times, and a hash that
// shows whether two results are equal bit by bit.

#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// The number that the given argument is, or a default if there are fewer.
inline int argument(int argc, char **argv, int number, int otherwise) {
  return number < argc ? std::atoi(argv[number]) : otherwise;
}

class Watch {
public:
  // On stderr: results are the same in every run, times are not.
  void tell(const char *what) const {
    const std::chrono::duration<double, std::milli> past =
        std::chrono::steady_clock::now() - Begin;
    std::fprintf(stderr, "%s: %.3f ms\n", what, past.count());
  }

private:
  std::chrono::steady_clock::time_point Begin =
      std::chrono::steady_clock::now();
};

// Prints a number that depends on every bit of the elements (FNV-1a).
template <class T> void printBits(const char *name, const std::vector<T> &v) {
  std::uint64_t hash = 1469598103934665603u;
  for (const T &value : v) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (unsigned char b : bytes)
      hash = (hash ^ b) * 1099511628211u;
  }
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

#endif
