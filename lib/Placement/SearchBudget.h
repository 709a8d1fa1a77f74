// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How much a search may still do. It is counted, not timed: the result is the
/// same on a slow machine, on a busy one, and in a process that was stopped.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_SEARCHBUDGET_H
#define CUDAOPT_LIB_PLACEMENT_SEARCHBUDGET_H

#include <algorithm>
#include <cstdint>

namespace cudaopt {

class SearchBudget {
public:
  explicit SearchBudget(uint64_t Steps) : Left(Steps) {}

  /// False if that is more than what is left; then nothing is left.
  bool spend(uint64_t Steps) {
    const bool IsEnough = Steps <= Left;
    Left -= std::min(Steps, Left);
    return IsEnough;
  }

private:
  uint64_t Left;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_PLACEMENT_SEARCHBUDGET_H
