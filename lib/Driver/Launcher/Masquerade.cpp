// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the real nvcc behind a link to cuda-opt. The search must never return
/// another link to us, or to a ccache link that would find ours again, because
/// the processes would start each other for ever.
//===----------------------------------------------------------------------===//

#include "Masquerade.h"
#include "cudaopt/Driver/Launcher/LaunchedCompile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace cudaopt;
using namespace llvm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The environment variable that counts how many processes of this program
/// started each other.
static constexpr char NestingVariable[] = "CUDAOPT_NESTING";
/// More than any chain of wrappers that ends.
static constexpr unsigned MaxNesting = 8;

bool cudaopt::isMasquerade(StringRef Path) {
  SmallString<128> Real;
  if (fs::real_path(Path, Real))
    return false;
  const StringRef Name = path::filename(Real);
  if (Name == "cuda-opt" || Name == "cuda-opt-nvcc")
    return true;
  const std::string Self = fs::getMainExecutable(
      "", reinterpret_cast<void *>(reinterpret_cast<intptr_t>(&isMasquerade)));
  return fs::equivalent(Real, Self);
}

/// Returns the executable nvcc in \p Folder if it is no link to us; otherwise
/// an empty string.
static std::string nvccIn(const Twine &Folder) {
  SmallString<128> Path;
  Folder.toVector(Path);
  path::append(Path, "nvcc");
  return fs::can_execute(Path) && !isMasquerade(Path) ? Path.str().str() : "";
}

/// Returns the ccache, or similar program, to which the link \p Nvcc leads; an
/// empty string if it leads to none.
static std::string findCache(StringRef Nvcc) {
  SmallString<128> Real;
  if (fs::real_path(Nvcc, Real) || !isCacheName(Real))
    return "";
  return Real.str().str();
}

/// Returns every nvcc in PATH that is no link to us; if PATH contains the
/// folder \p Own, only those behind it.
static std::vector<std::string> listInPath(StringRef Own) {
  const std::string Path = sys::Process::GetEnv("PATH").value_or("");
  SmallVector<StringRef, 16> Folders;
  StringRef(Path).split(Folders, sys::EnvPathSeparator, -1,
                        /*KeepEmpty=*/false);
  const auto *Behind = find_if(Folders, [&](StringRef Folder) {
    return !Own.empty() && fs::equivalent(Folder, Own);
  });
  Behind = Behind == Folders.end() ? Folders.begin() : Behind + 1;
  std::vector<std::string> Result;
  for (StringRef Folder : ArrayRef(Behind, Folders.end()))
    if (std::string Nvcc = nvccIn(Folder); !Nvcc.empty())
      Result.push_back(std::move(Nvcc));
  return Result;
}

std::string cudaopt::findNvccInPath() {
  for (std::string &Nvcc : listInPath(""))
    if (findCache(Nvcc).empty())
      return std::move(Nvcc);
  return "";
}

/// Returns the nvcc of the toolkit to which \p Top leads. Such a folder
/// imitates a toolkit: it has our link in bin, and links to the real toolkit's
/// other parts. Returns an empty string if it has none.
static std::string findLinkedNvcc(StringRef Top) {
  for (StringRef Link : {"nvvm", "include", "lib64", "bin/ptxas"}) {
    SmallString<128> Path(Top), Real;
    path::append(Path, Link);
    if (fs::real_path(Path, Real))
      continue;
    Path = path::parent_path(Real);
    if (Link == "bin/ptxas")
      Path = path::parent_path(Path);
    path::append(Path, "bin");
    if (std::string Nvcc = nvccIn(Path); !Nvcc.empty())
      return Nvcc;
  }
  return "";
}

/// Looks, in this order, in the toolkit to which the fake toolkit's other links
/// lead, behind our link in PATH, and in the toolkit that is installed.
Expected<std::vector<std::string>> cudaopt::unmask(StringRef Nvcc) {
  SmallString<128> Own(Nvcc);
  if (!path::has_parent_path(Nvcc))
    if (ErrorOr<std::string> Found = sys::findProgramByName(Nvcc))
      Own = *Found;
  (void)fs::make_absolute(Own);
  const StringRef Folder = path::parent_path(Own);
  if (std::string Linked = findLinkedNvcc(path::parent_path(Folder));
      !Linked.empty())
    return std::vector{Linked};
  std::vector<std::string> Words;
  for (std::string &Real : listInPath(Folder)) {
    // Called by the name of its link, ccache would search PATH for nvcc and
    // find ours; it is called by its own name, followed by the compiler.
    std::string Cache = findCache(Real);
    const bool IsCache = !Cache.empty();
    if (!IsCache || Words.empty())
      Words.push_back(IsCache ? std::move(Cache) : std::move(Real));
    if (!IsCache)
      return Words;
  }
  Expected<Toolkit> Cuda = findToolkit("");
  if (std::string Real = Cuda ? nvccIn(Cuda->Path + "/bin") : ""; !Real.empty())
    Words.push_back(std::move(Real));
  consumeError(Cuda.takeError());
  if (!Words.empty() && findCache(Words.back()).empty())
    return Words;
  return createStringError("'" + Own +
                           "' is cuda-opt, and there is no other "
                           "nvcc: neither behind it in PATH nor in a CUDA "
                           "Toolkit");
}

Error cudaopt::enterMasquerade() {
  unsigned Nesting = 0;
  if (auto Text = sys::Process::GetEnv(NestingVariable))
    if (!to_integer(*Text, Nesting))
      Nesting = 0;
  if (Nesting >= MaxNesting)
    return createStringError(
        "'nvcc' starts cuda-opt again and again: a program "
        "behind cuda-opt takes the first nvcc in PATH for "
        "the compiler");
  ::setenv(NestingVariable, std::to_string(Nesting + 1).c_str(),
           /*overwrite=*/1);
  return Error::success();
}
