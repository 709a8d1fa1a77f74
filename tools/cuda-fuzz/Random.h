// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Random choices that are the same on every platform, which the distributions
/// of the standard library do not guarantee.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_RANDOM_H
#define CUDAOPT_FUZZ_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace cudaopt::fuzz {

/// A stream of random choices.
class Random {
public:
  /// Each pair of numbers has a stream of its own.
  Random(uint64_t Seed, uint64_t Number) : Engine(mix(mix(Seed) ^ Number)) {}

  /// Returns a number in [0, Limit). Its bias is negligible, since the engine
  /// delivers 64 bits.
  unsigned below(unsigned Limit) { return unsigned(Engine() % Limit); }
  unsigned between(unsigned First, unsigned Last) {
    return First + below(Last - First + 1);
  }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  template <class T> T pick(std::initializer_list<T> Choices) {
    return Choices.begin()[below(unsigned(Choices.size()))];
  }
  template <class T> const T &pick(const std::vector<T> &Choices) {
    return Choices[below(unsigned(Choices.size()))];
  }

private:
  /// SplitMix64, which gives neighbouring seeds unrelated engines.
  static uint64_t mix(uint64_t X) {
    X += 0x9e3779b97f4a7c15;
    X = (X ^ X >> 30) * 0xbf58476d1ce4e5b9;
    X = (X ^ X >> 27) * 0x94d049bb133111eb;
    return X ^ X >> 31;
  }
  std::mt19937_64 Engine;
};

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_RANDOM_H
