// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Names of the struct of a loop that the text of the loop must not mean
/// otherwise.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZENAMES_H
#define CUDAOPT_LIB_REWRITE_LEVELIZENAMES_H

#include "LevelizeTemplate.h"
#include "cudaopt/Transforms/Levelize.h"

namespace cudaopt {

/// Calls the members of \p L's struct that have names of the runtime's
/// otherwise.
void renameMembers(HostLoop &L, const clang::ASTContext &Context);

/// Why the text of \p L would not mean the same in a struct with the parameters
/// of \p Template: it uses one of the struct's names, or a macro has it.
Blocker findNameBlocker(const HostLoop &L, const LevelizeTemplate &Template,
                        const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZENAMES_H
