// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Operations for which a GPU allows several behaviours and the interpreter has
/// one. If a kernel has such an operation, a run shows what the kernel does
/// under that behaviour, and proves nothing about the others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_EQUIVALENCE_UNMODELLED_H
#define CUDAOPT_LIB_EQUIVALENCE_UNMODELLED_H

#include "cudaopt/Simt/Program.h"

#include <string>

namespace cudaopt {

/// Returns the first such operation of \p P with its position, "a memory fence
/// at a.cu:7:3"; an empty string if there is none.
std::string findUnmodelled(const simt::Program &P);

} // namespace cudaopt

#endif // CUDAOPT_LIB_EQUIVALENCE_UNMODELLED_H
