// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads what a declaration says of an array: its name, elements and extents.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ARRAYDECLARATION_H
#define CUDAOPT_LIB_MODEL_ARRAYDECLARATION_H

#include "cudaopt/Model/Kernel.h"

namespace cudaopt {

/// Returns the array of \p K that stands for \p Var, or for the variable of
/// another instance at the same place; adds one if there is none. A pointer
/// stands for an array of unknown size.
ArrayId findOrAddArray(Kernel &K, const clang::VarDecl *Var);

/// Returns the shape of \p Var; without extents if the type does not tell its
/// size.
ArrayShape getDeclaredShape(const clang::VarDecl *Var);

/// Gives an array without a size that of the launch. An array whose last row is
/// not whole keeps an unknown size: a permutation of columns might leave the
/// memory there is.
void setDynamicSize(ArrayShape &Shape, const clang::VarDecl *Var,
                    uint64_t Bytes);

/// Returns true for more than 1 MiB, which no GPU has as shared memory of a
/// block.
bool exceedsMemory(const ArrayShape &Shape);

/// Sets the outermost extent of an array whose type does not tell its size, so
/// that it has \p Bytes bytes (rounded down to whole elements or rows).
void setSize(ArrayShape &Shape, const clang::VarDecl *Var, uint64_t Bytes);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ARRAYDECLARATION_H
