// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Calls that run along rows of an array: copies (CopyWalker.cpp), and
/// fragments of matrices (FragmentWalker.cpp).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ROWRUNS_H
#define CUDAOPT_LIB_MODEL_ROWRUNS_H

#include "KernelWalker.h"

namespace cudaopt {

/// The type in which bytes are counted: no valid size or offset wraps in it.
inline constexpr ValueType ByteType = {64, true};

/// A call that copies bytes.
struct CopyCall {
  const clang::CallExpr *Call;
  unsigned To = 0, From = 1; ///< Indices of the arguments.
  const clang::Expr *Bytes = nullptr;
  /// What the function may assume of both pointers, in bytes.
  unsigned Alignment = 1;
  bool IsAsynchronous = false;
  bool IsOfGroup = false; ///< True if several threads share the work.
};

/// Where in an array a run begins.
struct RunPlace {
  /// `a[i][j]`, or `a[i]` for the beginning of a row.
  const clang::Expr *Ref = nullptr;
  ArrayId Array = 0;
  const clang::DeclRefExpr *Name = nullptr;
  std::optional<RowPointer> Row;
  /// One for each dimension of the array, or of its rows if Row is set; one
  /// fewer if the call begins with the row.
  llvm::SmallVector<const clang::Expr *, 4> Subscripts;
  unsigned Alignment = 1; ///< What casts of the pointer promise, in bytes.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ROWRUNS_H
