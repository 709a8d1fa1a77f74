// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes into the text of a template for which instances its layouts were
/// proved.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_INSTANCEASSERTION_H
#define CUDAOPT_LIB_REWRITE_INSTANCEASSERTION_H

#include "cudaopt/Model/Kernel.h"
#include "cudaopt/Source/Edits.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Adds `static_assert(N == 16 || N == 32, ...);` as the first statement of
/// each template that \p K has instances of. Fails, for the array \p Name, if
/// some instance has an argument that the text cannot name.
///
/// A condition on extents would be shorter but not enough: that subscripts stay
/// in their rows, that a discarded branch needs no edit, and which overload
/// gets an element is known for the instances of this file only.
llvm::Error assertInstances(const Kernel &K, llvm::StringRef Name,
                            const clang::ASTContext &Context, Edits &E);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_INSTANCEASSERTION_H
