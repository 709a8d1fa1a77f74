// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Looks for the CUDA Toolkit where its installers put it, and for clang's
/// headers where clang, or the package of this program, puts them.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Parse/Toolkit.h"
#include "Launcher/Masquerade.h"
#include "cudaopt/Support/Program.h"

#include "clang/Basic/Version.h"
#include "clang/Options/OptionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <optional>
#include <vector>

using namespace cudaopt;
using namespace llvm;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

// The folder in which the build found clang's headers; the build system passes
// it.
#ifndef CUDAOPT_CLANG_RESOURCE_DIR
#define CUDAOPT_CLANG_RESOURCE_DIR ""
#endif

static std::string pathIn(const Twine &Folder, const Twine &Relative) {
  SmallString<128> Path;
  Folder.toVector(Path);
  path::append(Path, path::Style::native, Relative);
  return Path.str().str();
}

/// Returns the number as which \p Header of the toolkit defines \p Macro; 0 if
/// it does not.
static unsigned readVersion(StringRef Toolkit, StringRef Header,
                            StringRef Macro) {
  auto Buffer = MemoryBuffer::getFile(pathIn(Toolkit, "include/" + Header));
  if (!Buffer)
    return 0;
  StringRef Text = (*Buffer)->getBuffer();
  unsigned Version = 0;
  Text = Text.substr(Text.find(("#define " + Macro + " ").str()))
             .drop_front(("#define " + Macro).str().size())
             .ltrim();
  return Text.consumeInteger(10, Version) ? 0 : Version;
}

/// Returns the toolkit at \p Path; std::nullopt if there is none. Clang
/// requires the same folders.
static std::optional<Toolkit> openToolkit(const std::string &Path) {
  bool HasHeaders = fs::exists(pathIn(Path, "include/cuda.h")) ||
                    fs::exists(pathIn(Path, "include/cuda_runtime.h"));
  if (!HasHeaders || !fs::is_directory(pathIn(Path, "bin")) ||
      !fs::is_directory(pathIn(Path, "nvvm/libdevice")))
    return std::nullopt;
  unsigned Version = readVersion(Path, "cuda.h", "CUDA_VERSION");
  if (!Version)
    Version = readVersion(Path, "cuda_runtime_api.h", "CUDART_VERSION");
  return Toolkit{Path, Version / 1000, Version % 1000 / 10};
}

/// Returns the entries of \p Folder whose names begin with \p Prefix, highest
/// version first.
static std::vector<std::string> findVersions(const Twine &Folder,
                                             StringRef Prefix) {
  std::vector<std::string> Paths;
  std::error_code EC;
  for (fs::directory_iterator I(Folder, EC), End; !EC && I != End;
       I.increment(EC))
    if (path::filename(I->path()).starts_with(Prefix))
      Paths.push_back(I->path());
  sort(Paths,
       [](StringRef A, StringRef B) { return A.compare_numeric(B) > 0; });
  return Paths;
}

/// Returns the path of this program or, in the plugin, of its host.
static std::string findProgram(const char *Executable = "") {
  // The address of any function in the program tells where the program lies.
  return fs::getMainExecutable(
      Executable, reinterpret_cast<void *>(
                      reinterpret_cast<intptr_t>(&cudaopt::findResourceDir)));
}

/// Appends the toolkits of Python wheels below each prefix in \p Variables:
/// <prefix>/lib/python3.x/site-packages/nvidia/cu13. A wheel of this program is
/// installed beside them.
static void addWheels(ArrayRef<const char *> Variables,
                      std::vector<std::string> &Candidates) {
  std::vector<std::string> Prefixes = {
      path::parent_path(path::parent_path(findProgram())).str()};
  for (const char *Variable : Variables)
    if (auto Prefix = sys::Process::GetEnv(Variable))
      Prefixes.push_back(*Prefix);
  append_values(Prefixes, "/usr/local", "/usr");
  for (const std::string &Prefix : Prefixes)
    for (const std::string &Python : findVersions(Prefix + "/lib", "python3"))
      for (StringRef Packages : {"site-packages", "dist-packages"})
        append_range(Candidates,
                     findVersions(pathIn(Python, Packages + "/nvidia"), "cu1"));
}

/// Returns the folders that may contain a toolkit, best first.
static std::vector<std::string> listCandidates() {
  std::vector<std::string> Candidates;
  for (const char *Variable :
       {"CUDA_PATH", "CUDA_HOME", "CUDAToolkit_ROOT", "CUDA_ROOT"})
    if (auto Path = sys::Process::GetEnv(Variable); Path && !Path->empty())
      Candidates.push_back(*Path);
  SmallString<128> Nvcc;
  if (!fs::real_path(findNvccInPath(), Nvcc))
    Candidates.push_back(path::parent_path(path::parent_path(Nvcc)).str());
  if (auto Conda = sys::Process::GetEnv("CONDA_PREFIX"))
    Candidates.push_back(pathIn(*Conda, "targets/x86_64-linux"));
  addWheels({"VIRTUAL_ENV", "CONDA_PREFIX"}, Candidates);
  Candidates.push_back("/usr/local/cuda");
  append_range(Candidates, findVersions("/usr/local", "cuda-"));
  Candidates.push_back("/usr/lib/cuda");
  return Candidates;
}

/// Returns the number of the lowest architecture for which nvcc compiles,
/// according to the release notes of the toolkits.
static unsigned findLeastArch(unsigned Major) {
  if (Major >= 13)
    return 75;
  if (Major == 12)
    return 50;
  return Major == 11 ? 35 : 30;
}

Error Toolkit::checkArchs(ArrayRef<std::string> Archs) const {
  const unsigned Least = findLeastArch(Major);
  for (StringRef Arch : Archs) {
    StringRef Rest = Arch;
    unsigned Number = 0;
    if (Rest.consume_front("sm_") && !Rest.consumeInteger(10, Number) &&
        Number < Least)
      return createStringError("nvcc " + Twine(Major) + "." + Twine(Minor) +
                               " does not compile for '" + Arch +
                               "', but for sm_" + Twine(Least) +
                               " and later ones");
  }
  return Error::success();
}

std::string Toolkit::versionFlag() const {
  // The newest version that clang fully supports.
  const std::pair Newest(12u, 8u);
  const std::pair Told =
      Major == 0 ? Newest : std::min(Newest, std::pair(Major, Minor));
  return "-target-sdk-version=" + std::to_string(Told.first) + "." +
         std::to_string(Told.second);
}

Expected<Toolkit> cudaopt::findToolkit(StringRef CudaPath) {
  if (!CudaPath.empty()) {
    if (std::optional<Toolkit> Found = openToolkit(CudaPath.str()))
      return *Found;
    return createStringError("no CUDA Toolkit at '" + CudaPath + "'");
  }
  std::vector<std::string> Candidates = listCandidates();
  for (const std::string &Path : Candidates)
    if (std::optional<Toolkit> Found = openToolkit(Path))
      return *Found;
  return createStringError("no CUDA Toolkit found; pass --cuda-path=DIR "
                           "(tried " +
                           llvm::join(Candidates, ", ") + ")");
}

/// Asks a clang of our version in PATH; returns an empty string if there is
/// none.
static std::string askClang() {
  auto Clang = sys::findProgramByName("clang-" CLANG_VERSION_MAJOR_STRING);
  if (!Clang)
    return "";
  const ProgramRun Run = runProgram({*Clang, "-print-resource-dir"});
  return Run.isDone() ? StringRef(Run.Output).trim().str() : "";
}

Expected<std::string> cudaopt::findResourceDir(const char *Executable,
                                               ArrayRef<std::string> Flags) {
  for (StringRef Flag : reverse(Flags))
    if (Flag.consume_front("-resource-dir="))
      return Flag.str();
  const std::string Program = findProgram(Executable);
  std::vector<std::string> Tried;
  auto Holds = [&](std::string Path) {
    if (!Path.empty())
      Tried.push_back(std::move(Path));
    return !Tried.empty() &&
           fs::is_directory(pathIn(Tried.back(), "include/cuda_wrappers"));
  };
  if (Holds(pathIn(path::parent_path(Program),
                   "../lib/cuda-opt/clang/" CLANG_VERSION_MAJOR_STRING)) ||
      Holds(clang::GetResourcesPath(Program)) ||
      Holds(CUDAOPT_CLANG_RESOURCE_DIR) || Holds(askClang()))
    return Tried.back();
  return createStringError("clang's headers are not found; pass "
                           "--resource-dir=DIR (tried " +
                           llvm::join(Tried, ", ") + ")");
}
