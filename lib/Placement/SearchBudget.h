// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The effort that a search may still spend. It is counted in steps instead of
/// timed, so that the result is the same on a slow machine, on a busy one, and
/// in a process that was suspended.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PLACEMENT_SEARCHBUDGET_H
#define CUDAOPT_LIB_PLACEMENT_SEARCHBUDGET_H

#include <algorithm>
#include <cstdint>

namespace cudaopt {

class SearchBudget {
public:
  explicit SearchBudget(uint64_t Steps) : Left(Steps) {}

  /// Takes \p Steps from the budget. Returns false if it had fewer; then
  /// nothing is left.
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
