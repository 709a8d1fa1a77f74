// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which functions of the host can be copied into the struct of a loop, so that
/// the device has them, too.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_HOSTCOPIES_H
#define CUDAOPT_LIB_MODEL_HOSTCOPIES_H

#include "cudaopt/Model/HostLoop.h"

#include "llvm/ADT/StringSet.h"

namespace cudaopt {

/// True if the text of \p Definition means the same as a static member of a
/// struct in front of the function of \p L. Whether what it calls can be copied
/// is another question.
bool canBeCopied(const clang::FunctionDecl *Definition, const HostLoop &L,
                 const clang::ASTContext &Context);

/// A name that a copied function has, or uses, and that something else of the
/// struct has, too: \p Members or another function that is called.
std::optional<llvm::StringRef>
findNameOfCopies(const HostLoop &L, const llvm::StringSet<> &Members);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_HOSTCOPIES_H
