// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which assignments hide all earlier ones of their variable.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ASSIGNEDREGIONS_H
#define CUDAOPT_LIB_MODEL_ASSIGNEDREGIONS_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

/// For a reference to a variable the regions of this variable around it, from
/// the outside in, if there are any. A region is a statement that assigns to
/// the variable and whatever comes after it in its block, or in the `for` that
/// it begins; it is named by that statement. No way leads into it but over the
/// assignment:
///
/// \verbatim
///   for (i = threadIdx.x; i < n; i += 32)   region 1
///     ... i ...                               |
///   for (i = 1; i < n; i *= 2)              region 2
///     ... i ...                               |
///   ... i ...                               none
/// \endverbatim
llvm::DenseMap<const clang::DeclRefExpr *,
               llvm::SmallVector<const clang::Stmt *, 2>>
findAssignedRegions(const clang::Stmt *Body);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ASSIGNEDREGIONS_H
