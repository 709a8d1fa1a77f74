// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a misspelt word was meant to be.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_SPELLING_H
#define CUDAOPT_SUPPORT_SPELLING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudaopt {

/// Returns "; did you mean 'off'?" if one of \p Known is spelt like \p Word,
/// and nothing else.
std::string suggestSpelling(llvm::StringRef Word,
                            llvm::ArrayRef<llvm::StringRef> Known);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_SPELLING_H
