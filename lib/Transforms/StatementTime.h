// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// When a thread makes an access, compared with others of the same statement.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_STATEMENTTIME_H
#define CUDAOPT_LIB_TRANSFORMS_STATEMENTTIME_H

#include "cudaopt/Model/Kernel.h"

#include <optional>

namespace cudaopt {

struct TimeEntry {
  unsigned Position = 0;                     ///< In a sequence.
  std::optional<LoopId> Loop = std::nullopt; ///< Its iterator stands instead.
};
/// Of two accesses of one thread, that with the lexicographically smaller time
/// comes first. Of equal times nothing is known.
using StatementTime = llvm::SmallVector<TimeEntry, 8>;

/// The time of \p A, which is part of \p Root; nothing if that is not one
/// sequence.
std::optional<StatementTime> findStatementTime(const clang::Stmt *Root,
                                               const Access &A,
                                               const KernelInstance &I);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_STATEMENTTIME_H
