// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which part of a host loop's body decides what elements of conflict arrays it
/// accesses, and which loops need no such question.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_LOOPSLICE_H
#define CUDAOPT_ANALYSIS_LOOPSLICE_H

#include "cudaopt/Model/HostLoop.h"
#include "cudaopt/Support/Isl.h"

namespace cudaopt {

/// The backward closure of a loop's subscripts and guards.
struct LoopSlice {
  /// Variables of the iteration whose values are part of it.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Needed;
  /// It reads elements of conflict arrays.
  bool IsSelfIndexing = false;
  /// These elements of conflict arrays.
  llvm::SmallPtrSet<const clang::Expr *, 4> Reads;

  /// True if \p S has a place in the slice of \p L: it accesses a conflict
  /// array, gives a needed variable its value, or jumps.
  bool contains(const HostLoop &L, const clang::Stmt *S) const;
};

LoopSlice computeSlice(const HostLoop &L);

/// The slice is evaluated before anything of its iteration is written. Returns
/// an element that it reads and that the iteration may have written before;
/// null if there is none.
const HostAccess *findOwnWrite(const HostLoop &L, const LoopSlice &Slice,
                               const clang::ASTContext &Context);

/// True if it is proved that no iteration writes an element of \p Array that
/// another one accesses:
///
///   { [i, j] : i, j in the domain, i != j, W(i) meets (R u W)(j) } is empty
bool isIndependent(const HostLoop &L, HostArrayId Array,
                   const clang::ASTContext &Context, const IslContext &Isl);

/// The number of elements, as text, of an array that each iteration accesses at
/// its own number plus a constant: what is accessed exists. Nothing for others.
std::optional<std::string> inferExtent(const HostLoop &L, HostArrayId Array,
                                       const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_LOOPSLICE_H
