// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Follows #include directives from the source and looks for the words without
/// which no pass finds anything. Errors are on the safe side: if in doubt, the
/// source is parsed.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Scan/Prescan.h"
#include "cudaopt/Driver/Scan/IncludeScan.h"
#include "cudaopt/Passes/Levelize/Levelize.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace cudaopt {

/// Reading more headers than this takes longer than a parse.
static constexpr unsigned MaxHeaders = 500;

namespace {

/// The scan of one source.
class Prescan {
public:
  Prescan(const LaunchedCompile &Compile, const Options &Opts);
  Expected<bool> run();

private:
  void follow(StringRef File, StringRef Text);

  const LaunchedCompile &Compile;
  const Options &Opts;
  std::vector<std::string> Search; ///< Folders of headers.
  std::vector<std::string> Next;   ///< Headers to read.
  StringSet<> Seen;
};

} // namespace

Prescan::Prescan(const LaunchedCompile &Compile, const Options &Opts)
    : Compile(Compile), Opts(Opts) {
  const std::vector<std::string> &Flags = Compile.Command.ClangFlags;
  for (size_t I = 0; I != Flags.size(); ++I) {
    StringRef Word = Flags[I];
    if (!Word.consume_front("-I") && !Word.consume_front("-iquote"))
      continue;
    if (!Word.empty())
      Search.push_back(Word.str());
    else if (I + 1 != Flags.size())
      Search.push_back(Flags[++I]);
  }
}

bool mayHoldKernels(StringRef Text, const Options &Opts) {
  // It also changes kernels without shared arrays.
  return (Text.contains("__global__") && Opts.runsPass("global-access")) ||
         Text.contains("__shared__") || Text.contains("CUDAOPT_LEVELIZE") ||
         Text.contains("cudaopt levelize") ||
         parseLevelizeChoice(Opts.Levelize) != LevelizeChoice::Marked;
}

/// Queues the headers that \p File includes.
void Prescan::follow(StringRef File, StringRef Text) {
  for (const IncludeText &Include : scanIncludes(Text).Includes) {
    // Headers in angle brackets may change only if --header-filter names them.
    if (!Include.IsQuoted && Opts.HeaderFilter.empty())
      continue;
    StringRef Folder = sys::path::parent_path(File);
    if (Folder.empty())
      Folder = ".";
    std::optional<std::string> Found =
        findInclude(Include.Spelled, Include.IsQuoted ? Folder : StringRef(),
                    Search, *vfs::getRealFileSystem());
    if (Found && Seen.insert(*Found).second)
      Next.push_back(std::move(*Found));
  }
}

Expected<bool> Prescan::run() {
  auto Source = MemoryBuffer::getFile(Compile.source());
  if (!Source)
    return createStringError(Source.getError().message());
  StringRef Text = (*Source)->getBuffer();
  if (mayHoldKernels(Text, Opts))
    return true;
  follow(Compile.source(), Text);
  while (!Next.empty() && Seen.size() < MaxHeaders) {
    const std::string File = std::move(Next.back());
    Next.pop_back();
    auto Header = MemoryBuffer::getFile(File);
    if (!Header)
      continue;
    if (mayHoldKernels((*Header)->getBuffer(), Opts))
      return true;
    follow(File, (*Header)->getBuffer());
  }
  return !Next.empty();
}

Expected<bool> mayHoldKernels(const LaunchedCompile &Compile,
                              const Options &Opts) {
  return Prescan(Compile, Opts).run();
}

} // namespace cudaopt
