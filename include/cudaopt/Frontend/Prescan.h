// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Spares a launched compiler the parse of sources in which no pass can find
/// anything.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_PRESCAN_H
#define CUDAOPT_FRONTEND_PRESCAN_H

#include "cudaopt/Frontend/LaunchedCompile.h"
#include "cudaopt/Frontend/Options.h"

namespace cudaopt {

/// False if \p Text alone, without its headers, has nothing for a pass to work
/// on.
bool mayHoldKernels(llvm::StringRef Text, const Options &Opts);

/// False if neither the source nor a header of it that may change has a shared
/// array or a marked loop. Fails if the source cannot be read.
llvm::Expected<bool> mayHoldKernels(const LaunchedCompile &Compile,
                                    const Options &Opts);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_PRESCAN_H
