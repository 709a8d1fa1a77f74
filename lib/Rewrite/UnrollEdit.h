// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Keeps loops unrolled although their subscripts get longer.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_UNROLLEDIT_H
#define CUDAOPT_LIB_REWRITE_UNROLLEDIT_H

#include "TextEdits.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Adds `#pragma unroll` to the loops around accesses to \p Array that the
/// compiler unrolls as they stand, but might not any more when each access
/// takes some more instructions. Of a bitonic sort of 1024 keys, nvcc 13.0
/// unrolls all 55 steps, and with a swizzle in their subscripts none, which
/// costs more than the swizzle saves. These are nests with 16 to 64 iterations
/// in total, whose bounds are constants once the outer loop is unrolled.
llvm::Error keepUnrolled(const Kernel &K, ArrayId Array,
                         const clang::ASTContext &Context, TextEdits &Own);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_UNROLLEDIT_H
