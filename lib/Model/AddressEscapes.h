// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Which uses of the address of a shared variable are understood. By any other
/// use the address escapes, and the variable is pinned: it may not share its
/// bytes with others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_ADDRESSESCAPES_H
#define CUDAOPT_LIB_MODEL_ADDRESSESCAPES_H

#include "PointerTargets.h"

namespace cudaopt {

/// Pins each variable whose address escapes in the function of \p Frame, whose
/// Targets are known already.
///
/// An address is held by objects whose type says so (a pointer, a reference, a
/// record or array of such). As long as these are only read and assigned with
/// that type, Targets name all objects that may lead to the variable. Any
/// expression or statement that is not known to respect this lets the address
/// escape, with all that it mentions.
void pinEscapes(const SharedVariables &Shared, const PointerTargets &Pointers,
                const CallFrame &Frame);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_ADDRESSESCAPES_H
