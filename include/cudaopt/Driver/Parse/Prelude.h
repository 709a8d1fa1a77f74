// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The prelude: a header with the declarations that nvcc provides before the
/// first line of a program and that clang's wrapper of the toolkit's headers
/// lacks. It exists only in memory; the tool maps it into the file system that
/// clang sees.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PARSE_PRELUDE_H
#define CUDAOPT_DRIVER_PARSE_PRELUDE_H

#include "llvm/ADT/StringRef.h"

namespace cudaopt {

/// Returns the path under which the prelude is included.
llvm::StringRef getPreludePath();
llvm::StringRef getPreludeText();

/// Returns the name of clang's header that implements texture reads, and the
/// text that replaces it. The header takes a third of the parse of an empty
/// file; a parse without code generation needs only the declarations, which are
/// in the toolkit.
llvm::StringRef getTextureHeader();
llvm::StringRef getTextureText();

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PARSE_PRELUDE_H
