// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A quick textual scan that spares a launched compiler the parse of sources in
/// which no pass can find anything.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_SCAN_PRESCAN_H
#define CUDAOPT_DRIVER_SCAN_PRESCAN_H

#include "cudaopt/Driver/Command/Options.h"
#include "cudaopt/Driver/Launcher/LaunchedCompile.h"

namespace cudaopt {

/// Returns false if \p Text alone, without its headers, contains nothing that a
/// pass could work on: neither `__shared__` nor a marked loop.
bool mayHoldKernels(llvm::StringRef Text, const Options &Opts);

/// Returns false if neither the source nor a header that may change contains a
/// shared array or a marked loop. Fails if the source cannot be read.
llvm::Expected<bool> mayHoldKernels(const LaunchedCompile &Compile,
                                    const Options &Opts);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_SCAN_PRESCAN_H
