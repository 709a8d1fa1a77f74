// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the inputs, in parallel, and delivers the results in the order of the
/// command line. Clang is stricter than nvcc, so that its errors are shown only
/// if a file is not valid CUDA C++; otherwise they make the kernels that
/// contain them stay unchanged.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Driver.h"
#include "cudaopt/Driver/Command/ChangedLines.h"
#include "cudaopt/Driver/Delivery/Delivery.h"
#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Driver/Delivery/ReportFiles.h"
#include "cudaopt/Report/Baseline.h"
#include "cudaopt/Report/Writers.h"

#include "Parse/SourceParse.h"
#include "Scan/LaunchScan.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <memory>
#include <optional>
#include <set>

using namespace cudaopt;
using namespace llvm;

namespace {

/// The files of one run of the tool.
class Driver {
public:
  Driver(const CommandLine &Line, std::string ResourceDir,
         const Baseline *Known)
      : Line(Line), Known(Known), Parser(Line, std::move(ResourceDir)),
        Out(Line.Opts, writesToStandardOutput(Line.Opts) ? errs() : outs(),
            Known) {}

  /// Adds a file to work on.
  void add(const Input &In, EffectiveOptions Effective);
  /// Collects the launches of the files of \p Program. If one file cannot be
  /// read, a warning is printed and launches from other files stay unknown.
  void scan(ArrayRef<Input> Program);
  /// Reads the launches that another process has collected.
  Error readLaunches();
  ExitCode run();

private:
  Error writeFileNames() const;
  unsigned countThreads() const;
  void work(ParseJob &J) const;
  bool isStale(const ParseJob &J) const;
  ExitCode deliver(ParseJob &J);
  /// Writes the reports. \p Before is the worst exit code of the files.
  ExitCode finish(ExitCode Before);

  const CommandLine &Line;
  const Baseline *const Known; ///< May be null.
  SourceParser Parser;
  Delivery Out;
  std::vector<std::unique_ptr<ParseJob>> Jobs;
  std::shared_ptr<const ProgramLaunches> Program; ///< Set with --whole-program.
  std::vector<FileReport> Reports;
  std::vector<std::string> Files; ///< The files that some parse has read.
  FileFacts Seen;                 ///< The facts of all parses.
  /// The files that were edited in place, by real path.
  std::set<std::string> Edited;
};

} // namespace

ExitCode cudaopt::reportError(ExitCode Code, Error Message) {
  errs() << "cuda-opt: error: " << toString(std::move(Message)) << '\n';
  return Code;
}

/// Returns the text of \p File, which must be a regular text file.
static Expected<std::string> readText(StringRef File, vfs::FileSystem &Disk) {
  // The command may run in another directory.
  SmallString<128> Path(File);
  (void)sys::fs::make_absolute(Path);
  ErrorOr<vfs::Status> Status = Disk.status(Path);
  if (!Status)
    return createStringError(File + ": " + Status.getError().message());
  if (Status->isDirectory())
    return createStringError(File + ": is a directory");
  if (!Status->isRegularFile())
    return createStringError(File + ": is not a regular file");
  auto Buffer = Disk.getBufferForFile(Path);
  if (!Buffer)
    return createStringError(File + ": " + Buffer.getError().message());
  StringRef Text = (*Buffer)->getBuffer();
  if (Text.contains('\0'))
    return createStringError(File + ": is a binary file");
  return Text.str();
}

/// Returns facts about the options files and configuration files of \p In,
/// which were read before any parse.
static FileFacts listSaid(const Input &In, const EffectiveOptions &Effective) {
  FileFacts Seen;
  for (const auto &Files : {In.Command.Files, Effective.Files})
    for (const auto &[Name, Text] : Files) {
      SmallString<128> Path(Name);
      (void)sys::fs::make_absolute(Path);
      Seen.addText(Path.str().str(), Text);
    }
  for (const std::string &Path : Effective.Absent)
    Seen.addAbsent(Path);
  return Seen;
}

void Driver::add(const Input &In, EffectiveOptions Effective) {
  FileFacts Said = listSaid(In, Effective);
  Jobs.push_back(Parser.makeJob(In, std::move(Effective.Opts)));
  Jobs.back()->Seen = std::move(Said);
}

void Driver::scan(ArrayRef<Input> Sources) {
  auto All = std::make_shared<ProgramLaunches>();
  for (const Input &In : Sources) {
    LaunchScan Found = scanLaunches(Parser, In, Line.Opts);
    Seen.add(Found.Seen);
    if (!Found.Launches) {
      errs() << "cuda-opt: warning: " << In.File
             << ": its launches cannot be read, so others than those of each "
                "file count as unknown; "
             << Found.Problem << '\n';
      return;
    }
    All->add(*Found.Launches);
  }
  Program = std::move(All);
}

Error Driver::readLaunches() {
  auto Buffer = MemoryBuffer::getFile(Line.LaunchesFile);
  if (!Buffer)
    return createFileError(Line.LaunchesFile, Buffer.getError());
  std::optional<ProgramLaunches> All =
      ProgramLaunches::unpack((*Buffer)->getBuffer());
  if (!All)
    return createStringError("the launches of the program cannot be read");
  Program = std::make_shared<ProgramLaunches>(std::move(*All));
  return Error::success();
}

/// Does the expensive part of \p J, the parses; called from several threads.
void Driver::work(ParseJob &J) const {
  if (!J.Problem.empty())
    return;
  Parser.openDisk(J);
  if (Error E = readText(J.In.File, *J.Disk).moveInto(J.Text)) {
    J.Problem = toString(std::move(E));
    return;
  }
  J.Result = parseInBestOrder(
      J.Opts, J.Text, [&](const Options &Opts, const Reordering &Orders) {
        ParseResult Each = Parser.parse(J, Opts, Orders, Program);
        J.Seen.add(Each.Seen);
        return Each;
      });
}

/// Returns true if a file that \p J has read was edited since.
bool Driver::isStale(const ParseJob &J) const {
  return any_of(J.Result.Files,
                [&](const std::string &File) { return Edited.count(File); });
}

/// Returns the line of the first error; for an error in a header, the lines "In
/// file included from" come before it.
static StringRef findFirstError(StringRef Errors) {
  for (StringRef Line : split(Errors, '\n'))
    if (Line.contains("error: "))
      return Line;
  return Errors.split('\n').first;
}

/// Prints the errors of \p Result, but not thousands of them: a file that is
/// not CUDA, or lacks a header, has that many.
static void printFirstErrors(const ParseResult &Result, raw_ostream &OS) {
  constexpr unsigned MostErrors = 20;
  unsigned NumPrinted = 0;
  StringRef Rest = Result.Errors;
  // The end of all lines so far, and of those that belong to an error.
  size_t End = 0, EndOfLast = 0;
  while (End != Rest.size()) {
    const StringRef Line = Rest.substr(End).split('\n').first;
    const bool IsError = Line.contains("error: ");
    if (!IsError && !Line.starts_with("In file included from"))
      EndOfLast = std::min(End + Line.size() + 1, Rest.size());
    if (IsError && NumPrinted++ == MostErrors) {
      OS << Rest.take_front(EndOfLast);
      OS << "cuda-opt: error: " << Result.NumErrors - MostErrors
         << " more errors are not shown\n";
      return;
    }
    if (IsError)
      EndOfLast = std::min(End + Line.size() + 1, Rest.size());
    End = std::min(End + Line.size() + 1, Rest.size());
  }
  OS << Rest;
}

ExitCode Driver::deliver(ParseJob &J) {
  if (!J.Problem.empty())
    return reportError(ExitBadInput, createStringError(J.Problem));
  const Input &In = J.In;
  ParseResult &Result = J.Result;
  errs() << Result.Remarks;
  if (!Result.Pipeline || Result.Pipeline->HasParseErrors ||
      (Result.IsVerified && Result.NumErrors)) {
    printFirstErrors(Result, errs());
    return Result.IsFlagError ? ExitBadCommand : ExitBadInput;
  }
  if (Result.NumErrors)
    errs() << "cuda-opt: warning: " << In.File << ": clang reports "
           << Result.NumErrors << (Result.NumErrors == 1 ? " error" : " errors")
           << "; the kernels they touch are kept; first: "
           << findFirstError(Result.Errors) << '\n';

  Error E = Out.deliver(In.File, J.Text, *Result.Pipeline);
  outs().flush();
  if (E)
    return reportError(ExitBadInput, std::move(E));
  if (Line.Opts.InPlace)
    for (const auto &[Path, Edits] : Result.Pipeline->Edits)
      if (!Edits.empty())
        Edited.insert(Path);
  if (!J.Opts.Quiet)
    printSummary(Result.Pipeline->Report, errs());
  if (!Result.Pipeline->NotMeasured.empty())
    errs() << "cuda-opt: warning: " << In.File << ": " << NotComparedText
           << ": " << Result.Pipeline->NotMeasured << '\n';
  reportChanges(*Result.Pipeline);
  Reports.push_back(std::move(Result.Pipeline->Report));
  append_range(Files, Result.Files);
  Seen.add(J.Seen);
  Seen.add(J.Disk->facts());
  for (const std::string &Wrong : Result.Pipeline->WrongRewrites)
    errs() << "cuda-opt: error: " << In.File
           << ": a rewrite was wrong and was not made: " << Wrong
           << "; this is a bug of cuda-opt: please report it, with the file\n";
  return Result.Pipeline->WrongRewrites.empty() ? ExitDone : ExitOurBug;
}

/// Returns the number of parser threads. With --print, one: stages are printed
/// while the pipeline passes them, which would interleave.
unsigned Driver::countThreads() const {
  if (Jobs.size() < 2 || !Line.Opts.Print.empty())
    return 1;
  unsigned Number = 0;
  if (StringRef(Line.Opts.Jobs).getAsInteger(10, Number))
    Number = hardware_concurrency().compute_thread_count();
  return std::min<size_t>(Number, Jobs.size());
}

/// Parses the files in parallel and delivers them in order. With -i, delivering
/// a header makes the results of later files that have read it stale; they are
/// parsed again.
ExitCode Driver::run() {
  const unsigned NumThreads = countThreads();
  std::vector<std::shared_future<void>> Done;
  std::optional<DefaultThreadPool> Pool;
  if (NumThreads > 1) {
    Pool.emplace(hardware_concurrency(NumThreads));
    for (const std::unique_ptr<ParseJob> &J : Jobs)
      Done.push_back(Pool->async([this, &J = *J] { work(J); }));
  }
  const bool ShowsProgress =
      Jobs.size() > 1 && !Line.Opts.Quiet && errs().is_displayed();
  ExitCode Code = ExitDone;
  for (size_t I = 0; I != Jobs.size(); ++I) {
    ParseJob &J = *Jobs[I];
    if (ShowsProgress)
      errs() << '[' << I + 1 << '/' << Jobs.size() << "] " << J.In.File;
    if (Pool)
      Done[I].wait();
    if (!Pool || isStale(J))
      work(J);
    if (ShowsProgress)
      errs() << "\r\x1b[K";
    Code = std::max(Code, deliver(J));
    Jobs[I]->Result = {};
  }
  return std::max(Code, finish(Code));
}

/// Writes the names of the files that were read, in the forms that the user
/// asked for.
Error Driver::writeFileNames() const {
  const Options &Opts = Line.Opts;
  Error Failure = Error::success();
  if (!Opts.ListFiles.empty())
    Failure = joinErrors(std::move(Failure),
                         writeFile(Opts.ListFiles, join(Files, "\n") + "\n"));
  if (!Opts.FileFacts.empty())
    Failure =
        joinErrors(std::move(Failure), writeFile(Opts.FileFacts, Seen.pack()));
  if (!Opts.DependencyFile.empty()) {
    std::string Rule = escapeForMake(Opts.Output) + ":";
    for (const std::string &File : Files)
      Rule += " \\\n  " + escapeForMake(File);
    Failure = joinErrors(std::move(Failure),
                         writeFile(Opts.DependencyFile, Rule + "\n"));
  }
  return Failure;
}

ExitCode Driver::finish(ExitCode Before) {
  Options Opts = Line.Opts;
  if (Before >= ExitBadInput && !Opts.WriteBaseline.empty()) {
    errs() << "cuda-opt: error: the baseline '" << Opts.WriteBaseline
           << "' is not written, since not all files could be read\n";
    Opts.WriteBaseline.clear();
  }
  if (Line.Opts.Statistics)
    printStatistics(Reports, errs());
  if (Error E = writeReports(Opts, Reports, Known))
    return reportError(ExitBadInput, std::move(E));
  llvm::sort(Files);
  Files.erase(llvm::unique(Files), Files.end());
  if (Error E = writeFileNames())
    return reportError(ExitBadInput, std::move(E));
  return Line.Opts.Check && Out.hasChanges() ? ExitWouldChange : ExitDone;
}

/// Sets \p Lines to the filter that --changed-lines stands for.
static Error findLines(const CommandLine &Line, ArrayRef<Input> Inputs,
                       std::string &Lines) {
  if (Line.Opts.ChangedLines.empty())
    return Error::success();
  std::vector<std::string> Sources;
  for (const Input &In : Inputs)
    Sources.push_back(In.File);
  return findChangedLines(Line.Opts.ChangedLines, Sources).moveInto(Lines);
}

ExitCode cudaopt::runDriver(const CommandLine &Line) {
  Expected<std::vector<Input>> Inputs = findInputs(Line);
  if (!Inputs)
    return reportError(ExitBadCommand, Inputs.takeError());
  Expected<std::string> ResourceDir =
      findResourceDir(Line.Executable, Line.Flags);
  if (!ResourceDir)
    return reportError(ExitBadInput, ResourceDir.takeError());
  std::string Lines = Line.Opts.Lines;
  if (Error E = findLines(Line, *Inputs, Lines))
    return reportError(ExitBadCommand, std::move(E));
  if (!Line.ScanFile.empty()) {
    SourceParser Parser(Line, std::move(*ResourceDir));
    return runLaunchScan(Line, Parser, Inputs->front());
  }
  std::optional<Baseline> Known;
  if (!Line.Opts.Baseline.empty()) {
    Expected<Baseline> Read = Baseline::read(Line.Opts.Baseline);
    if (!Read)
      return reportError(ExitBadCommand, Read.takeError());
    Known = std::move(*Read);
  }
  Driver D(Line, std::move(*ResourceDir), Known ? &*Known : nullptr);
  if (!Line.LaunchesFile.empty()) {
    if (Error E = D.readLaunches())
      return reportError(ExitBadInput, std::move(E));
  } else if (Line.Opts.WholeProgram && Line.Opts.Overlay.empty()) {
    Expected<std::vector<Input>> Program = findProgram(Line);
    if (!Program)
      return reportError(ExitBadCommand, Program.takeError());
    D.scan(*Program);
  }
  for (const Input &In : *Inputs) {
    Expected<EffectiveOptions> Effective =
        resolveOptions(Line.Opts, Line.Places, In.File);
    if (!Effective)
      return reportError(ExitBadCommand, Effective.takeError());
    Effective->Opts.Lines = Lines;
    D.add(In, std::move(*Effective));
  }
  return D.run();
}
