// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the author of the source can do about a reason.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_ADVICE_H
#define CUDAOPT_SUPPORT_ADVICE_H

#include "llvm/ADT/StringRef.h"

namespace cudaopt {

struct Advice {
  llvm::StringRef Text;    ///< A sentence or two.
  llvm::StringRef Example; ///< Source or a command; may be empty.
};

/// Returns what to do about the reason that reports call \p Id; empty if the
/// reason's own text says it.
Advice getAdvice(llvm::StringRef Id);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_ADVICE_H
