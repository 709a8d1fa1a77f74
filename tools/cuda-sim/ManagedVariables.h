// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// `__managed__` variables. Clang ignores the attribute in CUDA, so the word is
/// made to mean a device variable with an annotation; the simulator keeps the
/// bytes of such a variable in the host's shadow of it.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_MANAGEDVARIABLES_H
#define CUDASIM_MANAGEDVARIABLES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace llvm {
class Module;
} // namespace llvm

namespace cudaopt::cudasim {

/// A header that every CUDA file includes first, and its name.
llvm::StringRef getManagedHeaderPath();
llvm::StringRef getManagedHeaderText();

/// Returns the names of the annotated variables of \p M, and removes the
/// annotations.
llvm::StringSet<> takeManagedVariables(llvm::Module &M);

} // namespace cudaopt::cudasim

#endif // CUDASIM_MANAGEDVARIABLES_H
