// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parts of `extern __shared__` arrays that local pointers name:
///
/// \verbatim
///   extern __shared__ float s[];       | a      | b           | c         |
///   float *a = s, *b = s + 64;         0        256           1280        end
///   double *c = (double *)&b[256];     bytes of s
/// \endverbatim
///
/// A part reaches to the next one. It may have a layout of its own if every
/// access through a name of s is proved to stay inside the part that it names:
/// then nobody sees where the elements of a part are.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ARRAYPARTS_H
#define CUDAOPT_LIB_MODEL_ARRAYPARTS_H

#include "BoundKernel.h"

#include "llvm/ADT/DenseMap.h"

namespace cudaopt {

/// An address inside of an array, as its text says it: the sum of the base's
/// and of all Index * Scale.
struct PartAddress {
  struct Step {
    const clang::Expr *Index;
    int64_t Scale; ///< Bytes.
  };
  const clang::DeclRefExpr *Base; ///< An array or a pointer.
  llvm::SmallVector<Step, 2> Steps;
};

/// Returns the address that the local pointer \p Var is initialised with;
/// nothing if the initialiser is no such sum.
std::optional<PartAddress> findPartAddress(const clang::VarDecl *Var,
                                           const clang::ASTContext &Context);

/// Adds the parts of \p Whole, an `extern` array whose size \p Instance knows,
/// to \p K and to \p Arrays; \p Whole itself ends where the first part begins
/// that does not begin with it.
void addParts(Kernel &K, KernelInstance &Instance, BoundKernel &Code,
              const clang::VarDecl *Whole,
              llvm::DenseMap<const clang::VarDecl *, ArrayId> &Arrays);

/// Makes the accesses to a whole array those to the part that it begins with,
/// and blocks parts that overlap.
void assignAccessesToParts(Kernel &K, KernelInstance &Instance);

/// Blocks the parts that some access is not proved to stay inside of.
void blockLeftParts(Kernel &K, const KernelInstance &Instance);

/// What blocks an array that has parts, or one of them, blocks all of them.
void spreadPartBlockers(Kernel &K);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ARRAYPARTS_H
