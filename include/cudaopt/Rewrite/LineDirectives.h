// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Text for a compiler whose messages shall name the original's lines.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REWRITE_LINEDIRECTIVES_H
#define CUDAOPT_REWRITE_LINEDIRECTIVES_H

#include "cudaopt/Rewrite/Edits.h"

namespace cudaopt {

/// Applies \p Edits to \p Before, with `#line` at the beginning and behind each
/// line that an edit left with more or fewer lines, where a directive may stand
/// there. \p Path is what the directives name; a text that is not in a file of
/// another name needs none at its beginning. Without edits: \p Before.
std::string applyWithLineDirectives(llvm::StringRef Path,
                                    llvm::StringRef Before,
                                    const FileEdits &Edits,
                                    bool HasOtherName = true);

} // namespace cudaopt

#endif // CUDAOPT_REWRITE_LINEDIRECTIVES_H
