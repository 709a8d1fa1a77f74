// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Philox4x32-10 (J. K. Salmon et al., SC 2011), a counter-based random number
/// generator: random words are a function of a counter and a key, without a
/// state that threads would have to share.
//===----------------------------------------------------------------------===//

#ifndef CELLS_PHILOX_H
#define CELLS_PHILOX_H

#include "Portable.h"

namespace cells {

struct Words {
  uint32_t x, y, z, w;
};

struct Key {
  uint32_t low, high;
};

CELLS_INLINE Key keyOf(uint64_t seed) {
  return {uint32_t(seed), uint32_t(seed >> 32)};
}

/// Returns 128 random bits for a counter and a key.
CELLS_INLINE Words philox(Words counter, Key key) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t(0xD2511F53u) * counter.x;
    uint64_t second = uint64_t(0xCD9E8D57u) * counter.z;
    counter = {uint32_t(second >> 32) ^ counter.y ^ key.low, uint32_t(second),
               uint32_t(first >> 32) ^ counter.w ^ key.high, uint32_t(first)};
    key.low += 0x9E3779B9u;
    key.high += 0xBB67AE85u;
  }
  return counter;
}

} // namespace cells

#endif // CELLS_PHILOX_H
