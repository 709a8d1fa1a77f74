// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Name conflicts between the struct of a host loop and the loop's text, which
/// is copied into it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZENAMES_H
#define CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZENAMES_H

#include "LevelizeTemplate.h"
#include "cudaopt/Plan/LoopDecision.h"

namespace cudaopt {

/// Renames the members of \p L's struct whose names the runtime uses itself.
void renameMembers(HostLoop &L, const clang::ASTContext &Context);

/// Returns why the text of \p L would mean something else in a struct with the
/// parameters of \p Template: it uses a name of the struct, or a macro has one
/// of these. std::nullopt if it would not.
std::optional<Refusal> findNameRefusal(const HostLoop &L,
                                       const LevelizeTemplate &Template,
                                       const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZENAMES_H
