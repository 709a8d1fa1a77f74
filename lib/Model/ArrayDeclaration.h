// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a declaration says of an array: its name, elements and extents.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ARRAYDECLARATION_H
#define CUDAOPT_LIB_MODEL_ARRAYDECLARATION_H

#include "cudaopt/Model/Kernel.h"

namespace cudaopt {

/// Returns the array of \p K that stands for \p Var, or for the variable of
/// another instance at the same place; a new one if there is none. A pointer
/// stands for an array of unknown size.
ArrayId findOrAddArray(Kernel &K, const clang::VarDecl *Var);

/// Returns the shape of \p Var; no extents if the type does not tell its size.
ArrayShape getDeclaredShape(const clang::VarDecl *Var);

/// True if no GPU has so much shared memory, by far.
bool exceedsMemory(const ArrayShape &Shape);

/// Gives an array whose type does not tell its size that of \p Bytes bytes.
void setSize(ArrayShape &Shape, const clang::VarDecl *Var, uint64_t Bytes);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ARRAYDECLARATION_H
