// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds clang's command for a source, and runs one parse.
//===----------------------------------------------------------------------===//

#include "SourceParse.h"
#include "cudaopt/Driver/Delivery/Output.h"

#include "clang/Basic/FileManager.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace cudaopt;
using namespace llvm;

namespace {

class PipelineTool : public clang::tooling::ToolAction {
public:
  PipelineTool(const Options &Opts, RewriteJudges Judges,
               const Reordering &Orders, ParseResult &Result)
      : Opts(Opts), Judges(std::move(Judges)), Orders(Orders), Result(Result) {}

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> Invocation,
                     clang::FileManager *Files,
                     std::shared_ptr<clang::PCHContainerOperations> PCHs,
                     clang::DiagnosticConsumer *) override {
    // Otherwise clang would continue with the flags that it did understand.
    Result.IsFlagError = Result.NumErrors != 0;
    if (Result.IsFlagError)
      return false;
    return runPipeline(std::move(Invocation), Files, std::move(PCHs), Opts,
                       Judges, Orders, Result);
  }

private:
  const Options &Opts;
  const RewriteJudges Judges;
  const Reordering &Orders;
  ParseResult &Result;
};

} // namespace

Expected<std::vector<std::string>>
SourceParser::buildCommand(const Input &In, StringRef Path,
                           const Options &Opts) {
  const bool IsPlain = isPlainSource(In.Command, Path);
  const Toolkit *Cuda = nullptr;
  if (In.Command.usesToolkit() && !IsPlain) {
    auto Known = Toolkits.find(In.Command.CudaPath);
    if (Known == Toolkits.end()) {
      Expected<Toolkit> Found = findToolkit(In.Command.CudaPath);
      if (!Found)
        return Found.takeError();
      Known = Toolkits.try_emplace(In.Command.CudaPath, *Found).first;
    }
    Cuda = &Known->second;
    if (Error E = Cuda->checkArchs(In.Command.Archs))
      return std::move(E);
  }
  std::string Arch = chooseArch(Opts.Arch, In.Command.Archs);
  std::vector<std::string> Command = {Line.Executable};
  append_range(Command,
               IsPlain ? buildPlainFlags(In.Command, Path, ResourceDir)
                       : buildClangFlags(In.Command, Arch, Cuda, ResourceDir));
  Command.push_back(Path.str());
  return clang::tooling::getClangSyntaxOnlyAdjuster()(Command, Path);
}

/// Describes what the command does that the parse cannot reproduce. A scan
/// reads the text for each GPU that the command names. A launcher always
/// requests a GPU, so that its request does not say that the build uses this
/// GPU.
static CompileCommand readCompileCommand(const Input &In, const Options &Opts,
                                         bool OnlyScans) {
  const std::vector<std::string> &Archs = In.Command.Archs;
  const bool IsAsked = OnlyScans
                           ? llvm::all_of(Archs,
                                          [&](const std::string &Each) {
                                            return isArchStated(Each, Archs);
                                          })
                           : isArchStated(Opts.Arch, Archs);
  CompileCommand Result;
  // A launcher requests a GPU whatever the command says.
  Result.HasArch =
      IsAsked && !(Archs.empty() && (OnlyScans || !Opts.Overlay.empty()));
  Result.HostOption = In.Command.HostOption;
  Result.HasDirectives = In.Command.HasDirectives;
  Result.IncludedBy = In.IncludedBy;
  return Result;
}

ParseResult SourceParser::run(const ParseJob &J, const Options &Opts,
                              const Reordering &Orders,
                              RewriteJudges Judges) const {
  IntrusiveRefCntPtr<vfs::FileSystem> FS =
      createParseFiles(J.Disk, Orders, ResourceDir);
  if (!J.In.Directory.empty())
    (void)FS->setCurrentWorkingDirectory(J.In.Directory);
  auto Files =
      makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), FS);

  ParseResult Result;
  Result.HasColors = wantsColors(Opts.Color, errs());
  PipelineTool Action(Opts, std::move(Judges), Orders, Result);
  clang::tooling::ToolInvocation Invocation(
      J.Command, &Action, Files.get(),
      std::make_shared<clang::PCHContainerOperations>());
  HeldDiagnostics Diagnostics(Result, {}); // These come from clang's driver.
  Invocation.setDiagnosticConsumer(&Diagnostics);
  Invocation.run();
  if (!Opts.ListFiles.empty() || !Opts.DependencyFile.empty() || Opts.InPlace)
    Result.Files = listReadFiles(*Files);
  return Result;
}

ParseResult SourceParser::parse(const ParseJob &J, const Options &Opts,
                                const Reordering &Orders,
                                std::shared_ptr<const ProgramLaunches> Program,
                                bool OnlyScans) const {
  const std::string Arch = chooseArch(Opts.Arch, J.In.Command.Archs);
  RewriteJudges Judges = {createMachineChecker(J.In, Line.Executable, Arch),
                          createResourceMeter(J.In, Arch), std::move(Program),
                          OnlyScans, readCompileCommand(J.In, Opts, OnlyScans)};
  Judges.Work =
      createWorkJudge(Opts, [&](const Options &Silent, const Reordering &Texts,
                                RewriteJudges Counting) {
        return run(J, Silent, Texts, std::move(Counting));
      });
  return run(J, Opts, Orders, std::move(Judges));
}

std::unique_ptr<ParseJob> SourceParser::makeJob(const Input &In, Options Opts) {
  auto New = std::make_unique<ParseJob>();
  New->In = In;
  New->Opts = std::move(Opts);
  SmallString<128> Path(In.File);
  if (!In.Directory.empty()) // The command runs in another directory.
    (void)sys::fs::make_absolute(Path);
  if (Error E = buildCommand(In, Path, New->Opts).moveInto(New->Command))
    New->Problem = toString(std::move(E));
  return New;
}

/// The recording is shared with the judges, which compile the same source.
void SourceParser::openDisk(ParseJob &J) const {
  auto Known = Toolkits.find(J.In.Command.CudaPath);
  J.Disk = makeIntrusiveRefCnt<RecordingFileSystem>(
      IntrusiveRefCntPtr<vfs::FileSystem>(vfs::createPhysicalFileSystem()),
      listSystemFolders(Known == Toolkits.end() ? "" : Known->second.Path,
                        ResourceDir));
  J.In.Disk = J.Disk;
}
