// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Rewrites in processes of its own: one that crashes or hangs is a source that
/// stays as it is.
//===----------------------------------------------------------------------===//

#include "cudaopt/Frontend/Launcher.h"
#include "cudaopt/Frontend/Driver.h"
#include "cudaopt/Frontend/LaunchedCompile.h"
#include "cudaopt/Frontend/Output.h"
#include "cudaopt/Frontend/ResultCache.h"
#include "cudaopt/Transforms/Levelize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace cudaopt;
using namespace llvm;

/// Longer than any file takes; a build must not hang on us.
static constexpr unsigned RewriteSeconds = 300;

static std::vector<char *> toPointers(std::vector<std::string> &Words) {
  std::vector<char *> Result;
  for (std::string &Word : Words)
    Result.push_back(Word.data());
  Result.push_back(nullptr);
  return Result;
}

static int reportNotRun(StringRef Compiler, int Errno) {
  errs() << "cuda-opt: error: cannot run '" << Compiler
         << "': " << std::strerror(Errno) << '\n';
  return Errno == ENOENT ? 127 : 126; // As a shell says it.
}

/// Becomes the compiler.
static int become(std::vector<std::string> Words) {
  std::vector<char *> Pointers = toPointers(Words);
  outs().flush();
  execvp(Pointers[0], Pointers.data());
  return reportNotRun(Words.front(), errno);
}

/// Runs the compiler and returns what waitpid says of it, or nothing if it
/// cannot be run.
static std::optional<int> runAndWait(std::vector<std::string> Words) {
  std::vector<char *> Pointers = toPointers(Words);
  // An interrupt from the terminal goes to both: the compiler's end is ours.
  auto OldInterrupt = std::signal(SIGINT, SIG_IGN);
  auto OldQuit = std::signal(SIGQUIT, SIG_IGN);
  pid_t Child = fork();
  if (Child == 0) {
    std::signal(SIGINT, OldInterrupt);
    std::signal(SIGQUIT, OldQuit);
    execvp(Pointers[0], Pointers.data());
    _exit(reportNotRun(Words.front(), errno));
  }
  int Status = 0;
  while (Child > 0 && waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      Child = -1;
  std::signal(SIGINT, OldInterrupt);
  std::signal(SIGQUIT, OldQuit);
  if (Child < 0)
    return std::nullopt;
  return Status;
}

/// Ends as a process of \p Status did.
static int endLike(int Status) {
  if (!WIFSIGNALED(Status))
    return WEXITSTATUS(Status);
  std::signal(WTERMSIG(Status), SIG_DFL);
  raise(WTERMSIG(Status));
  return 128 + WTERMSIG(Status);
}

namespace {

/// Rewrites the source of one compilation.
class SourceRewriter {
public:
  SourceRewriter(const CommandLine &Line, const LaunchedCompile &Compile)
      : Line(Line), Compile(Compile) {}

  /// Returns true if rewrittenPath() now has a text that is not the source's.
  Expected<bool> run();

private:
  Expected<RewriteResult> rewrite(StringRef Draft);
  Error rewriteFor(StringRef Arch, StringRef Output);
  std::vector<std::string> askCache() const;
  bool mayChange(StringRef Source) const;

  const CommandLine &Line;
  const LaunchedCompile &Compile;
  const std::string Self =
      sys::fs::getMainExecutable(Line.Executable, (void *)&launchCompiler);
  std::string Messages;           ///< Of the first GPU.
  std::vector<std::string> Files; ///< That any parse read.
};

} // namespace

static Expected<std::string> readFile(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Path + ": " + Buffer.getError().message());
  return (*Buffer)->getBuffer().str();
}

Error SourceRewriter::rewriteFor(StringRef Arch, StringRef Output) {
  SmallString<128> List(Output);
  List += ".files";
  FileRemover ListRemover(List);
  std::vector<std::string> Words = {Self};
  append_range(Words, Line.OwnWords);
  append_values(Words, "--line-directives", ("--arch=" + Arch).str(),
                ("--list-files=" + List).str(), "-o", Output.str(),
                Compile.source(), "--");
  append_range(Words, Compile.Flags);
  std::vector<StringRef> Arguments(Words.begin(), Words.end());

  SmallString<128> Log;
  if (std::error_code EC = sys::fs::createTemporaryFile("cuda-opt", "log", Log))
    return errorCodeToError(EC);
  FileRemover LogRemover(Log);
  std::optional<StringRef> Redirects[] = {StringRef(), StringRef(Log),
                                          StringRef(Log)};
  std::string Problem;
  int Code = sys::ExecuteAndWait(Self, Arguments, std::nullopt, Redirects,
                                 RewriteSeconds, 0, &Problem);
  if (Messages.empty())
    if (auto Text = MemoryBuffer::getFile(Log))
      Messages = (*Text)->getBuffer().str();
  if (Code == 0) {
    if (auto Names = MemoryBuffer::getFile(List))
      for (StringRef Name : split((*Names)->getBuffer().rtrim(), '\n'))
        Files.push_back(Name.str());
    return Error::success();
  }
  if (Problem.empty())
    Problem = "cuda-opt ended with code " + std::to_string(Code);
  if (StringRef Said = StringRef(Messages).split('\n').first; !Said.empty())
    Problem += ": " + Said.str();
  return createStringError(Problem);
}

/// For each GPU; all must agree.
Expected<RewriteResult> SourceRewriter::rewrite(StringRef Draft) {
  RewriteResult Result;
  const std::vector<std::string> Archs = Compile.archs();
  for (const std::string &Arch : Archs) {
    if (Error E = rewriteFor(Arch, Draft))
      return std::move(E);
    Expected<std::string> Text = readFile(Draft);
    if (!Text)
      return Text.takeError();
    if (Arch == Archs.front())
      Result.Text = std::move(*Text);
    else if (Result.Text != *Text)
      return createStringError("the rewrites for " + Archs.front() + " and " +
                               Arch + " differ");
  }
  Result.Messages = Messages;
  return Result;
}

/// All that a rewrite depends on, save the files that it reads.
std::vector<std::string> SourceRewriter::askCache() const {
  std::vector<std::string> Words = {"1", Self, Compile.source()};
  sys::fs::file_status Status;
  if (!sys::fs::status(Self, Status))
    append_values(
        Words, std::to_string(Status.getSize()),
        std::to_string(
            Status.getLastModificationTime().time_since_epoch().count()));
  SmallString<128> Here;
  if (!sys::fs::current_path(Here))
    Words.push_back(Here.str().str());
  for (StringRef Name : {"CUDA_PATH", "CUDA_HOME", "CUDAToolkit_ROOT",
                         "CUDA_ROOT", "CONDA_PREFIX", "PATH", "CPATH"})
    Words.push_back(sys::Process::GetEnv(Name).value_or(""));
  for (const std::vector<std::string> &More :
       {Line.OwnWords, Compile.archs(), Compile.Flags}) {
    Words.push_back(std::to_string(More.size()));
    append_range(Words, More);
  }
  return Words;
}

/// False if no pass can find anything in \p Source: no shared array, no loop
/// that is marked. Spares a parse.
bool SourceRewriter::mayChange(StringRef Source) const {
  return Source.contains("__shared__") || Source.contains("CUDAOPT_LEVELIZE") ||
         Source.contains("cudaopt levelize") ||
         parseLevelizeChoice(Line.Opts.Levelize) != LevelizeChoice::Marked;
}

Expected<bool> SourceRewriter::run() {
  Expected<std::string> Source = readFile(Compile.source());
  if (!Source)
    return Source.takeError();
  if (!mayChange(*Source))
    return false;
  const std::string Path = Compile.rewrittenPath();
  StringRef Folder = sys::path::parent_path(Path);
  const ResultCache Cache(askCache());
  std::optional<RewriteResult> Result = Cache.find();
  if (!Result) {
    if (std::error_code EC = sys::fs::create_directories(Folder))
      return createStringError("cannot create '" + Folder +
                               "': " + EC.message());
    // Not yet at its place: what lies there may be newer than its object.
    const std::string Draft = Path + ".new";
    FileRemover DraftRemover(Draft);
    const sys::TimePoint<> Begin = std::chrono::system_clock::now();
    Expected<RewriteResult> Rewritten = rewrite(Draft);
    if (!Rewritten)
      return Rewritten.takeError();
    Cache.remember(*Rewritten, Files, Begin);
    Result = std::move(*Rewritten);
  }
  if (Result->Text == *Source) {
    (void)sys::fs::remove(Path);
    (void)sys::fs::remove(Folder); // Only if it is empty then.
    return false;
  }
  errs() << Result->Messages;
  if (std::error_code EC = sys::fs::create_directories(Folder))
    return createStringError("cannot create '" + Folder + "': " + EC.message());
  if (Error E = writeFile(Path, Result->Text))
    return std::move(E);
  return true;
}

/// \p Path as it stands in a dependency file.
static std::string escapeForMake(StringRef Path) {
  std::string Result;
  for (char C : Path) {
    if (C == ' ' || C == '#')
      Result += '\\';
    Result += C;
    if (C == '$')
      Result += C;
  }
  return Result;
}

/// In a dependency file the source stands for its rewritten text.
static void correctDependencies(const LaunchedCompile &Compile) {
  SmallString<128> Path(Compile.Command.DependencyFile);
  if (Path.empty()) {
    Path = Compile.Command.Output;
    if (Path.empty())
      Path = sys::path::filename(Compile.source());
    sys::path::replace_extension(Path, "d");
  }
  Expected<std::string> Text = readFile(Path);
  if (!Text)
    return consumeError(Text.takeError());
  const std::string From = escapeForMake(Compile.rewrittenPath());
  const std::string To = escapeForMake(Compile.source());
  std::string Result = *Text;
  for (size_t At = 0; (At = Result.find(From, At)) != std::string::npos;
       At += To.size())
    Result.replace(At, From.size(), To);
  if (Result != *Text)
    consumeError(writeFile(Path, Result));
}

int cudaopt::launchCompiler(const CommandLine &Line) {
  if (sys::Process::GetEnv("CUDAOPT_DISABLE").value_or("0") != "0")
    return become(Line.Compiler);
  auto Give = [&](const Twine &Source, Error E) -> int {
    const std::string Why = toString(std::move(E));
    StringRef Fallback = Line.Opts.Fallback;
    if (Fallback == "error")
      return reportError(ExitBadInput, createStringError(Source + Why));
    if (Fallback != "silent")
      errs() << "cuda-opt: warning: " << Source << Why
             << "; compiling the original\n";
    return become(Line.Compiler);
  };
  Expected<std::optional<LaunchedCompile>> Compile =
      readLaunchedCompile(Line.Compiler);
  if (!Compile)
    return Give("", Compile.takeError());
  if (!*Compile)
    return become(Line.Compiler);
  Expected<bool> IsRewritten = SourceRewriter(Line, **Compile).run();
  if (!IsRewritten)
    return Give((*Compile)->source() + ": ", IsRewritten.takeError());
  if (!*IsRewritten)
    return become(Line.Compiler);
  std::optional<int> Status = runAndWait((*Compile)->wordsForRewritten());
  if (!Status)
    return reportNotRun(Line.Compiler.front(), errno);
  correctDependencies(**Compile);
  return endLike(*Status);
}
