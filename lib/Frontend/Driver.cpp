// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses each input with clang, bodies of functions only where the pipeline
/// wants them, and delivers what the pipeline makes of it. Clang is stricter
/// than nvcc: its errors are shown only if the file is no CUDA C++ at all.
//===----------------------------------------------------------------------===//

#include "cudaopt/Frontend/Driver.h"
#include "cudaopt/Frontend/Delivery.h"
#include "cudaopt/Frontend/Output.h"
#include "cudaopt/Frontend/Pipeline.h"
#include "cudaopt/Frontend/Prelude.h"
#include "cudaopt/Transforms/Passes.h"

#include "OrderChoice.h"
#include "ReplacingFileSystem.h"

#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <algorithm>
#include <map>
#include <optional>

using namespace cudaopt;
using namespace llvm;
using clang::DiagnosticsEngine;

namespace {

/// What a parse left behind.
struct ParseResult {
  std::optional<PipelineResult> Pipeline; ///< Nothing if it never ran.
  std::string Remarks, Errors;            ///< As clang prints them.
  unsigned NumErrors = 0;
  bool IsFlagError = false;       ///< The flags are not clang's.
  bool IsVerified = false;        ///< -verify: errors are failed tests.
  std::vector<std::string> Files; ///< All that were read.
};

/// Prints remarks and errors, apart.
class HeldDiagnostics : public clang::DiagnosticConsumer {
public:
  explicit HeldDiagnostics(ParseResult &Result)
      : Result(Result), RemarkOS(Result.Remarks), ErrorOS(Result.Errors),
        Remarks(RemarkOS, Options), Errors(ErrorOS, Options) {
    Options.ShowColors = errs().has_colors();
    Options.ShowOptionNames = true;
  }

  void BeginSourceFile(const clang::LangOptions &Language,
                       const clang::Preprocessor *PP) override {
    Remarks.BeginSourceFile(Language, PP);
    Errors.BeginSourceFile(Language, PP);
  }
  void EndSourceFile() override {
    Remarks.EndSourceFile();
    Errors.EndSourceFile();
  }
  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    Result.NumErrors += Level >= DiagnosticsEngine::Error;
    if (Level != DiagnosticsEngine::Note) // A note goes where its owner went.
      Current = Level == DiagnosticsEngine::Remark ? &Remarks : &Errors;
    Current->HandleDiagnostic(Level, Info);
  }

private:
  ParseResult &Result;
  clang::DiagnosticOptions Options;
  raw_string_ostream RemarkOS, ErrorOS;
  clang::TextDiagnosticPrinter Remarks, Errors;
  clang::TextDiagnosticPrinter *Current = &Errors;
};

class PipelineAction : public clang::ASTFrontendAction {
public:
  PipelineAction(const Options &Opts, const RewriteJudges &Judges,
                 const Reordering &Orders, ParseResult &Result)
      : Opts(Opts), Judges(Judges), Orders(Orders), Result(Result) {}

  bool PrepareToExecuteAction(clang::CompilerInstance &CI) override {
    // The pipeline's consumer says which bodies it needs.
    CI.getFrontendOpts().SkipFunctionBodies = true;
    Result.IsVerified = CI.getDiagnosticOpts().VerifyDiagnostics;
    return true;
  }
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    return createPipeline(
        CI, Opts,
        [this](PipelineResult Pipeline) {
          Result.Pipeline = std::move(Pipeline);
        },
        Judges, Orders);
  }

private:
  const Options &Opts;
  const RewriteJudges &Judges;
  const Reordering &Orders;
  ParseResult &Result;
};

class PipelineTool : public clang::tooling::ToolAction {
public:
  PipelineTool(const Options &Opts, RewriteJudges Judges,
               const Reordering &Orders, ParseResult &Result)
      : Opts(Opts), Judges(std::move(Judges)), Orders(Orders), Result(Result) {}

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> Invocation,
                     clang::FileManager *Files,
                     std::shared_ptr<clang::PCHContainerOperations> PCHs,
                     clang::DiagnosticConsumer *) override {
    // Left alone, clang parses on with the flags it did understand.
    Result.IsFlagError = Result.NumErrors != 0;
    if (Result.IsFlagError)
      return false;
    // Without carets, clang prints no count of errors on its own.
    Invocation->getDiagnosticOpts().ShowCarets = false;
    clang::CompilerInstance CI(std::move(Invocation), std::move(PCHs));
    CI.setVirtualFileSystem(Files->getVirtualFileSystemPtr());
    CI.setFileManager(Files);
    // Dies before the instance.
    PipelineAction Action(Opts, Judges, Orders, Result);
    // The pipeline takes the client from the engine, which must own it.
    CI.createDiagnostics(new HeldDiagnostics(Result),
                         /*ShouldOwnClient=*/true);
    CI.createSourceManager();
    return CI.ExecuteAction(Action);
  }

private:
  const Options &Opts;
  const RewriteJudges Judges;
  const Reordering &Orders;
  ParseResult &Result;
};

/// The files of one run of the tool.
class Driver {
public:
  Driver(const CommandLine &Line, std::string ResourceDir)
      : Line(Line), ResourceDir(std::move(ResourceDir)),
        Out(Line.Opts, outs()) {}

  ExitCode process(const Input &In);
  ExitCode finish();

private:
  Expected<std::vector<std::string>> buildCommand(const Input &In,
                                                  StringRef Path);
  ParseResult parse(const Input &In, const std::vector<std::string> &Command,
                    const Options &Opts, const Reordering &Orders) const;
  ParseResult parseInBestOrder(const Input &In,
                               const std::vector<std::string> &Command,
                               StringRef Text) const;

  const CommandLine &Line;
  const std::string ResourceDir;
  Delivery Out;
  std::vector<FileReport> Reports;
  std::vector<std::string> Files;          ///< Read by any parse.
  std::map<std::string, Toolkit> Toolkits; ///< By --cuda-path.
};

} // namespace

ExitCode cudaopt::reportError(ExitCode Code, Error Message) {
  errs() << "cuda-opt: error: " << toString(std::move(Message)) << '\n';
  return Code;
}

/// Returns the text of \p File, which must be a regular file of text.
static Expected<std::string> readText(StringRef File) {
  sys::fs::file_status Status;
  std::error_code EC = sys::fs::status(File, Status);
  if (EC)
    return createStringError(File + ": " + EC.message());
  if (sys::fs::is_directory(Status))
    return createStringError(File + ": is a directory");
  if (!sys::fs::is_regular_file(Status))
    return createStringError(File + ": is not a regular file");
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return createStringError(File + ": " + Buffer.getError().message());
  StringRef Text = (*Buffer)->getBuffer();
  if (Text.contains('\0'))
    return createStringError(File + ": is a binary file");
  return Text.str();
}

Expected<std::vector<std::string>> Driver::buildCommand(const Input &In,
                                                        StringRef Path) {
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
  }
  std::string Arch = chooseArch(Line.Opts.Arch, In.Command.Archs);
  std::vector<std::string> Command = {Line.Executable};
  append_range(Command,
               IsPlain ? buildPlainFlags(In.Command, ResourceDir)
                       : buildClangFlags(In.Command, Arch, Cuda, ResourceDir));
  Command.push_back(Path.str());
  return clang::tooling::getClangSyntaxOnlyAdjuster()(Command, Path);
}

ParseResult Driver::parse(const Input &In,
                          const std::vector<std::string> &Command,
                          const Options &Opts, const Reordering &Orders) const {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(getPreludePath(), 0,
                  MemoryBuffer::getMemBuffer(getPreludeText()));
  SmallString<128> TextureHeader(ResourceDir);
  sys::path::append(TextureHeader, "include", getTextureHeader());
  sys::fs::make_absolute(TextureHeader);
  Memory->addFile(TextureHeader, 0,
                  MemoryBuffer::getMemBuffer(getTextureText()));
  auto Disk = makeIntrusiveRefCnt<ReplacingFileSystem>(
      IntrusiveRefCntPtr<vfs::FileSystem>(vfs::createPhysicalFileSystem()));
  for (const auto &[File, Text] : Orders.Texts)
    Disk->replace(File, Text);
  auto FS = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(Disk);
  FS->pushOverlay(Memory);
  if (!In.Directory.empty())
    FS->setCurrentWorkingDirectory(In.Directory);
  auto Files =
      makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), FS);

  ParseResult Result;
  std::string Arch = chooseArch(Line.Opts.Arch, In.Command.Archs);
  PipelineTool Action(Opts,
                      {createMachineChecker(In, Line.Executable, Arch),
                       createResourceMeter(In, Arch)},
                      Orders, Result);
  clang::tooling::ToolInvocation Invocation(
      Command, &Action, Files.get(),
      std::make_shared<clang::PCHContainerOperations>());
  HeldDiagnostics Diagnostics(Result); // Of clang's driver.
  Invocation.setDiagnosticConsumer(&Diagnostics);
  Invocation.run();
  SmallVector<clang::OptionalFileEntryRef> Read;
  if (!Opts.ListFiles.empty())
    Files->GetUniqueIDMapping(Read);
  for (clang::OptionalFileEntryRef File : Read)
    if (File && !Memory->exists(File->getName()))
      Result.Files.push_back(File->getFileEntry().tryGetRealPathName().str());
  return Result;
}

/// Another order of statements is tried in silence; the user hears of the text
/// that is delivered.
ParseResult Driver::parseInBestOrder(const Input &In,
                                     const std::vector<std::string> &Command,
                                     StringRef Text) const {
  OrderChoice Choice(Text);
  if (Line.Opts.Reorder) {
    Options Silent = Line.Opts;
    Silent.Print.clear();
    Silent.VerifyResources = false;
    if (Silent.Verify == "machine")
      Silent.Verify = "plan";
    Choice.choose(
        [&](const Reordering &Orders) {
          return parse(In, Command, Silent, Orders).Pipeline;
        },
        parseReuseChoice(Silent.Reuse) == ReuseChoice::Bytes);
  }
  std::vector<std::string> Wrong;
  while (true) {
    ParseResult Result = parse(In, Command, Line.Opts, Choice.current());
    if (!Result.Pipeline)
      return Result;
    append_range(Wrong, Result.Pipeline->WrongRewrites);
    if (Line.Opts.Print.empty() && Choice.declineUnused(*Result.Pipeline))
      continue;
    Choice.finish(*Result.Pipeline);
    Result.Pipeline->WrongRewrites = std::move(Wrong);
    return Result;
  }
}

ExitCode Driver::process(const Input &In) {
  Expected<std::string> Text = readText(In.File);
  if (!Text)
    return reportError(ExitBadInput, Text.takeError());
  SmallString<128> Path(In.File);
  if (!In.Directory.empty()) // The command does not run here.
    sys::fs::make_absolute(Path);
  auto Command = buildCommand(In, Path);
  if (!Command)
    return reportError(ExitBadInput, Command.takeError());

  ParseResult Result = parseInBestOrder(In, *Command, *Text);
  errs() << Result.Remarks;
  if (!Result.Pipeline || Result.Pipeline->HasParseErrors ||
      (Result.IsVerified && Result.NumErrors)) {
    errs() << Result.Errors;
    return Result.IsFlagError ? ExitBadCommand : ExitBadInput;
  }
  if (Result.NumErrors)
    errs() << "cuda-opt: warning: " << In.File << ": clang reports "
           << Result.NumErrors << (Result.NumErrors == 1 ? " error" : " errors")
           << "; the kernels they touch are kept; first: "
           << StringRef(Result.Errors).split('\n').first << '\n';

  Error E = Out.deliver(In.File, *Text, *Result.Pipeline);
  outs().flush();
  if (E)
    return reportError(ExitBadInput, std::move(E));
  if (!Line.Opts.Quiet)
    printSummary(Result.Pipeline->Report, errs());
  if (!Result.Pipeline->NotMeasured.empty())
    errs() << "cuda-opt: warning: " << In.File
           << ": resources were not compared: " << Result.Pipeline->NotMeasured
           << '\n';
  Reports.push_back(std::move(Result.Pipeline->Report));
  append_range(Files, Result.Files);
  for (const std::string &Wrong : Result.Pipeline->WrongRewrites)
    errs() << "cuda-opt: error: " << In.File
           << ": a rewrite was wrong and was not made: " << Wrong
           << "; this is a bug of cuda-opt: please report it, with the file\n";
  return Result.Pipeline->WrongRewrites.empty() ? ExitDone : ExitOurBug;
}

ExitCode Driver::finish() {
  if (Error E = writeReport(Line.Opts.Report, Reports))
    return reportError(ExitBadInput, std::move(E));
  if (!Line.Opts.ListFiles.empty()) {
    llvm::sort(Files);
    Files.erase(llvm::unique(Files), Files.end());
    if (Error E = writeFile(Line.Opts.ListFiles, join(Files, "\n") + "\n"))
      return reportError(ExitBadInput, std::move(E));
  }
  if (outs().has_error()) {
    outs().clear_error();
    return reportError(ExitBadInput,
                       createStringError("cannot write standard output"));
  }
  return Line.Opts.Check && Out.hasChanges() ? ExitWouldChange : ExitDone;
}

ExitCode cudaopt::runDriver(const CommandLine &Line) {
  Expected<std::vector<Input>> Inputs = findInputs(Line);
  if (!Inputs)
    return reportError(ExitBadCommand, Inputs.takeError());
  Expected<std::string> ResourceDir = findResourceDir(Line.Executable);
  if (!ResourceDir)
    return reportError(ExitBadInput, ResourceDir.takeError());
  Driver D(Line, std::move(*ResourceDir));
  ExitCode Code = ExitDone;
  for (const Input &In : *Inputs)
    Code = std::max(Code, D.process(In));
  return std::max(Code, D.finish());
}
