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

#include "PipelineRun.h"

#include "clang/Basic/FileManager.h"
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
    // Left alone, clang parses on with the flags it did understand.
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

/// The files of one run of the tool.
class Driver {
public:
  Driver(const CommandLine &Line, std::string ResourceDir)
      : Line(Line), ResourceDir(std::move(ResourceDir)),
        Out(Line.Opts, outs()) {}

  ExitCode process(const Input &In);
  ExitCode finish();

private:
  Error writeFileNames() const;
  Expected<std::vector<std::string>> buildCommand(const Input &In,
                                                  StringRef Path);
  ParseResult parse(const Input &In, const std::vector<std::string> &Command,
                    const Options &Opts, const Reordering &Orders) const;

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
  const Toolkit *Cuda = nullptr;
  if (In.Command.usesToolkit()) {
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
  append_range(Command, buildClangFlags(In.Command, Arch, Cuda, ResourceDir));
  Command.push_back(Path.str());
  return clang::tooling::getClangSyntaxOnlyAdjuster()(Command, Path);
}

ParseResult Driver::parse(const Input &In,
                          const std::vector<std::string> &Command,
                          const Options &Opts, const Reordering &Orders) const {
  IntrusiveRefCntPtr<vfs::FileSystem> FS =
      createParseFiles(vfs::createPhysicalFileSystem(), Orders, ResourceDir);
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
  if (!Opts.ListFiles.empty() || !Opts.DependencyFile.empty())
    Result.Files = listReadFiles(*Files);
  return Result;
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

  ParseResult Result = parseInBestOrder(
      Line.Opts, *Text, [&](const Options &Opts, const Reordering &Orders) {
        return parse(In, *Command, Opts, Orders);
      });
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

/// Writes what was read, in the forms that the user asked for.
Error Driver::writeFileNames() const {
  const Options &Opts = Line.Opts;
  Error Failure = Error::success();
  if (!Opts.ListFiles.empty())
    Failure =
        joinErrors(std::move(Failure),
                   writeFile(Opts.ListFiles, join(Files, "\n") + "\n"));
  if (!Opts.DependencyFile.empty()) {
    std::string Rule = escapeForMake(Opts.Output) + ":";
    for (const std::string &File : Files)
      Rule += " \\\n  " + escapeForMake(File);
    Failure = joinErrors(std::move(Failure),
                         writeFile(Opts.DependencyFile, Rule + "\n"));
  }
  return Failure;
}

ExitCode Driver::finish() {
  if (Error E = writeReport(Line.Opts.Report, Reports))
    return reportError(ExitBadInput, std::move(E));
  llvm::sort(Files);
  Files.erase(llvm::unique(Files), Files.end());
  if (Error E = writeFileNames())
    return reportError(ExitBadInput, std::move(E));
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
  Expected<std::string> ResourceDir =
      findResourceDir(Line.Executable, Line.Flags);
  if (!ResourceDir)
    return reportError(ExitBadInput, ResourceDir.takeError());
  Driver D(Line, std::move(*ResourceDir));
  ExitCode Code = ExitDone;
  for (const Input &In : *Inputs)
    Code = std::max(Code, D.process(In));
  return std::max(Code, D.finish());
}
