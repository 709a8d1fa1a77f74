// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Floating-point products that a kernel keeps in a shared array. A store to
/// memory rounds a product. If the array is privatized, that is, becomes a
/// local variable, the compiler may fuse the product with a sum that uses it,
/// which changes the result (docs/FloatingPoint.md). So the rewritten text must
/// round the product itself:
///
/// \verbatim
///   s[t] = a * b;            float v = __fmul_rn(a, b);
///   out[t] = s[t] + c;       out[t] = v + c;
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_STOREDPRODUCTS_H
#define CUDAOPT_ANALYSIS_STOREDPRODUCTS_H

#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

struct StoredProducts {
  /// The products, of all instances, that the new text must round by itself:
  /// `a * b`, `x *= b`, quotients by a power of two, and products of the
  /// toolkit's 16-bit types.
  llvm::SmallVector<const clang::Expr *, 2> Rounded;
  /// Why rounding them in the text is impossible or not enough, so that the
  /// array must stay in memory; std::nullopt if it may become a variable.
  std::optional<Refusal> Refused;
};

/// Finds what must be rounded by itself if \p Array becomes a variable of each
/// thread. The result is empty if the compiler's flags forbid contraction. With
/// \p Approximates, the device's compiler may turn any quotient into a product.
StoredProducts findStoredProducts(const Kernel &K, ArrayId Array,
                                  bool Approximates = false);

/// Returns why the layout and the place of \p Array must not change: a product
/// is written to it that the same thread may read again before the next
/// barrier. There the compiler may forward the stored value to the load, and
/// then fuse the product; whether it does depends on what it can prove about
/// the two addresses, which a new layout changes. std::nullopt if this cannot
/// happen. \p Approximates is that of findStoredProducts; \p IsMoved says that
/// statements are reordered, so that a write of something else may come between
/// the write and the read, or that the array shares bytes with others, so that
/// a compiler cannot remove it.
std::optional<Refusal> findForwardedProduct(const Kernel &K, ArrayId Array,
                                            bool Approximates,
                                            bool IsMoved = false);

/// Returns the name of the function that computes the product \p E rounded by
/// itself, such as "__fmul_rn"; empty if there is none.
llvm::StringRef getRoundedProduct(const clang::Expr *E);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_STOREDPRODUCTS_H
