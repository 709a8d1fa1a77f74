// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Another order of a kernel's statements, in which its `__shared__` variables
/// live shorter. It comes before the passes: these see the new text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_REORDER_H
#define CUDAOPT_TRANSFORMS_REORDER_H

#include "cudaopt/Transforms/Plan.h"

namespace cudaopt {

/// The order that suits all instances of \p K, or why it keeps its own.
OrderDecision planOrder(const Kernel &K);

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_REORDER_H
