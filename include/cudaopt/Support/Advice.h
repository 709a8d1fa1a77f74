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
  llvm::StringRef Text; ///< A sentence or two.
  /// Lines of source and commands, marked as those of before ("- "), of after
  /// ("+ ") or of both ("  "); may be empty.
  llvm::StringRef Example;
};

/// Returns what to do about the reason that reports call \p Id; empty if that
/// is no reason.
Advice getAdvice(llvm::StringRef Id);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_ADVICE_H
