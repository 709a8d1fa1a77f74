// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Adapts clang's invocation to the order in which nvcc includes its own
/// headers and defines the user's macros.
//===----------------------------------------------------------------------===//

#include "NvccParse.h"
#include "cudaopt/Driver/Parse/Prelude.h"

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

/// Returns true if a header of the system or the toolkit may test macro
/// \p Name: such a macro must be defined before the headers are read.
static bool mayConfigure(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {
      "_", "CUDA", "CUB", "CCCL", "CURAND", "LIBCUDACXX", "NV", "THRUST"};
  return Name == "NDEBUG" ||
         any_of(Prefixes, [&](StringRef P) { return Name.starts_with(P); });
}

/// Returns the directive for \p Word as -D or -U spells it: `N`, `N=32`,
/// `F(x)=(x)`.
static std::string makeDirective(StringRef Word, bool IsUndef) {
  if (IsUndef)
    return ("#undef " + Word + "\n").str();
  const auto [Name, Body] = Word.split('=');
  // A macro's definition ends at a line break.
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
  // Messages shall still name the command line as the origin.
  Text.insert(0, "# 1 \"<command line>\"\n");
  SmallString<32> Path(sys::path::parent_path(getPreludePath()));
  sys::path::append(Path, "command-line.h");
  Options.Includes.insert(Options.Includes.begin() + countCommonIncludes(Parse),
                          Path.str().str());
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(Path, 0, MemoryBuffer::getMemBufferCopy(Text, Path));
  Files.pushOverlay(std::move(Memory));
}

/// Returns the header folder of the gcc whose C++ headers \p Search contains
/// under a name such as
/// ".../gcc/TRIPLE/VERSION/../../../../include/c++/VERSION"; an empty string if
/// there is none.
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
