// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pipeline as a plugin of clang: `clang++ -fplugin=CudaOptPlugin.so
/// -fplugin-arg-cudaopt-<option>[=<value>] x.cu`. The file that clang compiles
/// stays what it is; the plugin reports, and writes where its options say.
//===----------------------------------------------------------------------===//

#include "cudaopt/Frontend/Delivery.h"
#include "cudaopt/Frontend/Options.h"
#include "cudaopt/Frontend/Pipeline.h"
#include "cudaopt/Frontend/ReportFiles.h"
#include "cudaopt/Support/Diagnostics.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

using namespace clang;

static bool setOption(bool &Field, llvm::StringRef Value) {
  Field = true;
  return Value.empty();
}

static bool setOption(std::string &Field, llvm::StringRef Value) {
  Field = Value.str();
  return !Value.empty();
}

static bool setOption(std::vector<std::string> &Field, llvm::StringRef Value) {
  Field.push_back(Value.str());
  return !Value.empty();
}

/// Sets what "key=value" or "key" says; returns false if it is no option.
static bool setOption(llvm::StringRef Argument, cudaopt::Options &Opts) {
  auto [Key, Value] = Argument.split('=');
#define OPTION(Type, Field, Name, Default, ValueName, Description)             \
  if (Key == Name)                                                             \
    return setOption(Opts.Field,                                               \
                     Value.empty() && !Argument.contains('=')                  \
                         ? cudaopt::getDefaultValue(ValueName).value_or("")    \
                         : Value);
#include "cudaopt/Frontend/Options.def"
  return false;
}

/// Returns true if the options leave nothing to print or write but remarks; the
/// tool would print the source.
static bool isSilent(const cudaopt::Options &Opts) {
  return Opts.Output.empty() && Opts.OutputDir.empty() && !Opts.InPlace &&
         !Opts.Diff && !Opts.Check;
}

static void reportError(DiagnosticsEngine &Diags, cudaopt::diag::Kind Kind,
                        llvm::Error Message) {
  cudaopt::report(Diags, SourceLocation(), Kind)
      << llvm::toString(std::move(Message));
}

static void deliver(CompilerInstance &CI, const cudaopt::Options &Opts,
                    llvm::StringRef File, cudaopt::PipelineResult Result) {
  if (Result.HasParseErrors)
    return; // Clang has said so.
  const SourceManager &Sources = CI.getSourceManager();
  if (!isSilent(Opts)) {
    cudaopt::Delivery Out(Opts, llvm::outs());
    if (llvm::Error E = Out.deliver(
            File, Sources.getBufferData(Sources.getMainFileID()), Result))
      reportError(CI.getDiagnostics(), cudaopt::diag::err_cannot_write,
                  std::move(E));
  }
  cudaopt::reportChanges(Result);
  if (llvm::Error E = cudaopt::writeReports(Opts, Result.Report))
    reportError(CI.getDiagnostics(), cudaopt::diag::err_cannot_write,
                std::move(E));
}

namespace {

class PluginAction : public PluginASTAction {
public:
  bool ParseArgs(const CompilerInstance &CI,
                 const std::vector<std::string> &Args) override {
    for (const std::string &Argument : Args) {
      if (setOption(Argument, Opts))
        continue;
      cudaopt::report(CI.getDiagnostics(), SourceLocation(),
                      cudaopt::diag::err_unknown_argument)
          << Argument;
      return false;
    }
    llvm::Error E = cudaopt::validate(Opts);
    if (!E && Opts.Verify == "machine")
      E = llvm::createStringError("verify=machine is an option of the tool: "
                                  "the plugin cannot compile the file again");
    if (!E && Opts.Reorder)
      E = llvm::createStringError("reorder is an option of the tool: the "
                                  "plugin cannot parse the file again");
    if (!E)
      return true;
    reportError(CI.getDiagnostics(), cudaopt::diag::err_bad_options,
                std::move(E));
    return false;
  }

  ActionType getActionType() override { return AddAfterMainAction; }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef File) override {
    // A CUDA compile parses each file once for the host and once per GPU. The
    // jobs do not know of each other: of several GPUs, the user picks one.
    bool IsOurJob = CI.getLangOpts().CUDAIsDevice &&
                    (Opts.Arch.empty() || Opts.Arch == CI.getTargetOpts().CPU);
    if (!IsOurJob)
      return std::make_unique<ASTConsumer>();
    // This action dies before its consumer runs: the callback owns its options.
    return cudaopt::createPipeline(
        CI, Opts,
        [&CI, Opts = Opts, File = File.str()](cudaopt::PipelineResult Result) {
          deliver(CI, Opts, File, std::move(Result));
        });
  }

private:
  cudaopt::Options Opts;
};

} // namespace

static FrontendPluginRegistry::Add<PluginAction>
    Registration("cudaopt", "optimize the layout of CUDA shared arrays");
