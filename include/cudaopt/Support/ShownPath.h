// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// How a file is named for the user.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_SHOWNPATH_H
#define CUDAOPT_SUPPORT_SHOWNPATH_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudaopt {

/// Returns \p Path relative to the folder in which the tool runs if it lies
/// there, so that diffs apply and reports are the same on other machines; else
/// \p Path itself.
std::string showPath(llvm::StringRef Path);

/// The same of a file that clang calls \p Name, perhaps from another folder,
/// and whose real path is \p RealPath.
std::string showPath(llvm::StringRef Name, llvm::StringRef RealPath);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_SHOWNPATH_H
