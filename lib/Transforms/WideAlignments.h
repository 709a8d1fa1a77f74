// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Alignments that nobody declares, but that wide accesses rely on: an array of
/// floats that lies at byte 512 can be read as `float4`, and no longer at byte
/// 516.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_WIDEALIGNMENTS_H
#define CUDAOPT_LIB_TRANSFORMS_WIDEALIGNMENTS_H

#include "cudaopt/Model/SharedProgram.h"

namespace cudaopt {

/// By variable of \p P: the alignment that it has as declared, where that is
/// more than its type promises and accesses may need it; else 1. What is not
/// known to be accessed element by element may need it.
std::vector<unsigned> findWideAlignments(const Kernel &K,
                                         const SharedProgram &P);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_WIDEALIGNMENTS_H
