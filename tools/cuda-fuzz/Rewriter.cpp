// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs cuda-opt's pipeline and the device compiler on text in memory.
//===----------------------------------------------------------------------===//

#include "Rewriter.h"

#include "cudaopt/Driver/Pipeline/OrderChoice.h"
#include "cudaopt/Driver/Pipeline/Pipeline.h"

#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <optional>

using namespace llvm;

namespace cudaopt::fuzz {

namespace {

constexpr StringLiteral TextPath = "/cuda-fuzz/kernels.cu";
constexpr StringLiteral Arch = "sm_90";

/// Keeps the first error.
class FirstError : public clang::DiagnosticConsumer {
public:
  explicit FirstError(std::string &Message) : Message(Message) {}
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < clang::DiagnosticsEngine::Error || !Message.empty())
      return;
    SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    Message = Text.str();
    if (Info.hasSourceManager() && Info.getLocation().isValid())
      Message = Info.getLocation().printToString(Info.getSourceManager()) +
                ": " + Message;
  }

private:
  std::string &Message;
};

class RewriteAction : public clang::ASTFrontendAction {
public:
  RewriteAction(const Options &Opts, const Reordering &Orders,
                std::optional<PipelineResult> &Result)
      : Opts(Opts), Orders(Orders), Result(Result) {}
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    return createPipeline(
        CI, Opts,
        [this](PipelineResult Pipeline) { Result = std::move(Pipeline); }, {},
        Orders);
  }

private:
  const Options &Opts;
  const Reordering &Orders;
  std::optional<PipelineResult> &Result;
};

class RewriteTool : public clang::tooling::ToolAction {
public:
  RewriteTool(const Options &Opts, const Reordering &Orders)
      : Opts(Opts), Orders(Orders) {}
  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> Invocation,
                     clang::FileManager *Files,
                     std::shared_ptr<clang::PCHContainerOperations> PCHs,
                     clang::DiagnosticConsumer *) override {
    clang::CompilerInstance CI(std::move(Invocation), std::move(PCHs));
    CI.setVirtualFileSystem(Files->getVirtualFileSystemPtr());
    CI.setFileManager(Files);
    RewriteAction Action(Opts, Orders, Result);
    CI.createDiagnostics(new FirstError(Message), /*ShouldOwnClient=*/true);
    CI.createSourceManager();
    return CI.ExecuteAction(Action);
  }

  std::optional<PipelineResult> Result;
  std::string Message;

private:
  const Options &Opts;
  const Reordering &Orders;
};

} // namespace

std::string LoadedProgram::findKernel(StringRef Name) const {
  for (const std::string &Mangled : Image->kernels())
    if (StringRef(Mangled).contains(Name))
      return Mangled;
  return "";
}

/// The texts need neither the toolkit's headers nor libdevice.
Expected<Rewriter> Rewriter::create(const char *Executable, Options Opts) {
  Rewriter Result;
  Result.Opts = std::move(Opts);
  Result.Executable = Executable;
  Result.In.File = TextPath.str();
  if (Error E = findResourceDir(Executable).moveInto(Result.ResourceDir))
    return std::move(E);
  std::vector<std::string> Flags = {"-nocudainc", "-nocudalib"};
  if (Error E = readNvccCommand(Flags).moveInto(Result.In.Command))
    return std::move(E);
  return Result;
}

/// Adds the refusals by the two checks of plans: each shows that cuda-opt made
/// a wrong plan, which it then dropped.
static void addRefusals(const KernelReport &Kernel,
                        std::vector<RefusedKernel> &Refusals) {
  auto Add = [&](StringRef Reason, StringRef Message) {
    if (Reason == "verification-failed" || Reason == "code-disagrees")
      Refusals.push_back({Kernel.Name, (Reason + ": " + Message).str()});
  };
  if (Kernel.Storage)
    Add(Kernel.Storage->Reason, Kernel.Storage->Message);
  for (const ArrayReport &Array : Kernel.Arrays)
    Add(Array.Reason, Array.Message);
}

/// Runs the pipeline once. The text exists in memory only.
Expected<PipelineResult> Rewriter::run(StringRef Text,
                                       const Reordering &Orders) const {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  const auto Ordered = Orders.Texts.find(TextPath.str());
  Memory->addFile(TextPath, 0,
                  MemoryBuffer::getMemBuffer(
                      Ordered == Orders.Texts.end() ? Text : Ordered->second));
  auto FS =
      makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
  FS->pushOverlay(Memory);
  auto Files =
      makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), FS);
  std::vector<std::string> Command = {Executable};
  append_range(Command,
               buildClangFlags(In.Command, Arch, nullptr, ResourceDir));
  Command.push_back(TextPath.str());
  RewriteTool Tool(Opts, Orders);
  clang::tooling::ToolInvocation Invocation(
      clang::tooling::getClangSyntaxOnlyAdjuster()(Command, TextPath), &Tool,
      Files.get(), std::make_shared<clang::PCHContainerOperations>());
  FirstError Client(Tool.Message);
  Invocation.setDiagnosticConsumer(&Client);
  Invocation.run();
  if (!Tool.Message.empty() || !Tool.Result)
    return createStringError("clang: " + Tool.Message);
  return std::move(*Tool.Result);
}

/// Rewrites in the order of statements that is best, as cuda-opt does.
Expected<Rewriting> Rewriter::rewrite(StringRef Text) const {
  OrderChoice Choice(Text);
  if (Opts.Reorder)
    Choice.choose(
        [&](const Reordering &Orders) {
          return expectedToOptional(run(Text, Orders));
        },
        Opts.Reuse == "bytes");
  Expected<PipelineResult> Result = run(Text, Choice.current());
  while (Result && Choice.declineUnused(*Result))
    Result = run(Text, Choice.current());
  if (!Result)
    return Result.takeError();
  Choice.finish(*Result);
  Rewriting Made;
  if (!Result->Edits.empty())
    Made.Edits = Result->Edits.begin()->second;
  for (const KernelReport &Kernel : Result->Report.Kernels)
    addRefusals(Kernel, Made.Refusals);
  return Made;
}

/// Compiles \p Text for the interpreter.
Expected<std::unique_ptr<LoadedProgram>> Rewriter::load(StringRef Text) const {
  Expected<IRCompiler> Compiler = IRCompiler::create(In, Executable, Arch);
  if (!Compiler)
    return Compiler.takeError();
  Compiler->replaceFile(TextPath, Text.str());
  auto Result = std::make_unique<LoadedProgram>();
  Expected<std::unique_ptr<Module>> M =
      Compiler->compileDevice(Result->Context);
  if (!M)
    return M.takeError();
  if (Error E = simt::DeviceImage::load(std::move(*M), Result->Memory)
                    .moveInto(Result->Image))
    return std::move(E);
  return std::move(Result);
}

} // namespace cudaopt::fuzz
