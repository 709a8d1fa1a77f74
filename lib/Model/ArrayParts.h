// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Sub-arrays of `extern __shared__` arrays, which local pointers name:
///
///     extern __shared__ float s[];       | a      | b           | c         |
///     float *a = s, *b = s + 64;         0        256           1280 end
///     double *c = (double *)&b[256];     bytes of s
///
/// A sub-array reaches to the next one. It may have a layout of its own if
/// every access through a name of s is proved to stay inside the sub-array that
/// it names: then no access can observe where the elements of another sub-array
/// are.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ARRAYPARTS_H
#define CUDAOPT_LIB_MODEL_ARRAYPARTS_H

#include "BoundKernel.h"

#include "llvm/ADT/DenseMap.h"

namespace cudaopt {

/// An address inside an array as the source spells it: the address of Base plus
/// the sum of all Index * Scale.
struct PartAddress {
  struct Step {
    const clang::Expr *Index;
    int64_t Scale; ///< In bytes.
  };
  const clang::DeclRefExpr *Base; ///< Names an array or a pointer.
  llvm::SmallVector<Step, 2> Steps;
};

/// Returns the address that the local pointer \p Var is initialised with;
/// std::nullopt if the initialiser is not such a sum.
std::optional<PartAddress> findPartAddress(const clang::VarDecl *Var,
                                           const clang::ASTContext &Context);

/// Adds the sub-arrays of \p Whole, an `extern` array whose size \p Instance
/// knows, to \p K and to \p Arrays. \p Whole itself is cut to end where the
/// first sub-array begins that does not start at its first byte.
void addParts(Kernel &K, KernelInstance &Instance, BoundKernel &Code,
              const clang::VarDecl *Whole,
              llvm::DenseMap<const clang::VarDecl *, ArrayId> &Arrays);

/// Turns accesses through the name of a whole array into accesses to the
/// sub-array at its beginning, and blocks sub-arrays that overlap.
void assignAccessesToParts(Kernel &K, KernelInstance &Instance);

/// Blocks the sub-arrays that some access is not proved to stay inside of.
void blockLeftParts(Kernel &K, const KernelInstance &Instance);

/// A refusal of an array that has sub-arrays, or of one of them, becomes one of
/// all of them.
void spreadPartRefusals(Kernel &K);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ARRAYPARTS_H
