// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Calls that go through rows of an array: copies, and fragments of matrices.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ROWRUNS_H
#define CUDAOPT_LIB_MODEL_ROWRUNS_H

#include "KernelWalker.h"

namespace cudaopt {

/// Bytes are counted in a type that no valid size or place wraps in.
inline constexpr ValueType ByteType = {64, true};

/// A call that copies.
struct CopyCall {
  const clang::CallExpr *Call;
  unsigned To = 0, From = 1; ///< Numbers of the arguments.
  const clang::Expr *Bytes = nullptr;
  unsigned Alignment = 1; ///< What the function may take the places to have.
  bool IsAsynchronous = false;
  bool IsOfGroup = false; ///< Several threads share the work.
};

/// Where in an array a call begins.
struct RunPlace {
  const clang::Expr *Ref = nullptr; ///< `a[i][j]`, or `a[i]`.
  ArrayId Array = 0;
  const clang::DeclRefExpr *Name = nullptr;
  std::optional<RowPointer> Row;
  /// As many as the array, or its rows, have dimensions; one fewer if the call
  /// begins with the row.
  llvm::SmallVector<const clang::Expr *, 4> Subscripts;
  unsigned Alignment = 1; ///< That casts of the pointer promise.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ROWRUNS_H
