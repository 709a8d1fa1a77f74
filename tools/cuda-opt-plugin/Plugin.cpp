// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pipeline as a plugin of clang: `clang++ -fplugin=CudaOptPlugin.so
/// -fplugin-arg-cudaopt-<option>[=<value>] x.cu` compiles the rewritten text of
/// x.cu, which replaces the text of the main file before clang reads it.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/CommandLine.h"
#include "cudaopt/Driver/Plugin/PluginRewrite.h"
#include "cudaopt/Support/Diagnostics.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Frontend/Utils.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace clang;

static void reportError(DiagnosticsEngine &Diags, llvm::Error Message) {
  cudaopt::report(Diags, SourceLocation(), cudaopt::diag::err_bad_options)
      << llvm::toString(std::move(Message));
}

static std::string findAbsolutePath(CompilerInstance &CI,
                                    llvm::StringRef File) {
  llvm::SmallString<128> Path(File);
  CI.getFileManager().makeAbsolutePath(Path);
  return Path.str().str();
}

static void addDependency(CompilerInstance &CI, llvm::StringRef Path) {
  for (const auto &Collector : CI.getDependencyCollectors())
    Collector->maybeAddDependency(Path, /*FromModule=*/false,
                                  /*IsSystem=*/false, /*IsModuleFile=*/false,
                                  /*IsMissing=*/false);
}

/// Adds the configuration files to the dependencies of the product, so that a
/// build compiles \p File again when one of them changes.
static void addDependencies(CompilerInstance &CI, llvm::StringRef File,
                            const cudaopt::EffectiveOptions &Effective) {
  // With -MP clang writes no rule for the first dependency, which it takes for
  // the source; so the source must be added before the others.
  if (!Effective.Files.empty())
    addDependency(CI, llvm::sys::path::remove_leading_dotslash(File));
  for (const auto &[Path, Text] : Effective.Files)
    addDependency(CI, Path);
}

/// Makes clang compile \p Text as the main file, under its name.
static void replaceMainFile(SourceManager &Sources, llvm::StringRef Text) {
  const FileID Old = Sources.getMainFileID();
  const FileEntryRef File = *Sources.getFileEntryRefForID(Old);
  const SrcMgr::CharacteristicKind Kind =
      Sources.getFileCharacteristic(Sources.getLocForStartOfFile(Old));
  Sources.overrideFileContents(
      File, llvm::MemoryBuffer::getMemBufferCopy(Text, File.getName()));
  // A new file id, because the old one keeps the size of the old text.
  Sources.setMainFileID(Sources.createFileID(File, SourceLocation(), Kind));
}

namespace {

class PluginAction : public PluginASTAction {
public:
  bool ParseArgs(const CompilerInstance &CI,
                 const std::vector<std::string> &Args) override {
    if (isOwnParse(CI))
      return true;
    llvm::Error Failure = llvm::Error::success();
    for (const std::string &Argument : Args)
      if (!Failure)
        Failure = cudaopt::setOption(Argument, Said, Places);
    if (!Failure)
      Failure = cudaopt::validateForPlugin(Said);
    if (!Failure)
      return true;
    reportError(CI.getDiagnostics(), std::move(Failure));
    return false;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef File) override {
    if (CI.getLangOpts().CUDA && !CI.getLangOpts().HIP && !isOwnParse(CI))
      rewrite(CI, File);
    return std::make_unique<ASTConsumer>();
  }

private:
  /// Returns true for a parse by the pipeline. The registry of plugins belongs
  /// to the process, so that such parses would run the plugin again.
  static bool isOwnParse(const CompilerInstance &CI) {
    return CI.getFrontendOpts().Plugins.empty();
  }

  void rewrite(CompilerInstance &CI, StringRef File) {
    llvm::Expected<cudaopt::EffectiveOptions> Effective =
        cudaopt::resolveOptions(Said, Places, findAbsolutePath(CI, File));
    if (!Effective)
      return reportError(CI.getDiagnostics(), Effective.takeError());
    addDependencies(CI, File, *Effective);
    const cudaopt::Options &Opts = Effective->Opts;
    llvm::Expected<std::optional<std::string>> Text =
        cudaopt::rewriteMainFile(CI, File, Opts);
    if (Text) {
      if (*Text)
        replaceMainFile(CI.getSourceManager(), **Text);
      return;
    }
    if (Opts.Fallback == "error")
      return reportError(CI.getDiagnostics(), Text.takeError());
    std::string Why = llvm::toString(Text.takeError());
    if (Opts.Fallback != "silent")
      llvm::errs() << "cuda-opt: warning: " << File << ": " << Why
                   << "; compiling the original\n";
  }

  /// The options of the command line; a .cuda-opt may add others.
  cudaopt::Options Said;
  cudaopt::OptionPlaces Places;
};

} // namespace

static FrontendPluginRegistry::Add<PluginAction>
    Registration("cudaopt",
                 "rewrite CUDA shared arrays before they are parsed");
