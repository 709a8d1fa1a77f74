// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the author of a kernel can do where cuda-opt did nothing.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_REMEDY_H
#define CUDAOPT_SUPPORT_REMEDY_H

#include "cudaopt/Support/Reason.h"

namespace cudaopt {

/// Returns a sentence or two; nothing if the reason's own text says it, or if
/// nothing can be done.
llvm::StringRef getRemedy(Reason R);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_REMEDY_H
