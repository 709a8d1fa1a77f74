// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the most similar word by the edit distance.
//===----------------------------------------------------------------------===//

#include "cudaopt/Support/Spelling.h"

using namespace llvm;

std::string cudaopt::suggestSpelling(StringRef Word,
                                     ArrayRef<StringRef> Known) {
  constexpr unsigned MaxDistance = 2;
  StringRef Best;
  unsigned Least = MaxDistance + 1;
  for (StringRef Each : Known) {
    const unsigned Distance =
        Word.edit_distance_insensitive(Each, true, MaxDistance);
    // A word must keep some of its letters: with two changes, any word of two
    // letters is any other.
    if (Distance < Least && Distance < Each.size()) {
      Least = Distance;
      Best = Each;
    }
  }
  return Best.empty() ? "" : ("; did you mean '" + Best + "'?").str();
}
