// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which uses of addresses of shared variables are understood. The address
/// escapes by all others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ADDRESSESCAPES_H
#define CUDAOPT_LIB_MODEL_ADDRESSESCAPES_H

#include "PointerTargets.h"

namespace cudaopt {

/// Pins each variable whose address escapes in the function of \p Frame, of
/// which Targets are known.
///
/// An address is held by objects whose type says so (a pointer, a reference, a
/// record or array of such), and these are only read and assigned with that
/// type: then Targets name all that may lead to it. Any expression or statement
/// that is not known to respect this lets the address escape, with all that it
/// mentions.
void pinEscapes(const SharedVariables &Shared, const PointerTargets &Pointers,
                const CallFrame &Frame);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ADDRESSESCAPES_H
