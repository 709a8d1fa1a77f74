// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Suggests corrections for misspelt words, such as options.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_SPELLING_H
#define CUDAOPT_SUPPORT_SPELLING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudaopt {

/// Returns "; did you mean 'off'?" with the word of \p Known that is most
/// similar to \p Word, ignoring case; "" if none is within two edits.
std::string suggestSpelling(llvm::StringRef Word,
                            llvm::ArrayRef<llvm::StringRef> Known);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_SPELLING_H
