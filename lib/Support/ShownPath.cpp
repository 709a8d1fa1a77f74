// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes paths relative to the current folder.
//===----------------------------------------------------------------------===//

#include "cudaopt/Support/ShownPath.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

/// If \p Path lies in \p Folder, removes the folder from it and returns true.
static bool consumeFolder(StringRef &Path, StringRef Folder) {
  StringRef Rest = Path;
  if (!Rest.consume_front(Folder) || !Rest.consume_front("/") || Rest.empty())
    return false;
  Path = Rest;
  return true;
}

std::string cudaopt::showPath(StringRef Path) {
  SmallString<128> Clean(Path), Here, RealHere;
  sys::path::remove_dots(Clean); // git takes no "./a.cu".
  if (Clean.empty() || sys::fs::current_path(Here))
    return Path.str();
  StringRef Shown = Clean;
  // The current folder may have been entered through a symbolic link.
  if (sys::path::is_absolute(Clean) && !consumeFolder(Shown, Here) &&
      !sys::fs::real_path(Here, RealHere))
    consumeFolder(Shown, RealHere);
  return Shown.str();
}

std::string cudaopt::showPath(StringRef Name, StringRef RealPath) {
  if (sys::path::is_absolute(Name))
    return showPath(Name);
  const bool IsFromHere = RealPath.empty() || Name == RealPath ||
                          sys::fs::equivalent(Name, RealPath);
  return showPath(IsFromHere ? Name : RealPath);
}
