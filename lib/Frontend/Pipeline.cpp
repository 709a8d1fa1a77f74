// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Frontend/Pipeline.h"
#include "cudaopt/Analysis/BankConflicts.h"
#include "cudaopt/Model/KernelBuilder.h"
#include "cudaopt/Model/TextBlockers.h"
#include "cudaopt/Rewrite/RewriteKernel.h"
#include "cudaopt/Support/Diagnostics.h"
#include "cudaopt/Transforms/Passes.h"
#include "cudaopt/Transforms/Verify.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace cudaopt {
namespace {

/// What clang met while it parsed, beside the AST.
struct ParseFacts {
  std::vector<SourceLocation> Errors;
  std::vector<SourceRange> Skipped; ///< By #if.
  bool HasParseErrors = false;
};

/// Notes the places of errors and hands everything on.
class ErrorRecorder : public DiagnosticConsumer {
public:
  ErrorRecorder(std::unique_ptr<DiagnosticConsumer> Next,
                std::shared_ptr<ParseFacts> Facts)
      : Next(std::move(Next)), Facts(std::move(Facts)) {}

  void BeginSourceFile(const LangOptions &Language,
                       const Preprocessor *PP) override {
    Next->BeginSourceFile(Language, PP);
  }
  void EndSourceFile() override { Next->EndSourceFile(); }
  void finish() override { Next->finish(); }
  bool IncludeInDiagnosticCounts() const override {
    return Next->IncludeInDiagnosticCounts();
  }
  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    Next->HandleDiagnostic(Level, Info);
    // nvcc only warns of it, and cuda::barrier lives on it; the AST is
    // complete.
    if (Level < DiagnosticsEngine::Error ||
        Info.getID() == clang::diag::err_shared_var_init)
      return;
    Facts->Errors.push_back(Info.getLocation());
    // A semantic error may be code that only nvcc accepts; a syntax error or a
    // missing file is not CUDA C++ for anyone.
    StringRef Category = DiagnosticIDs::getCategoryNameFromID(
        DiagnosticIDs::getCategoryNumberForDiag(Info.getID()));
    if (Level == DiagnosticsEngine::Fatal || Category == "Parse Issue" ||
        Category == "Lexical or Preprocessor Issue")
      Facts->HasParseErrors = true;
  }

private:
  std::unique_ptr<DiagnosticConsumer> Next;
  std::shared_ptr<ParseFacts> Facts;
};

class SkippedRangeRecorder : public PPCallbacks {
public:
  explicit SkippedRangeRecorder(std::shared_ptr<ParseFacts> Facts)
      : Facts(std::move(Facts)) {}
  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    Facts->Skipped.push_back(Range);
  }

private:
  std::shared_ptr<ParseFacts> Facts;
};

class Pipeline : public ASTConsumer {
public:
  Pipeline(Options Opts, std::shared_ptr<ParseFacts> Facts,
           std::function<void(PipelineResult)> Done)
      : Opts(std::move(Opts)), Facts(std::move(Facts)), Done(std::move(Done)) {}

  // Nothing in the toolkit's function bodies concerns us, and parsing them
  // takes half of the time.
  bool shouldSkipFunctionBody(Decl *D) override {
    const SourceManager &SM = D->getASTContext().getSourceManager();
    return SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()));
  }

  void HandleTranslationUnit(ASTContext &Context) override;

private:
  Plan planKernel(Kernel &K, const Target &T, ASTContext &Context);
  void rewriteKernel(const Kernel &K, Plan &P, ASTContext &Context, Edits &E);
  void keepWhatMustNotChange(const Kernel &K, Plan &P, ASTContext &Context);
  void print(const Kernel &K, const Target &T, const Plan &P) const;
  void remark(const Kernel &K, const Plan &P, DiagnosticsEngine &Diags) const;
  bool writesHeaders() const {
    return Opts.InPlace || Opts.Diff || Opts.Check || !Opts.OutputDir.empty();
  }

  const Options Opts; // A copy: a plugin action dies before its consumer runs.
  std::shared_ptr<ParseFacts> Facts;
  std::function<void(PipelineResult)> Done;
};

} // namespace

static Target chooseTarget(const Options &Opts, const ASTContext &Context) {
  StringRef Requested = Opts.Arch;
  if (Requested.empty())
    Requested = Context.getTargetInfo().getTargetOpts().CPU;
  std::optional<Target> T = findTarget(Requested);
  return T ? *T : *findTarget("sm_90");
}

static ModelOptions readModelOptions(const Options &Opts) {
  ModelOptions Result;
  if (Opts.Block.empty())
    return Result;
  Result.Block = {1, 1, 1};
  llvm::SmallVector<StringRef, 3> Parts;
  StringRef(Opts.Block).split(Parts, ',');
  for (auto [Size, Part] : llvm::zip(*Result.Block, Parts))
    (void)Part.getAsInteger(10, Size); // validate() has seen it.
  return Result;
}

/// The stages, top to bottom; each arrow can be printed with --print.
void Pipeline::HandleTranslationUnit(ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  PipelineResult Result;
  Result.Report.File =
      SM.getFileEntryRefForID(SM.getMainFileID())->getName().str();
  Result.HasParseErrors = Facts->HasParseErrors;
  if (Facts->HasParseErrors) {
    Done(std::move(Result));
    return;
  }
  const Target T = chooseTarget(Opts, Context);
  IslContext Isl;
  Edits AllEdits(SM, Context.getLangOpts());
  for (Kernel &K : buildKernels(Context, Isl, readModelOptions(Opts),
                                Facts->Errors)) { // AST   -> model
    Plan P = planKernel(K, T, Context);           // model -> plan
    rewriteKernel(K, P, Context, AllEdits);       // plan  -> edits
    print(K, T, P);
    remark(K, P, Context.getDiagnostics());
    Result.Report.Kernels.push_back(reportKernel(K, P, T, SM));
  }
  if (Opts.Print == "edits")
    AllEdits.print(llvm::outs());
  Result.Edits = AllEdits.byFile();
  for (const auto &[File, _] : Result.Edits)
    if (auto Ref = SM.getFileManager().getOptionalFileRef(File))
      if (auto Buffer =
              const_cast<SourceManager &>(SM).getMemoryBufferForFileOrNone(
                  *Ref))
        Result.Sources[File] = Buffer->getBuffer().str();
  Done(std::move(Result));
}

static void keep(LayoutDecision &Decision, Blocker Why) {
  Decision.New = Layout();
  Decision.WhyKept = std::move(Why);
  Decision.Cost.After = Decision.Cost.Before;
}

Plan Pipeline::planKernel(Kernel &K, const Target &T, ASTContext &Context) {
  findTextBlockers(K, Context, Facts->Skipped);
  Plan P;
  for (const PassInfo &Pass : allPasses())
    if (Opts.runsPass(Pass.Name, Pass.OnByDefault))
      Pass.Run(K, T, P);
  keepWhatMustNotChange(K, P, Context);
  if (llvm::Error E = verifyPlan(K, P, T, Context)) {
    std::string Rule = toString(std::move(E));
    for (auto &[Array, Decision] : P.Layouts)
      if (Decision.isRewritten())
        keep(Decision, {Reason::VerificationFailed, Rule,
                        K.Arrays[Array].Decl->getLocation()});
  }
  return P;
}

void Pipeline::keepWhatMustNotChange(const Kernel &K, Plan &P,
                                     ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  for (auto &[Array, Decision] : P.Layouts) {
    if (!Decision.isRewritten())
      continue;
    SourceLocation Loc = K.Arrays[Array].Decl->getLocation();
    FileID File = SM.getFileID(SM.getExpansionLoc(Loc));
    if (File == SM.getMainFileID())
      continue;
    // What is proved of the instances seen here need not hold for others.
    if (K.Decl->isDependentContext()) {
      keep(Decision, {Reason::TemplateInHeader, "", Loc});
      continue;
    }
    if (writesHeaders())
      continue;
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
    keep(Decision,
         {Reason::InHeader, Entry ? Entry->getName().str() : "", Loc});
  }
}

void Pipeline::rewriteKernel(const Kernel &K, Plan &P, ASTContext &Context,
                             Edits &E) {
  for (auto &[Array, Decision] : P.Layouts) {
    if (!Decision.isRewritten())
      continue;
    if (llvm::Error Failure = rewriteArray(K, Array, Decision.New, Context, E))
      keep(Decision, {Reason::NotEditable, toString(std::move(Failure)),
                      K.Arrays[Array].Decl->getLocation()});
  }
}

void Pipeline::print(const Kernel &K, const Target &T, const Plan &P) const {
  if (Opts.Print == "model")
    K.print(llvm::outs());
  else if (Opts.Print == "analysis")
    printConflicts(K, T, llvm::outs());
  else if (Opts.Print == "plan")
    P.print(K, llvm::outs());
}

static std::string format(double Count) {
  return llvm::formatv("{0}", llvm::format("%.10g", Count)).str();
}

void Pipeline::remark(const Kernel &K, const Plan &P,
                      DiagnosticsEngine &Diags) const {
  for (const auto &[Array, Decision] : P.Layouts) {
    const SharedArray &A = K.Arrays[Array];
    if (!Decision.isRewritten()) {
      SourceLocation Loc = Decision.WhyKept.Loc.isValid()
                               ? Decision.WhyKept.Loc
                               : A.Decl->getLocation();
      report(Diags, Loc, diag::remark_layout_kept)
          << A.Name << Decision.WhyKept.text();
      continue;
    }
    const ArrayShape &Shape = K.Instances.front()->Shapes[Array];
    report(Diags, A.Decl->getLocation(), diag::remark_layout_changed)
        << A.Name << Decision.New.text(Shape) << format(Decision.Cost.Before)
        << format(Decision.Cost.After) << format(Decision.Cost.Bound);
  }
}

std::unique_ptr<ASTConsumer>
createPipeline(CompilerInstance &CI, Options Opts,
               std::function<void(PipelineResult)> Done) {
  auto Facts = std::make_shared<ParseFacts>();
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  assert(Diags.ownsClient() && "errors of a foreign client would be missed");
  Diags.setClient(new ErrorRecorder(Diags.takeClient(), Facts));
  CI.getPreprocessor().addPPCallbacks(
      std::make_unique<SkippedRangeRecorder>(Facts));
  return std::make_unique<Pipeline>(std::move(Opts), Facts, std::move(Done));
}

} // namespace cudaopt
