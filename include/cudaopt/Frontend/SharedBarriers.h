// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lets clang compile `__shared__ cuda::barrier` as nvcc does: nobody destroys
/// a shared variable, so that what its destructor does is no reason to refuse
/// it. Clang asks for an empty one.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_SHAREDBARRIERS_H
#define CUDAOPT_FRONTEND_SHAREDBARRIERS_H

#include "clang/AST/ASTConsumer.h"
#include <memory>

namespace cudaopt {

/// A consumer that hands all to \p Next. While declarations are parsed, the
/// destructors of barriers, and of classes that hold some, are called trivial;
/// \p Next sees them as they are.
std::unique_ptr<clang::ASTConsumer>
acceptSharedBarriers(std::unique_ptr<clang::ASTConsumer> Next);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_SHAREDBARRIERS_H
