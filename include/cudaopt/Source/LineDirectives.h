// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes an edited text with `#line` directives, so that a compiler's messages
/// name the lines of the original.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SOURCE_LINEDIRECTIVES_H
#define CUDAOPT_SOURCE_LINEDIRECTIVES_H

#include "cudaopt/Source/Edits.h"

namespace cudaopt {

/// Applies \p Edits to \p Before, and writes `#line` at the beginning and
/// behind each line that an edit left with more or fewer lines, as soon as a
/// directive may stand there. \p Path is the name in the directives. The
/// directive at the beginning is left out if \p HasOtherName is false: the text
/// is then in a file of that name. Without edits, returns \p Before.
std::string applyWithLineDirectives(llvm::StringRef Path,
                                    llvm::StringRef Before,
                                    const FileEdits &Edits,
                                    bool HasOtherName = true);

} // namespace cudaopt

#endif // CUDAOPT_SOURCE_LINEDIRECTIVES_H
