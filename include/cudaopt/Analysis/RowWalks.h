// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Loops in which each thread walks a row of its own in global memory: from one
/// iteration to the next, the thread goes on by one element, while the threads
/// beside it are somewhere else.
///
/// \verbatim
///   for (int c = 0; c < n; ++c)
///     sum += a[r * n + c] * x[c];   a: a walk along row r; x: the same element
///                                   for all threads
/// \endverbatim
///
/// The threads of a warp may read such rows for each other, ahead of the
/// iterations that need the elements, if
///
///   - each iteration reads its element, and all threads of the warp that come
///     to the loop execute the same iterations: then no element is read that
///     the loop does not read itself;
///   - the loop does nothing but compute, load and store, so that nothing in it
///     orders its loads behind what other threads write: a thread that wrote
///     the element between the early and the original read would race with the
///     latter;
///   - no store of the loop changes the row. Where only addresses can tell, the
///     store is listed, to be compared when the kernel runs.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_ROWWALKS_H
#define CUDAOPT_ANALYSIS_ROWWALKS_H

#include "cudaopt/Support/Reason.h"

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <optional>
#include <vector>

namespace cudaopt {

/// A load of one scalar element in each iteration of a walk.
struct RowLoad {
  /// The element as the text names it, `a[r * n + c]`: it means the same at the
  /// beginning of the loop, with the first column in place of the counter.
  const clang::Expr *Element = nullptr;
  unsigned Row = 0;   ///< The number of the row: several loads may read one.
  unsigned Width = 0; ///< In bytes.
  /// True if a subscript of 32 bits without sign may wrap around in the middle
  /// of the row.
  bool MayWrap = false;
};

/// A loop `for (c = First; c < End; ++c)`, executed alike by all threads of a
/// warp that come to it, in which each thread walks rows.
struct RowWalk {
  const clang::ForStmt *Loop = nullptr;
  const clang::VarDecl *Counter = nullptr;
  const clang::Expr *First = nullptr;
  const clang::Expr *End = nullptr;
  bool IncludesEnd = false; ///< True for `c <= End`.
  std::vector<RowLoad> Loads;
  unsigned NumRows = 0; ///< That Loads read.
  /// What the loop stores to and that may be a part of a row. Its address grows
  /// by the same amount in each iteration, so that those of the first and of
  /// the last one tell where all of them are.
  std::vector<const clang::Expr *> Stores;
  /// Why the threads must not read rows for each other; std::nullopt if they
  /// may.
  std::optional<Refusal> Refused;
};

/// Returns the walks of \p F, a kernel, inner loops first. Only loads are
/// considered for which \p IsWanted holds. \p Threads is the shape of the block
/// in x, y, z; 0 where it is not known.
std::vector<RowWalk>
findRowWalks(const clang::FunctionDecl *F,
             const std::array<uint32_t, 3> &Threads,
             llvm::function_ref<bool(const clang::Expr &)> IsWanted);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_ROWWALKS_H
