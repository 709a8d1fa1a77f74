// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The names of files in diffs, reports and messages: relative to the current
/// folder where possible.
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

/// The same for a file that clang calls \p Name, perhaps relative to another
/// folder, and whose real path is \p RealPath ("" if that is not known).
std::string showPath(llvm::StringRef Name, llvm::StringRef RealPath);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_SHOWNPATH_H
