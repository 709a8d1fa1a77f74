// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The names and properties of idioms, small pieces of CUDA as programmers
/// write it (Idioms.def).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_IDIOM_H
#define CUDAOPT_FUZZ_IDIOM_H

#include <bitset>
#include <cstdint>

namespace cudaopt::fuzz {

enum class IdiomKind : uint8_t {
#define IDIOM(NAME, WORD, WEIGHT, PLACE, JUDGE) NAME,
#include "Idioms.def"
};

/// An idiom in a kernel. Its text depends on the seed and on the kernel.
struct Idiom {
  IdiomKind Kind;
  uint64_t Seed = 0;
};

/// Where an idiom may stand. After a Last idiom no other follows, because
/// threads have left the kernel. An Alone idiom makes cuda-opt leave the whole
/// kernel unchanged.
enum class IdiomPlace : uint8_t { Anywhere, Last, Alone };
/// Who can run an idiom; the interpreter runs all of them.
enum class IdiomJudge : uint8_t {
  Anyone,
  Device, ///< Not the shim: asynchronous copies, assembly.
  /// Not nvcc, which lacks the vectors of GNU C, and which moves an array that
  /// is aligned only by chance when it removes arrays in front of it.
  Clang,
  Interpreter,
};

inline constexpr const char *IdiomNames[] = {
#define IDIOM(NAME, WORD, WEIGHT, PLACE, JUDGE) WORD,
#include "Idioms.def"
};
inline constexpr unsigned IdiomWeights[] = {
#define IDIOM(NAME, WORD, WEIGHT, PLACE, JUDGE) WEIGHT,
#include "Idioms.def"
};
inline constexpr IdiomPlace IdiomPlaces[] = {
#define IDIOM(NAME, WORD, WEIGHT, PLACE, JUDGE) IdiomPlace::PLACE,
#include "Idioms.def"
};
inline constexpr IdiomJudge IdiomJudges[] = {
#define IDIOM(NAME, WORD, WEIGHT, PLACE, JUDGE) IdiomJudge::JUDGE,
#include "Idioms.def"
};
inline constexpr unsigned NumIdioms =
    sizeof(IdiomWeights) / sizeof(IdiomWeights[0]);

using IdiomSet = std::bitset<NumIdioms>;

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_IDIOM_H
