// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Advice to the author of the source: what to change so that a reason
/// (Reasons.def) for not transforming something goes away.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_ADVICE_H
#define CUDAOPT_SUPPORT_ADVICE_H

#include "llvm/ADT/StringRef.h"

namespace cudaopt {

/// A row of Advice.def.
struct Advice {
  llvm::StringRef Text; ///< A sentence or two.
  /// An example of source lines and commands, as in a diff: each line begins
  /// with "- " if it is to be removed, with "+ " if it is to be added, else
  /// with two blanks. May be empty.
  llvm::StringRef Example;
};

/// Returns the advice for the reason with the identifier \p Id (getReasonId());
/// empty if there is no such reason.
Advice getAdvice(llvm::StringRef Id);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_ADVICE_H
