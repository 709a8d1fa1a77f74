// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the source for each GPU of a compilation before clang parses it, once
/// per command: the job that comes first leaves its result to the others in the
/// cache.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Plugin/PluginRewrite.h"
#include "Cache/RecordingFileSystem.h"
#include "DeviceJobs.h"
#include "Pipeline/CrashGuard.h"
#include "Pipeline/PipelineRun.h"
#include "cudaopt/Driver/Cache/CacheQuestion.h"
#include "cudaopt/Driver/Cache/ResultCache.h"
#include "cudaopt/Driver/Command/OptionTable.h"
#include "cudaopt/Driver/Delivery/Delivery.h"
#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Driver/Delivery/ReportFiles.h"
#include "cudaopt/Driver/Scan/Prescan.h"
#include "cudaopt/Support/Diagnostics.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace cudaopt;
using namespace llvm;

namespace {

/// The result for one GPU.
struct JobResult {
  std::string Text, Messages;
  FileFacts Seen; ///< The facts from which it was made.
  /// There were errors, which clang itself will report.
  bool HasErrors = false;
};

/// One -cc1 job of a compilation by clang.
class PluginJob {
public:
  PluginJob(clang::CompilerInstance &CI, StringRef File, StringRef Source,
            const Options &Opts)
      : CI(CI), File(File), Source(Source), Opts(Opts),
        Jobs(listDeviceJobs(CI.getInvocation())) {}

  Expected<std::string> run() const;

private:
  Expected<RewriteResult> analyseAll(FileFacts &Seen) const;
  Expected<std::string> runFirst(ArrayRef<std::string> Command) const;
  Expected<std::string> runLater(StringRef Text,
                                 ArrayRef<std::string> Command) const;
  Expected<JobResult> analyse(const DeviceJob &Job, bool Delivers) const;
  JobResult parse(const DeviceJob &Job, const Options &Opts,
                  ParseResult &Result) const;
  Error deliver(PipelineResult &Result) const;
  std::vector<std::string> ask(ArrayRef<std::string> Command,
                               ArrayRef<DeviceJob> About) const;
  /// Returns true if this job shows messages; jobs for other GPUs and for the
  /// host are silent.
  bool speaks() const { return Jobs.front().IsOwn; }
  bool wantsToSee() const {
    return Opts.Diff || Opts.Check || !Opts.Print.empty() || Opts.wantsReport();
  }

  clang::CompilerInstance &CI;
  const StringRef File, Source;
  const Options &Opts;
  const std::vector<DeviceJob> Jobs;
};

} // namespace

/// Returns the cache key: everything that decides the result except the headers
/// that are read. With an empty \p Command it is valid for any command. The
/// source is a part of the key because clang has read it already.
std::vector<std::string> PluginJob::ask(ArrayRef<std::string> Command,
                                        ArrayRef<DeviceJob> About) const {
  std::vector<std::string> Words = beginQuestion("plugin 2", Opts);
  append_values(Words, File.str(), hashContents(Source));
  Words.push_back(std::to_string(Command.size()));
  append_range(Words, Command);
  for (const DeviceJob &Job : About) {
    Words.push_back(std::to_string(Job.Arguments.size()));
    append_range(Words, Job.Arguments);
  }
  return Words;
}

/// Prints what the user asked to see, in the same way as the tool.
Error PluginJob::deliver(PipelineResult &Result) const {
  if (Opts.Diff || Opts.Check) {
    Delivery Out(Opts, outs());
    if (Error E = Out.deliver(File, Source, Result))
      return E;
    outs().flush();
  }
  reportChanges(Result);
  return writeReports(Opts, Result.Report);
}

/// Parses the source for one GPU with the pipeline behind it. The text is the
/// one that clang has read, not what the disk holds by now.
JobResult PluginJob::parse(const DeviceJob &Job, const Options &Opts,
                           ParseResult &Result) const {
  JobResult Made;
  const clang::HeaderSearchOptions &Search = CI.getHeaderSearchOpts();
  auto Disk = makeIntrusiveRefCnt<RecordingFileSystem>(
      CI.getVirtualFileSystemPtr(),
      listSystemFolders(findToolkitOf(Search), Search.ResourceDir));
  Disk->setText(File, Source);
  auto run = [&](const Options &Opts, const Reordering &Orders,
                 RewriteJudges Judges) {
    ParseResult Each;
    Each.HasColors = CI.getDiagnosticOpts().ShowColors;
    auto Files = makeIntrusiveRefCnt<clang::FileManager>(
        CI.getFileSystemOpts(),
        createParseFiles(Disk, Orders, Search.ResourceDir));
    if (auto Invocation = Job.createInvocation())
      runPipeline(std::move(Invocation), Files, CI.getPCHContainerOperations(),
                  Opts, Judges, Orders, Each);
    Made.Seen.add(Each.Seen);
    return Each;
  };
  RewriteJudges Judges;
  Judges.Work = createWorkJudge(Opts, run);
  Result = parseInBestOrder(Opts, Source,
                            [&](const Options &Opts, const Reordering &Orders) {
                              return run(Opts, Orders, Judges);
                            });
  Made.Seen.add(Disk->facts());
  return Made;
}

/// Parses the source for one GPU and applies the edits. A crash is caught: it
/// must not take clang with it.
Expected<JobResult> PluginJob::analyse(const DeviceJob &Job,
                                       bool Delivers) const {
  ParseResult Result;
  JobResult Made;
  Options Asked = Opts;
  if (!Delivers)
    Asked.Print.clear();
  const bool IsAlive = surviveCrash([&] { Made = parse(Job, Asked, Result); });
  if (!IsAlive)
    return createStringError("cuda-opt crashed");
  Made.HasErrors = !Result.Pipeline || Result.Pipeline->HasParseErrors;
  if (Made.HasErrors)
    return Made;
  Made.Messages = std::move(Result.Remarks);
  Expected<std::string> Text =
      Delivery(Opts, outs()).rewrite(File, Source, *Result.Pipeline);
  if (!Text)
    return Text.takeError();
  Made.Text = std::move(*Text);
  if (Made.Text != Source && !Opts.Quiet) {
    raw_string_ostream OS(Made.Messages);
    printSummary(Result.Pipeline->Report, OS);
  }
  if (Delivers)
    if (Error E = deliver(*Result.Pipeline))
      return std::move(E);
  return Made;
}

/// Parses the source for each GPU. The results must be equal: one text is
/// compiled for all. Adds to \p Seen the facts from which it was made.
Expected<RewriteResult> PluginJob::analyseAll(FileFacts &Seen) const {
  // A .cuda-opt applies to the tool as well, and may have options only for
  // that.
  if (Error E = validateForPlugin(Opts))
    return std::move(E);
  RewriteResult Result;
  for (const DeviceJob &Job : Jobs) {
    const bool IsFirst = &Job == &Jobs.front();
    Expected<JobResult> Made = analyse(Job, IsFirst && speaks());
    if (!Made)
      return Made.takeError();
    Seen.add(Made->Seen);
    if (Made->HasErrors)
      return RewriteResult{Source.str(), ""};
    if (IsFirst)
      Result = {std::move(Made->Text), std::move(Made->Messages)};
    else if (Result.Product != Made->Text)
      return createStringError("the rewrites for " + Jobs.front().Arch +
                               " and " + Job.Arch + " differ");
  }
  return Result;
}

/// Handles the job that comes first. There are three kinds of cache entries:
/// one for any command with these parses, which also serves later builds; one
/// for this driver run, which tells the other jobs the text; and one for this
/// driver run and each GPU's parse, which tells a later job that its parse was
/// among those that agreed.
Expected<std::string> PluginJob::runFirst(ArrayRef<std::string> Command) const {
  const ResultCache Known(ask({}, Jobs));
  // Clang's own overlay may show files that differ from those on the disk.
  const bool SeesDisk = CI.getHeaderSearchOpts().VFSOverlayFiles.empty();
  std::optional<RewriteResult> Result;
  if (!wantsToSee() && SeesDisk)
    Result = Known.find();
  std::string Problem;
  if (!Result) {
    FileFacts Seen;
    Expected<RewriteResult> Made = analyseAll(Seen);
    Result = Made ? *Made : RewriteResult{Source.str(), ""};
    if (!Made)
      Problem = toString(Made.takeError());
    else if (SeesDisk)
      Known.remember(*Result, Seen);
  }
  if (speaks())
    errs() << Result->Messages;
  if (!Command.empty()) {
    // The other jobs of this run must compile the same text.
    ResultCache(ask(Command, {})).remember(*Result, FileFacts());
    for (const DeviceJob &Job : Jobs)
      ResultCache(ask(Command, Job)).remember(*Result, FileFacts());
  }
  if (!Problem.empty())
    return createStringError(Problem);
  return Result->Product;
}

/// Handles a job that is not the first: an earlier job of the command made
/// \p Text. If that job did not know how this one parses (sm_90a,
/// -Xarch_sm_80), it is checked that the result would have been the same.
Expected<std::string> PluginJob::runLater(StringRef Text,
                                          ArrayRef<std::string> Command) const {
  auto Own = find_if(Jobs, [](const DeviceJob &Job) { return Job.IsOwn; });
  if (Own == Jobs.end() || ResultCache(ask(Command, *Own)).find())
    return Text.str();
  Expected<JobResult> Made = analyse(*Own, /*Delivers=*/false);
  if (!Made)
    return Made.takeError();
  if (!Made->HasErrors && Made->Text != Text)
    report(CI.getDiagnostics(), {}, diag::err_bad_options)
        << "the rewrite for " + Own->Arch + " differs from that for other GPUs";
  return Text.str();
}

Expected<std::string> PluginJob::run() const {
  if (Jobs.empty())
    return Source.str();
  const std::vector<std::string> Command = identifyDriverRun();
  if (!Command.empty())
    if (auto Earlier = ResultCache(ask(Command, {})).find())
      return runLater(Earlier->Product, Command);
  return runFirst(Command);
}

Expected<std::optional<std::string>>
cudaopt::rewriteMainFile(clang::CompilerInstance &CI, StringRef File,
                         const Options &Opts) {
  const clang::FrontendInputFile &Input = CI.getFrontendOpts().Inputs.front();
  if (!Input.isFile() || File == "-")
    return createStringError("it is not in a file");
  if (Input.getKind().isPreprocessed())
    return createStringError("it is preprocessed");
  const clang::SourceManager &Sources = CI.getSourceManager();
  StringRef Source = Sources.getBufferData(Sources.getMainFileID());
  std::string Text = Source.str();
  if (mayHoldKernels(Source, Opts))
    if (Error E = PluginJob(CI, File, Source, Opts).run().moveInto(Text))
      return std::move(E);
  if (Opts.Diff || Opts.Check || !Opts.Print.empty())
    return std::nullopt;
  if (!Opts.Output.empty())
    if (Error E = writeFile(Opts.Output, Text))
      return std::move(E);
  if (Text == Source)
    return std::nullopt;
  return Text;
}

Error cudaopt::validateForPlugin(const Options &Opts) {
  const std::pair<bool, StringRef> Refused[] = {
      {Opts.InPlace, "i"},
      {!Opts.OutputDir.empty(), "output-dir"},
      {!Opts.ListFiles.empty(), "list-files"},
      {!Opts.DependencyFile.empty(), "depfile"},
      {Opts.VerifyResources, "verify-resources"},
      {Opts.Verify == "machine", "verify=machine"}};
  for (auto [IsSet, Name] : Refused)
    if (IsSet)
      return createStringError("'" + Name +
                               "' is for the tool, not the plugin");
  return validate(Opts);
}
