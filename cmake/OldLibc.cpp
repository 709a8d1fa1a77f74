// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What LLVM's archives take from a glibc newer than 2.35, so that a program
/// that is built with it runs where it is older.
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <cstdint>
#include <exception>
#include <sys/random.h>

/// Since 2.36. LLVM makes names of temporary files of it.
extern "C" uint32_t arc4random() noexcept {
  uint32_t Bits;
  while (getrandom(&Bits, sizeof(Bits), 0) != sizeof(Bits))
    if (errno != EINTR)
      std::terminate(); // As glibc's does.
  return Bits;
}
