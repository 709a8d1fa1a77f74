// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a host loop computes in floating point, and whether the device and the
/// compilers that run it give it the bits of the loop (docs/FloatingPoint.md).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_ANALYSIS_LOOPROUNDING_H
#define CUDAOPT_ANALYSIS_LOOPROUNDING_H

#include "cudaopt/Model/FloatingPoint.h"
#include "cudaopt/Model/HostLoop.h"

#include "llvm/ADT/SmallSet.h"

namespace cudaopt {

struct LoopRounding {
  /// The operators of products, and of quotients that compilers make products
  /// of, whose values may get to a sum: on the device each of them must be
  /// rounded by itself.
  llvm::SmallSet<clang::SourceLocation, 4> Products;
  /// A compiler with fused operations may use them in the loop as it stands.
  bool MeetsSums = false;
  Blocker WhyNot; ///< Why the loop stays sequential; None if it need not.

  bool isRounded(const clang::BinaryOperator *E) const {
    return E->isMultiplicativeOp() || E->isCompoundAssignmentOp()
               ? Products.contains(E->getOperatorLoc())
               : false;
  }
};

/// \p L is understood. Nothing is to be done where its mark says that values
/// may differ.
LoopRounding findLoopRounding(const HostLoop &L,
                              const clang::ASTContext &Context,
                              const FloatingPoint &Floats);

/// True if \p E is a quotient that is a product for compilers: its divisor is a
/// power of two that they know.
bool isProductLike(const clang::BinaryOperator *E,
                   const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_ANALYSIS_LOOPROUNDING_H
