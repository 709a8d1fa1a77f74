// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lets clang compile `__shared__ cuda::barrier` as nvcc does. Clang demands an
/// empty destructor for shared variables and rejects the barrier's; nvcc
/// accepts it, since nothing ever destroys a shared variable.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PARSE_SHAREDBARRIERS_H
#define CUDAOPT_DRIVER_PARSE_SHAREDBARRIERS_H

#include "clang/AST/ASTConsumer.h"
#include <memory>

namespace cudaopt {

/// Returns a consumer that forwards everything to \p Next. While declarations
/// are parsed, the destructors of barriers, and of classes that hold barriers,
/// are marked as trivial; \p Next sees them unmarked.
std::unique_ptr<clang::ASTConsumer>
acceptSharedBarriers(std::unique_ptr<clang::ASTConsumer> Next);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PARSE_SHAREDBARRIERS_H
