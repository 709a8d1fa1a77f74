// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// `__managed__` variables. Clang ignores the attribute in CUDA, so that a
/// header makes the word mean a device variable with an annotation. The
/// simulator then keeps the bytes of such a variable in the host's shadow
/// variable, where both sides see them.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_MANAGEDVARIABLES_H
#define CUDASIM_MANAGEDVARIABLES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace llvm {
class Module;
} // namespace llvm

namespace cudaopt::cudasim {

/// Returns the path and the text of the header, which every CUDA file includes
/// first.
llvm::StringRef getManagedHeaderPath();
llvm::StringRef getManagedHeaderText();

/// Returns the names of the annotated variables of \p M, and removes the
/// annotations.
llvm::StringSet<> takeManagedVariables(llvm::Module &M);

} // namespace cudaopt::cudasim

#endif // CUDASIM_MANAGEDVARIABLES_H
