// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects the words of cache keys. A word that is missing here would let a
/// build reuse a result that was made under other conditions.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Cache/CacheQuestion.h"
#include "cudaopt/Driver/Cache/FileFacts.h"
#include "cudaopt/Driver/Parse/Toolkit.h"

#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <link.h>

using namespace cudaopt;
using namespace llvm;

/// The environment variables that clang's driver or we read. Others do not
/// influence a result, or their effect is captured in another way: the nvcc in
/// PATH by its identity, the use of colours by the command.
static constexpr StringLiteral Variables[] = {
    "CUDAOPT_FLAGS",
    "NVCC_PREPEND_FLAGS",
    "NVCC_APPEND_FLAGS",
    "CUDA_PATH",
    "CUDA_HOME",
    "CUDAToolkit_ROOT",
    "CUDA_ROOT",
    "CONDA_PREFIX",
    "VIRTUAL_ENV",
    "PATH",
    "HOME",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "OBJC_INCLUDE_PATH",
    "OBJCPLUS_INCLUDE_PATH",
    "COMPILER_PATH",
    "LIBRARY_PATH",
    "GCC_EXEC_PREFIX",
    "SYSROOT",
    "SOURCE_DATE_EPOCH",
    "CCC_OVERRIDE_OPTIONS",
    "CLANG_CONFIG_PATH",
    "CLANG_NO_DEFAULT_CONFIG",
    "CLANG_SPAWN_CC1",
};

std::string cudaopt::identifyFile(const std::string &Path) {
  std::optional<FileStamp> Stamp = FileStamp::read(Path);
  if (!Stamp)
    return Path;
  std::string Result = findRealPath(Path);
  for (uint64_t Number : {Stamp->Id.Device, Stamp->Id.Inode, Stamp->Size,
                          uint64_t(Stamp->Modified), uint64_t(Stamp->Changed)})
    Result += ":" + std::to_string(Number);
  return Result;
}

std::vector<std::string>
cudaopt::beginQuestion(StringRef Kind, const Options &Opts, StringRef Folder) {
  std::vector<std::string> Words = {Kind.str(), clang::getClangFullVersion(),
                                    identifyFile("/proc/self/exe")};
  auto AddLibrary = [](dl_phdr_info *Library, size_t, void *Words) {
    if (Library->dlpi_name && *Library->dlpi_name)
      static_cast<std::vector<std::string> *>(Words)->push_back(
          identifyFile(Library->dlpi_name));
    return 0;
  };
  dl_iterate_phdr(AddLibrary, &Words);
  SmallString<128> Here;
  if (!Folder.empty())
    Words.push_back(Folder.str());
  else if (!sys::fs::current_path(Here))
    Words.push_back(Here.str().str());
  for (StringRef Name : Variables)
    if (std::optional<std::string> Value = sys::Process::GetEnv(Name))
      Words.push_back((Name + "=" + *Value).str());
  for (const OptionInfo &Option : allOptions())
    Words.push_back(Option.get(Opts));
  return Words;
}

void cudaopt::addFoundFolders(StringRef CudaPath, const char *Executable,
                              ArrayRef<std::string> Flags,
                              std::vector<std::string> &Question) {
  if (Expected<Toolkit> Cuda = findToolkit(CudaPath))
    append_values(Question, Cuda->Path, std::to_string(Cuda->Major),
                  std::to_string(Cuda->Minor));
  else
    Question.push_back(toString(Cuda.takeError()));
  if (Expected<std::string> Folder = findResourceDir(Executable, Flags))
    Question.push_back(*Folder);
  else
    Question.push_back(toString(Folder.takeError()));
}
