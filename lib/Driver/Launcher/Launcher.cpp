// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements the launcher. Sources are rewritten in separate processes: if one
/// crashes or takes too long, the source is compiled as it is.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Launcher/Launcher.h"
#include "Delivery/ScratchFile.h"
#include "Scan/ProgramScan.h"
#include "cudaopt/Driver/Cache/CacheQuestion.h"
#include "cudaopt/Driver/Cache/ResultCache.h"
#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Driver/Delivery/Overlay.h"
#include "cudaopt/Driver/Driver.h"
#include "cudaopt/Driver/Launcher/LaunchedCompile.h"
#include "cudaopt/Driver/Scan/Prescan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
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
#include <utility>

using namespace cudaopt;
using namespace llvm;

/// CPU seconds; longer than any file takes, but a build must not hang.
static constexpr unsigned RewriteSeconds = 300;

static int reportNotRun(StringRef Compiler, int Errno) {
  errs() << "cuda-opt: error: cannot run '" << Compiler
         << "': " << std::strerror(Errno) << '\n';
  return Errno == ENOENT ? 127 : 126; // As a shell says it.
}

/// Replaces this process by the compiler, unless a signal asked us to end.
static int become(std::vector<std::string> Words, ChildRunner &Runner) {
  if (const int Signal = Runner.received())
    return dieBy(Signal);
  std::vector<char *> Pointers = toPointers(Words);
  outs().flush();
  Runner.release();
  execvp(Pointers[0], Pointers.data());
  return reportNotRun(Words.front(), errno);
}

/// Ends this process as the one with status \p Status ended.
static int endLike(int Status) {
  return WIFSIGNALED(Status) ? dieBy(WTERMSIG(Status)) : WEXITSTATUS(Status);
}

namespace {

/// The rewritten source, as the compiler gets it.
struct RewrittenSource {
  /// The files that replace the source and some of its headers; empty if
  /// nothing changes.
  std::vector<OverlayFile> Files;
  /// Set if the rewrite depends on which other files launch its kernels.
  std::optional<ProgramScan> Program;
};

/// Rewrites the source of one compilation, or finds the result in the cache.
class SourceRewriter {
public:
  SourceRewriter(const CommandLine &Line, const LaunchedCompile &Compile,
                 const EffectiveOptions &Effective, ChildRunner &Runner)
      : Line(Line), Compile(Compile), Effective(Effective), Runner(Runner) {}

  Expected<RewrittenSource> run();

private:
  Expected<RewriteResult> rewrite();
  Expected<std::string> rewriteFor(StringRef Arch);
  Expected<RewriteResult> findOrRewrite();
  std::vector<std::string> makeCommand(StringRef Arch) const;
  std::vector<std::string> askCache() const;
  bool wantsRemarks() const;

  const CommandLine &Line;
  const LaunchedCompile &Compile;
  const EffectiveOptions &Effective; ///< The options that apply to the source.
  ChildRunner &Runner;
  /// Decided here, since the rewriting process does not see the terminal.
  const bool HasColors = wantsColors(Effective.Opts.Color, errs());
  const std::string Self =
      sys::fs::getMainExecutable(Line.Executable, (void *)&launchCompiler);
  const std::string CudaPath = Compile.cudaPath();
  const bool HasLocalTemplates = Compile.hasLocalTemplates();
  bool MayCompile = true; ///< Registers may decide about layouts.
  std::string Messages;   ///< The messages of the parse for the first GPU.
  FileFacts Seen;         ///< The facts of all parses.
  std::optional<ProgramScan> Program; ///< Set with --whole-program.
};

} // namespace

/// Returns the command that rewrites the source for \p Arch, without the
/// options that name our temporary files.
std::vector<std::string> SourceRewriter::makeCommand(StringRef Arch) const {
  std::vector<std::string> Words = {Self};
  append_range(Words, Line.OwnWords);
  if (HasColors)
    Words.push_back("--color=always");
  Words.push_back(("--arch=" + Arch).str());
  if (HasLocalTemplates)
    Words.push_back("--local-templates");
  // Clang gives kernels other registers.
  if (!Compile.IsNvcc || !MayCompile)
    Words.push_back("--no-compile-check");
  const bool IsTold = any_of(Line.OwnWords, [](StringRef Word) {
    return Word.ltrim('-').starts_with("cuda-path");
  });
  if (!IsTold && !CudaPath.empty())
    Words.push_back("--cuda-path=" + CudaPath);
  append_values(Words, Compile.source(), "--");
  append_range(Words, Compile.Flags);
  return Words;
}

/// Returns, in words, how the process with status \p Status failed.
static std::string explainEnd(int Status) {
  if (WIFEXITED(Status))
    return "cuda-opt ended with code " + std::to_string(WEXITSTATUS(Status));
  if (WTERMSIG(Status) == SIGXCPU)
    return "cuda-opt takes more than " + std::to_string(RewriteSeconds) +
           " seconds";
  return std::string("cuda-opt died: ") + strsignal(WTERMSIG(Status));
}

/// Rewrites the source for \p Arch in a process; returns the packed overlay.
Expected<std::string> SourceRewriter::rewriteFor(StringRef Arch) {
  Expected<ProcessFiles> Files = ProcessFiles::create("new");
  if (!Files)
    return Files.takeError();
  std::vector<std::string> Words = makeCommand(Arch);
  Words.insert(Words.begin() + 1,
               {("--overlay=" + Files->Product.path()).str(),
                ("--file-facts=" + Files->Facts.path()).str()});
  std::optional<ScratchFile> Launches;
  if (Program && Program->Launches) {
    Expected<ScratchFile> Made = ScratchFile::create("launches");
    if (!Made)
      return Made.takeError();
    Launches = std::move(*Made);
    if (Error E = writeFile(Launches->path(), Program->Launches->pack()))
      return std::move(E);
    Words.insert(Words.begin() + 1,
                 ("--program-launches=" + Launches->path()).str());
  }
  const std::optional<int> Status =
      Runner.run(std::move(Words),
                 {Files->Log.path().str(), RewriteSeconds, /*Folder=*/""});
  if (!Status)
    return createStringError(std::string("cannot run cuda-opt: ") +
                             std::strerror(errno));
  if (Messages.empty())
    if (Error E = Files->Log.read().moveInto(Messages))
      return std::move(E);
  if (WIFEXITED(*Status) && WEXITSTATUS(*Status) == 0) {
    Expected<std::string> Bytes = Files->Facts.read();
    if (!Bytes)
      return Bytes.takeError();
    std::optional<FileFacts> Each = FileFacts::unpack(*Bytes);
    if (!Each)
      return createStringError("what was read is not known");
    Seen.add(*Each);
    return Files->Product.read();
  }
  std::string Problem = explainEnd(*Status);
  if (StringRef Said = StringRef(Messages).split('\n').first; !Said.empty())
    Problem += ": " + Said.str();
  return createStringError(Problem);
}

/// Rewrites the source for every GPU of the command. The results must be equal:
/// the compiler gets one text for all of them.
Expected<RewriteResult> SourceRewriter::rewrite() {
  RewriteResult Result;
  const std::vector<std::string> Archs = Compile.archs();
  for (const std::string &Arch : Archs) {
    Expected<std::string> Overlay = rewriteFor(Arch);
    if (!Overlay)
      return Overlay.takeError();
    if (Arch == Archs.front())
      Result.Product = std::move(*Overlay);
    else if (Result.Product != *Overlay) {
      // Registers may decide otherwise for each GPU; without them, the texts
      // may agree.
      if (std::exchange(MayCompile, false) && Effective.Opts.CompileCheck)
        return rewrite();
      return createStringError("the rewrites for " + Archs.front() + " and " +
                               Arch + " differ");
    }
  }
  Result.Messages = Messages;
  return Result;
}

/// Returns the cache key: all that the rewrite depends on except the files that
/// it reads.
std::vector<std::string> SourceRewriter::askCache() const {
  std::vector<std::string> Words = beginQuestion("launcher 4", Effective.Opts);
  for (const auto &Files : {Effective.Files, Compile.Command.Files})
    for (const auto &[Path, Text] : Files)
      append_values(Words, Path, Text);
  const std::vector<std::string> Archs = Compile.archs();
  Words.push_back(std::to_string(Archs.size()));
  for (const std::string &Arch : Archs) {
    const std::vector<std::string> Command = makeCommand(Arch);
    Words.push_back(std::to_string(Command.size()));
    append_range(Words, Command);
  }
  // The commands leave it open where the toolkit and clang's headers are found.
  if (auto Program = sys::findProgramByName(Compile.Compiler))
    Words.push_back(identifyFile(*Program));
  addFoundFolders(CudaPath, Line.Executable, Compile.Command.ClangFlags, Words);
  if (Program)
    Words.push_back(Program->Launches ? Program->Launches->pack() : "unknown");
  return Words;
}

/// Returns the lines of \p Messages that warn of marks in the source. They
/// begin with a source position, unlike our other warnings.
static std::string selectWarnings(StringRef Messages) {
  std::string Result;
  for (StringRef Line : split(Messages, '\n'))
    if (Line.contains("warning: ") && !Line.starts_with("cuda-opt: "))
      Result += Line.str() + "\n";
  return Result;
}

bool SourceRewriter::wantsRemarks() const {
  return any_of(Line.OwnWords, [](StringRef Word) {
    return Word.ltrim('-').starts_with("Rpass");
  });
}

/// The facts are checked again after a rewrite: a file that was edited during
/// the parses would give a result that belongs to no version of the source.
Expected<RewriteResult> SourceRewriter::findOrRewrite() {
  const ResultCache Cache(askCache());
  std::optional<RewriteResult> Result;
  if (!Line.Opts.wantsReport()) // A cached result writes no reports.
    Result = Cache.find();
  if (Result)
    return std::move(*Result);
  Expected<RewriteResult> Rewritten = rewrite();
  if (!Rewritten)
    return Rewritten.takeError();
  if (!Seen.hold())
    return createStringError("a file was changed while it was read");
  // What was not measured this time may be the next time.
  if (!StringRef(Rewritten->Messages).contains(NotComparedText))
    Cache.remember(*Rewritten, Seen);
  return Rewritten;
}

/// Rewrites the source, or finds the result in the cache, and writes the
/// overlay. A source in which no pass can find anything is recognized by a
/// textual scan, which is why most files of a build cost almost nothing.
Expected<RewrittenSource> SourceRewriter::run() {
  Expected<bool> IsCandidate = mayHoldKernels(Compile, Effective.Opts);
  if (!IsCandidate)
    return IsCandidate.takeError();
  const std::string Path = Compile.rewrittenPath();
  const StringRef Folder = sys::path::parent_path(Path);
  if (!*IsCandidate) {
    removeOverlay(Folder);
    return RewrittenSource();
  }
  if (Error E = ResultCache::checkFolder())
    errs() << "cuda-opt: warning: " << toString(std::move(E)) << '\n';
  if (Effective.Opts.WholeProgram)
    if (Error E = scanProgram(Line, Compile, Self, Runner).moveInto(Program))
      return std::move(E);
  // Reports name the lines of launches. Without reports the lines are dropped;
  // otherwise every edit that moves a launch in another file would invalidate
  // the cache.
  if (Program && Program->Launches && !wantsRemarks() &&
      !Line.Opts.wantsReport())
    Program->Launches->dropLines();
  Expected<RewriteResult> Result = findOrRewrite();
  if (!Result)
    return Result.takeError();
  Expected<std::vector<OverlayFile>> Overlay = unpackOverlay(Result->Product);
  if (!Overlay)
    return Overlay.takeError();
  if (Overlay->empty())
    removeOverlay(Folder);
  else if (Error E = writeOverlay(Folder, *Overlay)) {
    removeOverlay(Folder);
    return std::move(E);
  }
  // Messages about a source that stays unchanged are shown only on request.
  errs() << (!Overlay->empty() || wantsRemarks()
                 ? Result->Messages
                 : selectWarnings(Result->Messages));
  const ProgramNeed Need = unpackProgramNeed(Result->Product);
  if (Program && !Program->Launches && Need != ProgramNeed::None)
    errs() << "cuda-opt: warning: " << Compile.source()
           << ": launches of its kernels by other files count as unknown: "
           << Program->Problem << '\n';
  if (Program && (!Program->Launches || Need != ProgramNeed::Rests))
    Program.reset();
  return RewrittenSource{std::move(*Overlay), std::move(Program)};
}

/// Adds \p Files to the prerequisites of the first rule in the dependency file
/// \p Text, and an empty rule for each, so that make does not fail when one is
/// deleted (as -MP does).
static void addDependencies(ArrayRef<std::string> Files, std::string &Text) {
  size_t End = Text.find('\n');
  while (End != std::string::npos && End > 0 && Text[End - 1] == '\\')
    End = Text.find('\n', End + 1);
  if (End == std::string::npos)
    return;
  std::string Added, Rules;
  for (const std::string &Path : Files) {
    Added += " \\\n  " + escapeForMake(Path);
    Rules += escapeForMake(Path) + ":\n"; // Make may do without it.
  }
  Text.insert(End, Added);
  Text += (Text.back() == '\n' ? "" : "\n") + Rules;
}

/// Returns the files that the product depends on without the compiler's
/// knowledge: configuration files and, with --whole-program, other sources.
static std::vector<std::string>
listOwnDependencies(const RewrittenSource &Source,
                    const EffectiveOptions &Effective,
                    const LaunchedCompile &Compile) {
  std::vector<std::string> Files;
  for (const auto &[Path, Text] : Effective.Files)
    Files.push_back(Path);
  if (Source.Program)
    append_range(Files, Source.Program->listFiles(Compile.cudaPath()));
  return Files;
}

/// Corrects the dependency file that the compiler wrote: the originals replace
/// the overlay's files, and \p More is added.
static void correctDependencies(const LaunchedCompile &Compile,
                                ArrayRef<OverlayFile> Files,
                                ArrayRef<std::string> More) {
  SmallString<128> Path(Compile.Command.DependencyFile);
  if (Path.empty()) {
    Path = Compile.productPath();
    sys::path::replace_extension(Path, "d");
  }
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return;
  std::string Result = (*Text)->getBuffer().str();
  for (const OverlayFile &File : Files) {
    SmallString<128> Written(sys::path::parent_path(Compile.rewrittenPath()));
    sys::path::append(Written, File.Name);
    const std::string From = escapeForMake(Written);
    const std::string To = escapeForMake(File.Original);
    for (size_t At = 0; (At = Result.find(From, At)) != std::string::npos;
         At += To.size())
      Result.replace(At, From.size(), To);
  }
  if (Compile.writesDependencies())
    addDependencies(More, Result);
  if (Result != (*Text)->getBuffer())
    consumeError(writeFile(Path, Result));
}

/// Runs the compiler, on the overlay if \p IsRewritten, and then removes the
/// overlay: messages, debuggers and dependencies name the originals anyway.
static std::optional<int> compile(const CommandLine &Line,
                                  const LaunchedCompile &Compile,
                                  bool IsRewritten, ChildRunner &Runner) {
  const std::optional<int> Status =
      Runner.run(IsRewritten ? Compile.wordsForRewritten() : Line.Compiler);
  if (IsRewritten && !Compile.Command.KeepsFiles)
    removeOverlay(sys::path::parent_path(Compile.rewrittenPath()));
  return Status;
}

/// The steps are: read the command; rewrite the source in child processes;
/// compile the rewritten source; on any failure, compile the original instead.
/// The compiler replaces this process wherever nothing remains to be done after
/// it, so that signals and exit codes need no translation.
int cudaopt::launchCompiler(const CommandLine &Line) {
  ChildRunner Runner;
  if (sys::Process::GetEnv("CUDAOPT_DISABLE").value_or("0") != "0")
    return become(Line.Compiler, Runner);
  auto Give = [&](const Twine &Source, Error E, StringRef Fallback) -> int {
    const std::string Why = toString(std::move(E));
    if (const int Signal = Runner.received())
      return dieBy(Signal); // The signal is the reason for the failure.
    if (Fallback == "error")
      return reportError(ExitBadInput, createStringError(Source + Why));
    if (Fallback != "silent")
      errs() << "cuda-opt: warning: " << Source << Why
             << "; compiling the original\n";
    return become(Line.Compiler, Runner);
  };
  Expected<std::optional<LaunchedCompile>> Compile =
      readLaunchedCompile(Line.Compiler);
  if (!Compile)
    return Give("", Compile.takeError(), Line.Opts.Fallback);
  if (!*Compile)
    return become(Line.Compiler, Runner);
  // If the compiler does not exist, it is run right away, so that the message
  // appears only once.
  ErrorOr<std::string> Program = sys::findProgramByName(Line.Compiler.front());
  if (!Program || !sys::fs::can_execute(*Program))
    return become(Line.Compiler, Runner);
  Expected<EffectiveOptions> Effective =
      resolveOptions(Line.Opts, Line.Places, (*Compile)->source());
  if (!Effective)
    return reportError(ExitBadCommand, Effective.takeError());
  const StringRef Fallback = Effective->Opts.Fallback;
  const std::string Source = (*Compile)->source() + ": ";
  Expected<RewrittenSource> Rewritten =
      SourceRewriter(Line, **Compile, *Effective, Runner).run();
  if (!Rewritten)
    return Give(Source, Rewritten.takeError(), Fallback);
  const std::vector<OverlayFile> &Files = Rewritten->Files;
  const std::vector<std::string> More =
      listOwnDependencies(*Rewritten, *Effective, **Compile);
  const bool NamesFiles = !More.empty() && (*Compile)->writesDependencies();
  if (Files.empty() && !NamesFiles)
    return become(Line.Compiler, Runner);
  const std::optional<int> Status =
      compile(Line, **Compile, /*IsRewritten=*/!Files.empty(), Runner);
  const bool IsDone = Status && WIFEXITED(*Status) && !WEXITSTATUS(*Status);
  // A compiler whose own child was interrupted may exit with an ordinary code.
  if (const int Signal = Runner.received(); Signal && !IsDone)
    return Status && WIFSIGNALED(*Status) ? endLike(*Status) : dieBy(Signal);
  if (!Status)
    return reportNotRun(Line.Compiler.front(), errno);
  // If the rewritten source does not compile, the original decides whether the
  // user's code or the rewrite is at fault.
  if (!Files.empty() && !IsDone && WIFEXITED(*Status) && Fallback != "error")
    return Give(
        Source,
        createStringError((*Compile)->Command.What == NvccCommand::Action::Link
                              ? "what it became does not compile or link"
                              : "what it became does not compile"),
        Fallback);
  // A build system would not notice that another file, on which this product
  // rests, was edited before the product was finished.
  if (!Files.empty() && Rewritten->Program && !Rewritten->Program->Seen.hold())
    return Give(Source, createStringError("the program was changed meanwhile"),
                Fallback);
  correctDependencies(**Compile, Files, More);
  return endLike(*Status);
}
