// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the interpreter runs in one way of several that a GPU allows: of a
/// kernel with such an operation a run shows what it does in that way, and
/// proves nothing.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_VERIFY_UNMODELLED_H
#define CUDAOPT_LIB_VERIFY_UNMODELLED_H

#include "cudaopt/Simt/Program.h"

#include <string>

namespace cudaopt {

/// Returns the first such operation of \p P, "a memory fence at a.cu:7:3", or
/// nothing.
std::string findUnmodelled(const simt::Program &P);

} // namespace cudaopt

#endif // CUDAOPT_LIB_VERIFY_UNMODELLED_H
