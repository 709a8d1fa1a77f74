// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Support/ShownPath.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

/// True if \p Path lies in \p Folder; then it is named from there on.
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
  // The shell may name a folder by a link to it.
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
