// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What nvcc declares before the first line of a program and clang's wrapper of
/// the toolkit's headers does not. It exists in memory only: the tool maps it
/// into the file system that clang sees.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_PRELUDE_H
#define CUDAOPT_FRONTEND_PRELUDE_H

#include "llvm/ADT/StringRef.h"

namespace cudaopt {

/// The name under which the prelude is included.
llvm::StringRef getPreludePath();
llvm::StringRef getPreludeText();

/// The header of clang that implements reads of textures, and a text in its
/// place: it takes a third of the parse of an empty file, but who only parses
/// needs no more than the declarations, which the toolkit has.
llvm::StringRef getTextureHeader();
llvm::StringRef getTextureText();

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_PRELUDE_H
