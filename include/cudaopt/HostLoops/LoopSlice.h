// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The slice of a host loop, and proofs about its accesses. The slice is the
/// part of the body that determines which elements of conflict arrays an
/// iteration accesses; an inspector executes it, before the loop, to find the
/// dependences between iterations:
///
/// \verbatim
///   for (int i = 0; i < n; ++i) {
///     int k = idx[i];              in the slice: k is part of a subscript
///     double v = f(w[i]);          not in the slice
///     x[k] += v;                   x is the conflict array
///   }
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_HOSTLOOPS_LOOPSLICE_H
#define CUDAOPT_HOSTLOOPS_LOOPSLICE_H

#include "cudaopt/HostLoops/HostLoop.h"
#include "cudaopt/Support/Isl.h"

namespace cudaopt {

/// The backward slice of the subscripts of conflict arrays and of the guards
/// around these accesses.
struct LoopSlice {
  /// The iteration's private variables whose values belong to the slice.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Needed;
  /// True if the slice itself reads elements of conflict arrays (`x[x[i]]`):
  /// earlier iterations then determine what later ones access.
  bool IsSelfIndexing = false;
  /// The elements of conflict arrays that the slice reads.
  llvm::SmallPtrSet<const clang::Expr *, 4> Reads;

  /// Returns true if \p S belongs to the slice of \p L: it, or a part of it,
  /// accesses a conflict array, defines a needed variable, or is a break or
  /// continue.
  bool contains(const HostLoop &L, const clang::Stmt *S) const;
};

/// Computes the slice of \p L.
LoopSlice computeSlice(const HostLoop &L);

/// Checks that the slice can be evaluated at the start of its iteration, before
/// the iteration writes anything. Returns an element that the slice reads and
/// that the same iteration may have written before that read; null if there is
/// none.
const HostAccess *findOwnWrite(const HostLoop &L, const LoopSlice &Slice,
                               const clang::ASTContext &Context);

/// Returns true if it is proved that no iteration of \p L writes an element of
/// \p Array that another iteration accesses:
///
///   { [i, j] : i, j in the domain, i != j, W(i) meets (R u W)(j) } is empty
bool isIndependent(const HostLoop &L, HostArrayId Array,
                   const clang::ASTContext &Context, const IslContext &Isl);

/// Returns a source expression for the number of elements of an array that each
/// iteration accesses at its own number plus a constant: the elements that are
/// accessed must exist. std::nullopt for other arrays.
std::optional<std::string> inferExtent(const HostLoop &L, HostArrayId Array,
                                       const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_HOSTLOOPS_LOOPSLICE_H
