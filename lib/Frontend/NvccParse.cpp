// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NvccParse.h"
#include "cudaopt/Frontend/Prelude.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace cudaopt;
using namespace llvm;
using clang::CompilerInvocation;

size_t cudaopt::countCommonIncludes(const CompilerInvocation &Parse) {
  const std::vector<std::string> &All = Parse.getPreprocessorOpts().Includes;
  if (All.empty() || All.front() != "__clang_cuda_runtime_wrapper.h")
    return 0;
  return All.size() > 1 && All[1] == getPreludePath() ? 2 : 1;
}

/// True if a header of the system or of the toolkit may ask for \p Name.
static bool mayConfigure(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {
      "_", "CUDA", "CUB", "CCCL", "CURAND", "LIBCUDACXX", "NV", "THRUST"};
  return Name == "NDEBUG" ||
         any_of(Prefixes, [&](StringRef P) { return Name.starts_with(P); });
}

/// The directive for \p Word, as -D (or -U) has it: `N`, `N=32`, `F(x)=(x)`.
static std::string makeDirective(StringRef Word, bool IsUndef) {
  if (IsUndef)
    return ("#undef " + Word + "\n").str();
  const auto [Name, Body] = Word.split('=');
  // What follows a line break is no part of the macro.
  const StringRef Line = Body.take_until([](char C) { return C == '\n'; });
  return ("#define " + Name + " " + (Name == Word ? "1" : Line) + "\n").str();
}

static void defineBehindPrelude(CompilerInvocation &Parse,
                                vfs::OverlayFileSystem &Files) {
  clang::PreprocessorOptions &Options = Parse.getPreprocessorOpts();
  std::string Text;
  erase_if(Options.Macros, [&](const std::pair<std::string, bool> &Macro) {
    const auto &[Word, IsUndef] = Macro;
    if (mayConfigure(Word))
      return false;
    Text += makeDirective(Word, IsUndef);
    return true;
  });
  if (Text.empty())
    return;
  Text.insert(0, "# 1 \"<command line>\"\n"); // That is where they are from.
  SmallString<32> Path(sys::path::parent_path(getPreludePath()));
  sys::path::append(Path, "command-line.h");
  Options.Includes.insert(Options.Includes.begin() + countCommonIncludes(Parse),
                          Path.str().str());
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(Path, 0, MemoryBuffer::getMemBufferCopy(Text, Path));
  Files.pushOverlay(std::move(Memory));
}

/// The folder of the gcc whose C++ headers \p Search has, which it names
/// ".../gcc/TRIPLE/VERSION/../../../../include/c++/VERSION"; empty if there is
/// none.
static std::string findGccHeaders(const clang::HeaderSearchOptions &Search) {
  for (const auto &Folder : Search.UserEntries) {
    const auto [Gcc, Rest] = StringRef(Folder.Path).split("/../");
    if (Gcc.contains("/gcc/") && Rest.contains("include/c++"))
      return (Gcc + "/include").str();
  }
  return "";
}

void cudaopt::readAsNvcc(CompilerInvocation &Parse,
                         vfs::OverlayFileSystem &Files) {
  if (!countCommonIncludes(Parse))
    return;
  defineBehindPrelude(Parse, Files);
  clang::HeaderSearchOptions &Search = Parse.getHeaderSearchOpts();
  if (std::string Headers = findGccHeaders(Search); !Headers.empty())
    Search.AddPath(Headers, clang::frontend::After, /*IsFramework=*/false,
                   /*IgnoreSysRoot=*/true);
}
