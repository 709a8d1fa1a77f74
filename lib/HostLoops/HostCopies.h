// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Copies of host functions for the device. A loop that becomes a struct with
/// device code may call functions that only the host has; each of them is
/// copied into the struct as a static member, if its text means the same there.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_HOSTLOOPS_HOSTCOPIES_H
#define CUDAOPT_LIB_HOSTLOOPS_HOSTCOPIES_H

#include "cudaopt/HostLoops/HostLoop.h"

#include "llvm/ADT/StringSet.h"

namespace cudaopt {

/// Returns true if the text of \p Definition means the same as a static member
/// of a struct in front of the function of \p L. Whether the functions that it
/// calls can be copied is not checked.
bool canBeCopied(const clang::FunctionDecl *Definition, const HostLoop &L,
                 const clang::ASTContext &Context);

/// Returns a name that would be ambiguous in the struct of \p L: one that a
/// copied function has, or uses, and that also belongs to a member of the
/// struct (\p Members) or to another called function. std::nullopt if there is
/// none.
std::optional<llvm::StringRef>
findNameOfCopies(const HostLoop &L, const llvm::StringSet<> &Members);

} // namespace cudaopt

#endif // CUDAOPT_LIB_HOSTLOOPS_HOSTCOPIES_H
