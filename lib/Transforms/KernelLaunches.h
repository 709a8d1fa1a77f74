// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The launches of a kernel, where each can be made to ask for more memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_KERNELLAUNCHES_H
#define CUDAOPT_LIB_TRANSFORMS_KERNELLAUNCHES_H

#include "cudaopt/Transforms/Plan.h"

#include "llvm/Support/Error.h"

namespace cudaopt {

/// Returns all launches of \p K, one or more, with no bytes yet. Fails, with
/// what follows "but" in a sentence, if some other place may launch it too, or
/// if one has dynamic memory already or no room for a statement in front of it.
llvm::Expected<std::vector<DynamicLaunch>>
findEditableLaunches(const Kernel &K, clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_KERNELLAUNCHES_H
