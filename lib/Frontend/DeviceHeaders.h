// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Headers with device code that are called headers of the system (-isystem, as
/// build systems say it of libraries). What functions of the toolkit do is
/// known, and they are not looked into; those of other headers must be.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_DEVICEHEADERS_H
#define CUDAOPT_LIB_FRONTEND_DEVICEHEADERS_H

#include "llvm/ADT/StringRef.h"
#include <memory>

namespace clang {
class PPCallbacks;
class Preprocessor;
} // namespace clang

namespace cudaopt {

/// True for files of the toolkit and of C++ by their names: wherever they lie,
/// such folders hold them.
bool hasToolkitName(llvm::StringRef Path);

bool hasDeviceCode(llvm::StringRef Text);

/// Makes headers of the system headers of the user while \p PP reads them, from
/// the first one on that has device code and is not one of the toolkit.
std::unique_ptr<clang::PPCallbacks>
createDeviceHeaderOpener(clang::Preprocessor &PP);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_DEVICEHEADERS_H
