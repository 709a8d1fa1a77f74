// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The names of the features that random kernels may have beyond loops,
/// subscripts and barriers.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_FEATURE_H
#define CUDAOPT_FUZZ_FEATURE_H

#include <bitset>
#include <cstdint>

namespace cudaopt::fuzz {

enum class Feature : uint8_t {
#define FEATURE(NAME, WORD, PERCENT) NAME,
#include "Features.def"
};

inline constexpr const char *FeatureNames[] = {
#define FEATURE(NAME, WORD, PERCENT) WORD,
#include "Features.def"
};
inline constexpr unsigned FeaturePercents[] = {
#define FEATURE(NAME, WORD, PERCENT) PERCENT,
#include "Features.def"
};
inline constexpr unsigned NumFeatures =
    sizeof(FeaturePercents) / sizeof(FeaturePercents[0]);

using FeatureSet = std::bitset<NumFeatures>;

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_FEATURE_H
