// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the flags of clang's parse from what an nvcc command says.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Parse/NvccCommand.h"
#include "cudaopt/Driver/Parse/Prelude.h"

#include "clang/Basic/OffloadArch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <tuple>

using namespace cudaopt;
using namespace llvm;

/// Splits "sm_90a" into 90 and "a"; returns {0, ""} for names of another form.
static std::pair<unsigned, StringRef> splitArch(StringRef Name) {
  unsigned Number = 0;
  if (!Name.consume_front("sm_") || Name.consumeInteger(10, Number))
    return {0, ""};
  return {Number, Name};
}

static bool isAcceptedByClang(StringRef Name) {
  return clang::IsNVIDIAOffloadArch(clang::StringToOffloadArch(Name));
}

/// Prefers \p Requested, then the highest GPU of the command.
std::string cudaopt::chooseArch(StringRef Requested,
                                ArrayRef<std::string> Archs) {
  StringRef Name = Requested;
  if (Name.empty() && !Archs.empty())
    Name = *max_element(Archs, [](StringRef A, StringRef B) {
      return splitArch(A) < splitArch(B);
    });
  // An architecture that this clang does not know is lowered to the next one
  // that it does.
  if (isAcceptedByClang(Name))
    return Name.str();
  for (unsigned Number = splitArch(Name).first; Number > 0; --Number)
    if (std::string Lower = "sm_" + utostr(Number); isAcceptedByClang(Lower))
      return Lower;
  return "sm_90";
}

bool cudaopt::isArchStated(StringRef Requested, ArrayRef<std::string> Archs) {
  if (Archs.empty())
    return !Requested.empty();
  return is_contained(Archs, chooseArch(Requested, Archs)) &&
         (Archs.size() == 1 || !Requested.empty());
}

/// Adds the macros by which programs recognise nvcc and cuda-opt, and what
/// clang's wrapper of the toolkit's headers needs in order to stand in for
/// nvcc's.
static void addToolkitFlags(const Toolkit &Cuda,
                            std::vector<std::string> &Flags) {
  append_values(Flags, "--cuda-path=" + Cuda.Path, "--no-cuda-version-check",
                "-D__CUDAOPT__", "-D__NVCC__",
                "-D__CUDACC_VER_MAJOR__=" + utostr(Cuda.Major),
                "-D__CUDACC_VER_MINOR__=" + utostr(Cuda.Minor),
                "-D__CUDACC_VER_BUILD__=0");
  append_values(Flags, "-Xclang", Cuda.versionFlag());
  // As with nvcc, /usr/include, which may have headers of another toolkit, is
  // searched later.
  append_values(Flags, "-isystem", Cuda.Path + "/include");
  append_values(Flags, "-include", getPreludePath().str());
}

std::vector<std::string> cudaopt::buildClangFlags(const NvccCommand &Command,
                                                  StringRef Arch,
                                                  const Toolkit *Cuda,
                                                  StringRef ResourceDir) {
  // Register variables and narrowing are errors in clang but warnings in nvcc.
  // The number of errors is not limited, because every kernel that contains an
  // error must be found and left unchanged.
  std::vector<std::string> Flags = {"-x",
                                    "cuda",
                                    "--cuda-device-only",
                                    "--cuda-gpu-arch=" + Arch.str(),
                                    "-nocudalib",
                                    "-std=c++17",
                                    "-w",
                                    "-Wno-unknown-cuda-version",
                                    "-Wno-register",
                                    "-Wno-c++11-narrowing",
                                    "-ferror-limit=0",
                                    "-D__CUDA_OPT__=100"};
  const std::vector<std::string> &Own = Command.ClangFlags;
  if (none_of(Own, [](StringRef F) { return F.starts_with("-resource-dir"); }))
    Flags.push_back(("-resource-dir=" + ResourceDir).str());
  if (Cuda)
    addToolkitFlags(*Cuda, Flags);
  append_range(Flags, Own);
  if (!Cuda || any_of(Own, [](StringRef F) { return F.contains("cccl"); }))
    return Flags;
  SmallString<128> Cccl(Cuda->Path);
  sys::path::append(Cccl, "include", "cccl");
  if (sys::fs::is_directory(Cccl))
    append_values(Flags, "-isystem", Cccl.str().str());
  return Flags;
}

/// Returns the language "c++" or "c" in which \p File is compiled; an empty
/// string for other languages.
static StringRef findPlainLanguage(const NvccCommand &Command, StringRef File) {
  static constexpr StringLiteral Endings[] = {".cpp", ".cc", ".cxx", ".c++",
                                              ".C"};
  const StringRef Said = Command.Language;
  if (Said == "c++" || Said == "c")
    return Said;
  if (!Said.empty())
    return "";
  const StringRef Ending = sys::path::extension(File);
  if (is_contained(Endings, Ending))
    return "c++";
  return Ending == ".c" ? "c" : "";
}

bool cudaopt::isPlainSource(const NvccCommand &Command, StringRef File) {
  return !findPlainLanguage(Command, File).empty();
}

std::vector<std::string> cudaopt::buildPlainFlags(const NvccCommand &Command,
                                                  StringRef File,
                                                  StringRef ResourceDir) {
  const StringRef Language = findPlainLanguage(Command, File);
  std::vector<std::string> Flags = {"-x",
                                    Language.str(),
                                    Language == "c" ? "-std=gnu17"
                                                    : "-std=c++17",
                                    "-w",
                                    "-ferror-limit=0",
                                    "-D__CUDAOPT__",
                                    "-D__CUDA_OPT__=100"};
  const std::vector<std::string> &Own = Command.ClangFlags;
  if (none_of(Own, [](StringRef F) { return F.starts_with("-resource-dir"); }))
    Flags.push_back(("-resource-dir=" + ResourceDir).str());
  append_range(Flags, Own);
  return Flags;
}
