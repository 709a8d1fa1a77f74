// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Floating-point products that a kernel keeps in a shared array. Where the
/// array becomes a variable, nothing but the text keeps a product that it held
/// from being rounded together with a sum that uses it (docs/FloatingPoint.md).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_STOREDPRODUCTS_H
#define CUDAOPT_ANALYSIS_STOREDPRODUCTS_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

struct StoredProducts {
  /// In all instances; `a * b`, `x *= b`, quotients by a power of two, and
  /// products of types that are not built in.
  llvm::SmallVector<const clang::Expr *, 2> Rounded;
  /// Why no text keeps the products from sums; None if one does.
  Blocker WhyNot;
};

/// Finds what must be rounded by itself if \p Array becomes a variable of each
/// thread. Nothing if the flags keep products and sums apart. With
/// \p Approximates, quotients may be products.
StoredProducts findStoredProducts(const Kernel &K, ArrayId Array,
                                  bool Approximates = false);

/// Why \p Array must be stored as it is: a product is written to it that the
/// same thread may read again before a barrier, and only what compilers know of
/// places decides whether they see that. None if that does not happen. If it
/// \p IsMoved, other statements may come between the two.
Blocker findForwardedProduct(const Kernel &K, ArrayId Array,
                             bool IsMoved = false);

/// The function that rounds product \p E by itself: "__fmul_rn"; empty if there
/// is none.
llvm::StringRef getRoundedProduct(const clang::Expr *E);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_STOREDPRODUCTS_H
