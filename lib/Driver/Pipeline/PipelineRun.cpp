// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Sets up clang for one parse with the pipeline behind it.
//===----------------------------------------------------------------------===//

#include "PipelineRun.h"

#include "Launcher/ClockWatch.h"
#include "Parse/NvccParse.h"
#include "Parse/NvccSpelling.h"
#include "Parse/ParseFacts.h"
#include "Parse/PreludeImage.h"
#include "Parse/ReplacingFileSystem.h"
#include "cudaopt/Driver/Parse/Prelude.h"
#include "cudaopt/Driver/Pipeline/OrderChoice.h"
#include "cudaopt/Passes/KernelChoices.h"

#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/thread.h"
#include <optional>

using namespace cudaopt;
using namespace llvm;
using clang::DiagnosticsEngine;

HeldDiagnostics::HeldDiagnostics(ParseResult &Result,
                                 const clang::DiagnosticOptions &Wanted)
    : Result(Result), RemarkOS(Result.Remarks), ErrorOS(Result.Errors),
      Remarks(RemarkOS, Options), Errors(ErrorOS, Options) {
  Options.ShowColors = Result.HasColors;
  Options.ShowOptionNames = true;
  Options.ShowFixits = Wanted.ShowFixits;
  Options.ShowParseableFixits = Wanted.ShowParseableFixits;
  RemarkOS.enable_colors(Result.HasColors);
  ErrorOS.enable_colors(Result.HasColors);
}

void HeldDiagnostics::BeginSourceFile(const clang::LangOptions &Language,
                                      const clang::Preprocessor *PP) {
  Remarks.BeginSourceFile(Language, PP);
  Errors.BeginSourceFile(Language, PP);
}

void HeldDiagnostics::EndSourceFile() {
  Remarks.EndSourceFile();
  Errors.EndSourceFile();
}

void HeldDiagnostics::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                       const clang::Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (isHarmlessError(Info))
    return;
  Result.NumErrors += Level >= DiagnosticsEngine::Error;
  // Of warnings, only those about marks are ours. A note follows the diagnostic
  // that it belongs to.
  const bool IsOurs = Level == DiagnosticsEngine::Remark ||
                      (Level == DiagnosticsEngine::Warning &&
                       clang::DiagnosticIDs::IsCustomDiag(Info.getID()));
  if (Level != DiagnosticsEngine::Note)
    Current = IsOurs ? &Remarks : &Errors;
  Current->HandleDiagnostic(Level, Info);
}

namespace {

class PipelineAction : public clang::ASTFrontendAction {
public:
  PipelineAction(const Options &Opts, const RewriteJudges &Judges,
                 const Reordering &Orders, ParseResult &Result)
      : Opts(Opts), Judges(Judges), Orders(Orders), Result(Result) {}

  bool PrepareToExecuteAction(clang::CompilerInstance &CI) override {
    // The pipeline's consumer decides which bodies are parsed.
    CI.getFrontendOpts().SkipFunctionBodies = true;
    Result.IsVerified = CI.getDiagnosticOpts().VerifyDiagnostics;
    return true;
  }
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    CI.getPreprocessor().addPPCallbacks(
        std::make_unique<ClockWatch>(Result.Seen));
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

} // namespace

/// The layers, from bottom to top: the disk; reordered texts; respelling for
/// clang, which also applies to reordered texts; files that exist in memory
/// only.
IntrusiveRefCntPtr<vfs::OverlayFileSystem>
cudaopt::createParseFiles(IntrusiveRefCntPtr<vfs::FileSystem> Disk,
                          const Reordering &Orders, StringRef ResourceDir) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(getPreludePath(), 0,
                  MemoryBuffer::getMemBuffer(getPreludeText()));
  SmallString<128> TextureHeader(ResourceDir);
  sys::path::append(TextureHeader, "include", getTextureHeader());
  (void)sys::fs::make_absolute(TextureHeader);
  Memory->addFile(TextureHeader, 0,
                  MemoryBuffer::getMemBuffer(getTextureText()));
  auto Replacing = makeIntrusiveRefCnt<ReplacingFileSystem>(std::move(Disk));
  for (const auto &[File, Text] : Orders.Texts)
    Replacing->replace(File, Text);
  auto FS = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(
      makeIntrusiveRefCnt<SpellingFileSystem>(std::move(Replacing)));
  FS->pushOverlay(std::move(Memory));
  return FS;
}

std::vector<std::string>
cudaopt::listReadFiles(const clang::FileManager &Files) {
  SmallVector<clang::OptionalFileEntryRef> Read;
  Files.GetUniqueIDMapping(Read);
  std::vector<std::string> Names;
  for (clang::OptionalFileEntryRef File : Read) {
    StringRef Name = File ? File->getFileEntry().tryGetRealPathName() : "";
    if (!Name.empty() &&
        sys::path::parent_path(Name) !=
            sys::path::parent_path(getPreludePath()) &&
        sys::path::filename(Name) != getTextureHeader())
      Names.push_back(Name.str());
  }
  return Names;
}

/// Executes \p Action on a large stack: searches of the syntax tree recurse,
/// and a sum of thousands of terms, as generators of programs write them, is as
/// deep.
static bool executeOnLargeStack(clang::CompilerInstance &CI,
                                clang::FrontendAction &Action) {
  const std::optional<unsigned> StackSize = 512u << 20;
  bool IsDone = false;
  llvm::thread Deep(StackSize, [&] { IsDone = CI.ExecuteAction(Action); });
  Deep.join();
  return IsDone;
}

bool cudaopt::runPipeline(std::shared_ptr<clang::CompilerInvocation> Invocation,
                          IntrusiveRefCntPtr<clang::FileManager> Files,
                          std::shared_ptr<clang::PCHContainerOperations> PCHs,
                          const Options &Opts, const RewriteJudges &Judges,
                          const Reordering &Orders, ParseResult &Result) {
  // With carets, clang also prints a count of errors.
  Invocation->getDiagnosticOpts().ShowCarets = false;
  readAsNvcc(*Invocation,
             cast<vfs::OverlayFileSystem>(Files->getVirtualFileSystem()));
  const FileFacts OfImage = beginWithPreludeImage(*Invocation, *Files, PCHs);
  Result.Seen.add(OfImage);
  clang::CompilerInstance CI(std::move(Invocation), std::move(PCHs));
  CI.setVirtualFileSystem(Files->getVirtualFileSystemPtr());
  CI.setFileManager(Files);
  // The action is destroyed before the compiler instance.
  PipelineAction Action(Opts, Judges, Orders, Result);
  // The pipeline takes the client from the engine, which must own it.
  CI.createDiagnostics(new HeldDiagnostics(Result, CI.getDiagnosticOpts()),
                       /*ShouldOwnClient=*/true);
  CI.createSourceManager();
  const bool IsDone = executeOnLargeStack(CI, Action);
  for (const std::string &Name : OfImage.listReadFiles())
    (void)Files->getOptionalFileRef(Name); // The image's files were read, too.
  return IsDone;
}

/// Returns the options of a parse that nobody sees.
static Options makeSilent(Options Opts) {
  Opts.Print.clear();
  Opts.Reports.clear();
  Opts.VerifyResources = Opts.CompileCheck = false;
  if (Opts.Verify == "machine")
    Opts.Verify = "plan";
  return Opts;
}

WorkJudge cudaopt::createWorkJudge(
    const Options &Opts,
    std::function<ParseResult(const Options &, const Reordering &,
                              RewriteJudges)>
        Run) {
  return [Silent = makeSilent(Opts),
          Run = std::move(Run)](const std::map<std::string, std::string> &Texts,
                                const std::vector<CountedLaunch> &Launches) {
    Reordering New;
    New.Texts = Texts;
    RewriteJudges Counting;
    Counting.Counted = Launches;
    const ParseResult Result = Run(Silent, New, std::move(Counting));
    return Result.Pipeline ? Result.Pipeline->Works
                           : std::vector<std::optional<KernelWork>>();
  };
}

/// Chooses an order by silent trial parses, then parses for delivery. The
/// passes may still decide differently in the delivered parse, for example
/// because a judge refuses the new storage; then the order serves nothing and
/// is reverted, and the file is parsed once more. Rewrites that a judge refuted
/// are reported although that text is not delivered.
ParseResult cudaopt::parseInBestOrder(
    const Options &Opts, StringRef Text,
    function_ref<ParseResult(const Options &, const Reordering &)> Parse) {
  OrderChoice Choice(Text);
  if (Opts.runsPass("reorder")) {
    const Options Silent = makeSilent(Opts);
    Choice.choose(
        [&](const Reordering &Orders) {
          return Parse(Silent, Orders).Pipeline;
        },
        is_contained(split(Silent.Reuse, ','), "bytes"));
  }
  std::vector<std::string> Wrong;
  while (true) {
    ParseResult Result = Parse(Opts, Choice.current());
    if (!Result.Pipeline)
      return Result;
    append_range(Wrong, Result.Pipeline->WrongRewrites);
    if (Opts.Print.empty() && Choice.declineUnused(*Result.Pipeline))
      continue;
    Choice.finish(*Result.Pipeline);
    Result.Pipeline->WrongRewrites = std::move(Wrong);
    return Result;
  }
}
