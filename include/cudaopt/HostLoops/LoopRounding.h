// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether a host loop that is moved to the device still computes the same bits
/// (docs/FloatingPoint.md).
///
/// The danger is contraction: a compiler may compute `a * b + c` with one fused
/// multiply-add, which rounds once instead of twice. The host's and the
/// device's compiler choose differently. So wherever a product may reach a sum,
/// the device code has to round the product by itself (`__dmul_rn(a, b)`), and
/// the host's compiler must not have fused it:
///
/// \verbatim
///   float p = a[i] * b[i];        Products: the `*`, since p reaches the sum
///   x[i] = p + c[i];              MeetsSums
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_HOSTLOOPS_LOOPROUNDING_H
#define CUDAOPT_HOSTLOOPS_LOOPROUNDING_H

#include "cudaopt/HostLoops/HostLoop.h"
#include "cudaopt/Source/FloatingPoint.h"

#include "llvm/ADT/SmallSet.h"

namespace cudaopt {

struct LoopRounding {
  /// The operators of the products whose values may reach a sum, and of the
  /// quotients that compilers turn into products: on the device each of them
  /// must be rounded by itself.
  llvm::SmallSet<clang::SourceLocation, 4> Products;
  /// True if the host's compiler may use fused operations in the loop as it
  /// stands, so that its result depends on that compiler.
  bool MeetsSums = false;
  /// Why the loop must stay sequential: its bits cannot be reproduced on the
  /// device. std::nullopt if they can.
  std::optional<Refusal> Refused;

  /// Returns true if \p E must be rounded by itself on the device.
  bool isRounded(const clang::BinaryOperator *E) const {
    return E->isMultiplicativeOp() || E->isCompoundAssignmentOp()
               ? Products.contains(E->getOperatorLoc())
               : false;
  }
};

/// Analyses \p L, which must be understood (HostLoop::isUnderstood). The result
/// is empty if the loop's mark allows values to differ.
LoopRounding findLoopRounding(const HostLoop &L,
                              const clang::ASTContext &Context,
                              const FloatingPoint &Floats);

/// Returns true if \p E is a quotient that compilers turn into a product: its
/// divisor is a constant with an exact inverse, that is, a power of two.
bool isProductLike(const clang::BinaryOperator *E,
                   const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_HOSTLOOPS_LOOPROUNDING_H
