// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
    // Of a short word little is left after two changes.
    if (Distance < Least && Distance < Each.size()) {
      Least = Distance;
      Best = Each;
    }
  }
  return Best.empty() ? "" : ("; did you mean '" + Best + "'?").str();
}
