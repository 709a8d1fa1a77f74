// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Treats certain system headers as the user's. Build systems pass a library's
/// headers by -isystem, also when they contain kernels. The passes know what
/// the toolkit's functions do and do not look into them; device functions of
/// other libraries must be analysed like the user's own.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PARSE_DEVICEHEADERS_H
#define CUDAOPT_LIB_DRIVER_PARSE_DEVICEHEADERS_H

#include "llvm/ADT/StringRef.h"
#include <memory>

namespace clang {
class PPCallbacks;
class Preprocessor;
} // namespace clang

namespace cudaopt {

/// Returns true if \p Path has a component that only the toolkit's or the C++
/// library's headers have, wherever they are installed ("cub", "thrust",
/// "c++").
bool hasToolkitName(llvm::StringRef Path);

bool hasDeviceCode(llvm::StringRef Text);

/// Returns callbacks that, while \p PP reads, turn system headers into user
/// headers, beginning with the first one that contains device code and is not
/// the toolkit's.
std::unique_ptr<clang::PPCallbacks>
createDeviceHeaderOpener(clang::Preprocessor &PP);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PARSE_DEVICEHEADERS_H
