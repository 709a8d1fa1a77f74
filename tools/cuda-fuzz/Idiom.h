// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Small pieces of CUDA as programmers write it, by name: see Idioms.def.
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

/// What is written follows from the seed and from the kernel around it.
struct Idiom {
  IdiomKind Kind;
  uint64_t Seed = 0;
};

/// Behind the Last idiom of a kernel stands no other: threads have left. One
/// that is Alone makes the tool keep the whole kernel.
enum class IdiomPlace : uint8_t { Anywhere, Last, Alone };
/// The interpreter runs all idioms.
enum class IdiomJudge : uint8_t {
  Anyone,
  Device, ///< Not the shim: asynchronous copies, assembly.
  Clang,  ///< Not nvcc, which lacks vectors of GNU C, and moves what is aligned
          ///< by chance where it removes arrays in front.
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
