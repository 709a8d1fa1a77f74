// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The time of an access within a statement: a schedule in the sense of the
/// polyhedral model, which orders the accesses that a thread makes in one
/// execution of the statement.
///
/// \verbatim
///   for (k) {          time of a[k]: (1, k, 1, 0, 0)
///     x += a[k];
///     b[k] = x;        time of b[k]: (1, k, 1, 1, 1)
///   }
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_ORDER_STATEMENTTIME_H
#define CUDAOPT_LIB_PASSES_ORDER_STATEMENTTIME_H

#include "cudaopt/Model/Kernel.h"

#include <optional>

namespace cudaopt {

/// An entry of a time: a position in a sequence of statements, or the iterator
/// of a loop.
struct TimeEntry {
  unsigned Position = 0;
  std::optional<LoopId> Loop = std::nullopt; ///< If set, its iterator counts.
};
/// Of two accesses of one thread, the one with the lexicographically smaller
/// time comes first. Nothing is known about the order at equal times.
using StatementTime = llvm::SmallVector<TimeEntry, 8>;

/// Returns the time of \p A in \p Root; std::nullopt if Root does not contain
/// it, or has control flow that is not understood.
std::optional<StatementTime> findStatementTime(const clang::Stmt *Root,
                                               const Access &A,
                                               const KernelInstance &I);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_ORDER_STATEMENTTIME_H
