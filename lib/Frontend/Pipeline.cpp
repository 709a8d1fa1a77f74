// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Frontend/Pipeline.h"
#include "CodeCheck.h"
#include "DeviceHeaders.h"
#include "HeaderRules.h"
#include "HostPasses.h"
#include "MarkCheck.h"
#include "NvccSpelling.h"
#include "OwnEdits.h"
#include "ParseDoubts.h"
#include "ParseFacts.h"
#include "PlanCheck.h"
#include "RewriteReview.h"
#include "cudaopt/Analysis/BankConflicts.h"
#include "cudaopt/Analysis/LiveRanges.h"
#include "cudaopt/Analysis/StoredProducts.h"
#include "cudaopt/Frontend/ChangedLines.h"
#include "cudaopt/Frontend/Delivery.h"
#include "cudaopt/IR/Build.h"
#include "cudaopt/IR/Match.h"
#include "cudaopt/Model/KernelBuilder.h"
#include "cudaopt/Model/ObservedThread.h"
#include "cudaopt/Model/OwnDeclarations.h"
#include "cudaopt/Model/SharedProgram.h"
#include "cudaopt/Model/TextBlockers.h"
#include "cudaopt/Report/Remarks.h"
#include "cudaopt/Rewrite/LevelizeEdit.h"
#include "cudaopt/Rewrite/RewriteKernel.h"
#include "cudaopt/Support/ShownPath.h"
#include "cudaopt/Transforms/Passes.h"
#include "cudaopt/Transforms/PlanTrust.h"
#include "cudaopt/Transforms/Reorder.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace cudaopt {

namespace {

class Pipeline : public ASTConsumer {
public:
  Pipeline(Options Opts, std::shared_ptr<ParseFacts> Facts,
           std::function<void(PipelineResult)> Done, RewriteJudges Judges,
           Reordering Orders, const CompilerInstance &CI)
      : Opts(std::move(Opts)), Facts(std::move(Facts)), Done(std::move(Done)),
        Judges(std::move(Judges)), Orders(std::move(Orders)),
        Remarks(CI.getCodeGenOpts()), Filter(readLineFilter(this->Opts.Lines)),
        Code(CI) {}

  // Nothing in the toolkit's function bodies concerns us, and parsing them
  // takes half of the time.
  bool shouldSkipFunctionBody(Decl *D) override { return isOfSystem(D); }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    Code.note(Group);
    return true;
  }
  void HandleTranslationUnit(ASTContext &Context) override;

private:
  Plan planKernel(Kernel &K, const Target &T, ASTContext &Context);
  void planOrders(std::vector<PlannedKernel> &Kernels, PipelineResult &Result,
                  ASTContext &Context);
  void keepDoubtedLoops();
  Edits rewrite(std::vector<PlannedKernel> &Kernels, ASTContext &Context);
  void keepWhatMustNotChange(const Kernel &K, Plan &P, ASTContext &Context);
  void print(const Kernel &K, const Target &T, const Plan &P) const;
  KernelReport report(const PlannedKernel &Planned, const Target &T,
                      ASTContext &Context) const;

  const Options Opts; // A copy: a plugin action dies before its consumer runs.
  std::shared_ptr<ParseFacts> Facts;
  std::function<void(PipelineResult)> Done;
  RewriteJudges Judges;
  const Reordering Orders;
  const RemarkFilter Remarks;
  const std::optional<LineFilter> Filter;
  ParseDoubts Doubts;
  std::unique_ptr<SourceMarks> Marks;
  std::list<LevelizeDecision> Loops; ///< Of the host.
  CodeCheck Code;
};

} // namespace

/// Arrays that share an object are no longer apart for compilers.
static Blocker findForwardedProduct(const Kernel &K,
                                    const ReuseDecision &Reuse) {
  for (const StorageNode &Object : Reuse.Objects)
    for (unsigned V : listVariables(Object))
      for (ArrayId Array = 0; Array != K.Arrays.size(); ++Array)
        if (K.Arrays[Array].Decl->getLocation() ==
            Reuse.Variables[V].Decl->getLocation())
          if (Blocker Why = findForwardedProduct(K, Array);
              Why.Why != Reason::None)
            return Why;
  return {};
}

static Target chooseTarget(const Options &Opts, const ASTContext &Context) {
  StringRef Requested = Opts.Arch;
  if (Requested.empty())
    Requested = Context.getTargetInfo().getTargetOpts().CPU;
  std::optional<Target> T = findTarget(Requested);
  return T ? *T : *findTarget("sm_90");
}

static ModelOptions readModelOptions(const Options &Opts,
                                     const SourceMarks *Marks,
                                     const ProgramLaunches *Program,
                                     const ParseDoubts &Doubts) {
  ModelOptions Result;
  Result.HostMayDiffer = Doubts.OfText.empty() && Doubts.hidesLaunches();
  Result.Program = Program;
  Result.Marks = Marks;
  Result.WantsRelations = Opts.Print == "model";
  Result.AssumeInBounds = Opts.AssumeInBounds;
  Result.AssumeClosedWorld = Opts.AssumeClosedWorld;
  Result.Block = parseExtents(Opts.Block); // validate() has seen it.
  Result.Headers = readHeaderUse(Opts);
  return Result;
}

static PassOptions readPassOptions(const Options &Opts,
                                   const FloatingPoint &Floats) {
  PassOptions Result;
  Result.Floats = Floats;
  Result.Layout = *parseLayoutChoice(Opts.Layout);
  Result.Reuse = *parseReuseChoice(Opts.Reuse);
  Result.Placement = *parsePlacementChoice(Opts.Placement);
  return Result;
}

/// Takes the edits, with the text that they edit.
static void readEdits(const Edits &E, const SourceManager &SM,
                      PipelineResult &Result) {
  Result.Edits = E.byFile();
  Result.Sources.clear();
  FileManager &Files = SM.getFileManager();
  for (const auto &[File, _] : Result.Edits) {
    OptionalFileEntryRef Ref = Files.getOptionalFileRef(File);
    if (!Ref)
      continue;
    if (const std::string *Written = SpellingFileSystem::findWritten(
            Files.getVirtualFileSystem(), Ref->getUniqueID()))
      Result.Sources[File] = *Written;
    else if (auto Buffer =
                 const_cast<SourceManager &>(SM).getMemoryBufferForFileOrNone(
                     *Ref))
      Result.Sources[File] = Buffer->getBuffer().str();
  }
}

/// Prints what the functions do that passes may look at.
static void printIR(ASTContext &Context) {
  std::vector<const FunctionDecl *> Functions = ir::findKernels(Context);
  llvm::append_range(Functions, ir::findLoopFunctions(Context));
  for (const FunctionDecl *F : Functions)
    if (std::unique_ptr<ir::Function> Built = ir::build(F, Context))
      Built->print(llvm::outs());
}

/// The stages, top to bottom; each arrow can be printed with --print.
void Pipeline::HandleTranslationUnit(ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  Context.setTraversalScope(listOwnDeclarations(Context)); // Of parents.
  PipelineResult Result;
  const FileEntryRef Main = *SM.getFileEntryRefForID(SM.getMainFileID());
  Result.Report.File =
      showPath(Main.getName(), Main.getFileEntry().tryGetRealPathName());
  Result.HasParseErrors = Facts->HasParseErrors;
  Result.Inclusions = Facts->Inclusions;
  if (Facts->HasParseErrors) {
    Done(std::move(Result));
    return;
  }
  Doubts =
      findParseDoubts(Facts->Macros, Judges.Command, Facts->Errors, Context);
  if (Judges.OnlyScans) {
    Result.Launches = scanLaunches(Context);
    Result.LaunchesDoubt = Doubts.ofScan();
    Done(std::move(Result));
    return;
  }
  if (Opts.Print == "ir")
    printIR(Context);
  const Target T = chooseTarget(Opts, Context);
  IslContext Isl;
  Marks = readMarks(Context, Facts->Comments, Filter ? &*Filter : nullptr);
  std::vector<Kernel> Kernels = buildKernels(
      Context, Isl,
      readModelOptions(Opts, Marks.get(), Judges.Program.get(), Doubts),
      Facts->Errors); // AST   -> model
  checkMarks(Context, *Marks, Kernels);
  std::vector<PlannedKernel> Planned;
  for (Kernel &K : Kernels)
    Planned.push_back({K, planKernel(K, T, Context), {}, {}}); // model -> plan
  planOrders(Planned, Result, Context);
  Loops = planHostLoops(Opts, Isl, Context, Facts->Errors, Facts->Pragmas,
                        Facts->Floats);
  keepMarkedLoops(*Marks, Loops);
  keepDoubtedLoops();
  Edits AllEdits = rewrite(Planned, Context); // plan  -> edits
  readEdits(AllEdits, SM, Result);
  const RewriteReview Review(Opts, Judges, Orders, T, Context);
  while (Review.takesBack(Planned, Result))
    readEdits(rewrite(Planned, Context), SM, Result);
  for (const PlannedKernel &Kernel : Planned) {
    if (Kernel.K.IsOpenToOthers && !Kernel.K.Arrays.empty() &&
        !Opts.AssumeClosedWorld)
      Result.Need =
          std::max(Result.Need, Kernel.isRewritten() ? ProgramNeed::Rests
                                                     : ProgramNeed::Asks);
    print(Kernel.K, T, Kernel.P);
    Result.Report.Kernels.push_back(report(Kernel, T, Context));
  }
  reportHostLoops(Loops, Context, Result.Report);
  reportChanges(Result);
  remark(Result.Report, Remarks, Context.getDiagnostics());
  if (Opts.Print == "edits")
    AllEdits.print(llvm::outs());
  Done(std::move(Result));
}

Plan Pipeline::planKernel(Kernel &K, const Target &T, ASTContext &Context) {
  findTextBlockers(K, Context, Facts->Skipped);
  findObserved(K, Context, Facts->Skipped);
  Plan P;
  for (const PassInfo &Pass : allPasses())
    if (Pass.Run && Opts.runsPass(Pass.Name, Pass.OnByDefault))
      Pass.Run(K, T, readPassOptions(Opts, Facts->Floats), P);
  keepWhatMustNotChange(K, P, Context);
  if (!Doubts.OfText.empty())
    keepAll(K, P, Reason::ParsedOtherwise, Doubts.OfText);
  noteTrust(K, P);
  if (Opts.Verify == "off")
    return P;
  checkPlan(K, P, T, Context,
            [&](const SharedProgram &Program, ArrayRef<StoredAt> Places,
                const UnorderedSteps &Steps) {
              return Code.verifyInPlace(K, P, Program, Places, Steps,
                                        Facts->Errors);
            });
  Code.check(K, P, T, Facts->Errors);
  return P;
}

/// Kernels whose text has no other order yet get one, or a reason.
void Pipeline::planOrders(std::vector<PlannedKernel> &Kernels,
                          PipelineResult &Result, ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  for (auto [Index, Kernel] : llvm::enumerate(Kernels)) {
    auto &[K, P, Checked, Resources] = Kernel;
    if (!Opts.Reorder || !P.Reuse)
      continue;
    P.Order = Orders.Applied.count(Index)
                  ? OrderDecision{{}, /*IsApplied=*/true, {}}
                  : planOrder(K);
    if (P.Order->Items.empty())
      continue;
    if (!Doubts.OfText.empty() && P.Order->WhyKept.Why == Reason::None)
      P.Order->WhyKept = {Reason::ParsedOtherwise, Doubts.OfText,
                          K.Decl->getLocation()};
    for (ArrayId Array = 0; Array != K.Arrays.size(); ++Array)
      if (Blocker Why = findForwardedProduct(K, Array, /*IsMoved=*/true);
          Why.Why != Reason::None && P.Order->WhyKept.Why == Reason::None)
        P.Order->WhyKept = std::move(Why);
    if (P.Order->WhyKept.Why != Reason::None)
      continue;
    Edits Own(SM, Context.getLangOpts());
    llvm::Error Failure =
        SM.isWrittenInMainFile(K.Decl->getLocation())
            ? rewriteOrder(K, *P.Order, Context, Own)
            : llvm::createStringError("it stands in an included file");
    if (Failure)
      P.Order->WhyKept = {Reason::NotEditable, toString(std::move(Failure)),
                          K.Decl->getLocation()};
    else if (auto Mark = findOrderMark(K, Own, *Marks))
      P.Order->WhyKept = *Mark;
    else if (Orders.Declined.count(Index))
      P.Order->WhyKept = {Reason::OrderGainsNothing, "", K.Decl->getLocation()};
    else
      Result.Orders[Index] = Own.byFile();
  }
}

/// What is not the build's text is no ground to change a loop.
void Pipeline::keepDoubtedLoops() {
  if (Doubts.OfText.empty())
    return;
  for (LevelizeDecision &D : Loops)
    if (D.isRewritten())
      D.WhyKept = {Reason::ParsedOtherwise, Doubts.OfText,
                   D.Loop.Loop->getBeginLoc()};
}

/// Other settings of the preprocessor make another kernel of the same text,
/// whose arrays may live longer.
static const Blocker *findInactiveUse(const Kernel &K) {
  for (const SharedArray &A : K.Arrays)
    for (const Blocker &B : A.Blockers)
      if (B.Why == Reason::InactiveRegion)
        return &B;
  return nullptr;
}

void Pipeline::keepWhatMustNotChange(const Kernel &K, Plan &P,
                                     ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const Blocker OfInstances =
      findInstanceBlocker(K, Context, !Opts.Overlay.empty());
  auto whyKept = [&](SourceLocation Loc) {
    if (OfInstances.Why != Reason::None)
      return Blocker{OfInstances.Why, OfInstances.Detail, Loc};
    return findHeaderBlocker(Loc, SM, Opts, *Facts->Inclusions);
  };
  auto whyArrayKept = [&](ArrayId Array, const LayoutDecision &Decision) {
    Blocker Why = whyKept(K.Arrays[Array].Decl->getLocation());
    // Longer rows change nothing of what compilers find to be apart.
    const bool IsLongerRow =
        Decision.New.Kind == Layout::Family::Pad &&
        llvm::all_of(K.Instances, [&](const auto &Instance) {
          return Instance->Shapes[Array].Extents.size() != 1;
        });
    if (Why.Why == Reason::None && !IsLongerRow)
      Why = findForwardedProduct(K, Array);
    return Why;
  };
  const Blocker *Kept = nullptr;
  auto keepLayouts = [&](llvm::MapVector<ArrayId, LayoutDecision> &Layouts) {
    for (auto &[Array, Decision] : Layouts)
      if (Decision.isRewritten())
        if (Blocker Why = whyArrayKept(Array, Decision);
            Why.Why != Reason::None) {
          Decision.keep(std::move(Why));
          Kept = &Decision.WhyKept;
        }
  };
  keepLayouts(P.Layouts);
  if (!P.Reuse || !P.Reuse->isRewritten())
    return;
  keepLayouts(P.Reuse->LayoutsAlone);
  // Arrays in place must have the layouts with which that was proved.
  if (Kept && !P.Reuse->InPlace.empty())
    keepStorage(P, Blocker(*Kept));
  else if (Blocker Why = findForwardedProduct(K, *P.Reuse);
           Why.Why != Reason::None)
    keepStorage(P, std::move(Why));
  else if (const Blocker *Inactive = findInactiveUse(K))
    keepStorage(P, *Inactive);
  else if (llvm::any_of(P.Reuse->callees(), [&](const FunctionDecl *Callee) {
             return hasInactiveText(Callee, Context, Facts->Skipped);
           }))
    keepStorage(P, {Reason::InactiveRegion, "", K.Decl->getLocation()});
  else if (Blocker Why = whyKept(K.Decl->getLocation());
           Why.Why != Reason::None)
    keepStorage(P, std::move(Why));
}

Edits Pipeline::rewrite(std::vector<PlannedKernel> &Kernels,
                        ASTContext &Context) {
  std::vector<ArrayRewrite> Wanted;
  std::vector<LayoutDecision *> Decisions;
  for (PlannedKernel &Kernel : Kernels)
    for (auto &[Array, Decision] : Kernel.P.Layouts)
      if (Decision.isRewritten()) {
        Wanted.push_back({Kernel.K, Array, Decision.New});
        Decisions.push_back(&Decision);
      }
  Edits All = rewriteArrays(Wanted, Context);
  for (auto [Rewrite, Decision] : llvm::zip(Wanted, Decisions))
    if (!Rewrite.WhyNot.empty())
      Decision->keep({Reason::NotEditable, Rewrite.WhyNot,
                      Rewrite.K.Arrays[Rewrite.Array].Decl->getLocation()});
  bool IsStale = false; // Layouts that want storage that cannot be written.
  for (auto &[K, P, Checked, Resources] : Kernels) {
    if (!P.Reuse || !P.Reuse->isRewritten())
      continue;
    llvm::Error Failure = findBrokenPair(K, P, Wanted);
    if (!Failure)
      Failure = rewriteReuse(K, *P.Reuse, Context, All);
    if (!Failure)
      continue;
    IsStale |= !P.Reuse->LayoutsAlone.empty();
    keepStorage(P, {Reason::NotEditable, toString(std::move(Failure)),
                    K.Decl->getLocation()});
  }
  if (IsStale)
    return rewrite(Kernels, Context);
  rewriteLoops(Loops, Facts->Macros.OfUser, Context, All);
  if (keepMarkedText(*Marks, All, Kernels, Loops))
    return rewrite(Kernels, Context);
  return All;
}

KernelReport Pipeline::report(const PlannedKernel &Planned, const Target &T,
                              ASTContext &Context) const {
  const SourceManager &SM = Context.getSourceManager();
  KernelReport Result = reportKernel(Planned.K, Planned.P, T, SM);
  Result.Resources = Planned.Resources;
  if (Planned.Checked)
    Result.Verify = ("machine: " + nameOf(Planned.Checked->Kind)).str();
  else if (Opts.Verify == "off" && Planned.isRewritten())
    Result.Verify = "off";
  addOwnEdits(Planned.K, Planned.P, Context, Result.Findings);
  if (Planned.Checked && Planned.isRewritten())
    Result.Findings.push_back(
        findVerification(Planned.K, Planned.Checked->Detail, SM));
  if (Opts.wantsReport() || Remarks.wants(RemarkGroup::Analysis)) {
    llvm::append_range(Result.Findings, findLaunches(Planned.K, SM));
    reportFacts(Planned.K, Planned.P, SM, Result);
    llvm::append_range(Result.Findings, findFacts(Planned.K, Result, SM));
  }
  return Result;
}

void Pipeline::print(const Kernel &K, const Target &T, const Plan &P) const {
  if (Opts.Print == "model") {
    K.print(llvm::outs());
    printSteps(K, llvm::outs());
  } else if (Opts.Print == "analysis") {
    printConflicts(K, T, llvm::outs());
    printLiveRanges(K, llvm::outs());
  } else if (Opts.Print == "plan")
    P.print(K, llvm::outs());
}

std::unique_ptr<ASTConsumer>
createPipeline(CompilerInstance &CI, Options Opts,
               std::function<void(PipelineResult)> Done, RewriteJudges Judges,
               Reordering Orders) {
  auto Facts = std::make_shared<ParseFacts>();
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  assert(Diags.ownsClient() && "errors of a foreign client would be missed");
  Diags.setClient(new ErrorRecorder(Diags.takeClient(), Facts));
  Facts->Floats = readFloatingPoint(CI);
  Facts->Inclusions = InclusionGraph::record(CI.getPreprocessor());
  auto Recorder = std::make_unique<TextRecorder>(Facts, CI.getSourceManager());
  CI.getPreprocessor().addPPCallbacks(
      createDeviceHeaderOpener(CI.getPreprocessor()));
  CI.getPreprocessor().addPPCallbacks(createMacroRecorder(
      CI.getPreprocessor(),
      std::shared_ptr<MacroMentions>(Facts, &Facts->Macros)));
  CI.getPreprocessor().addCommentHandler(Recorder.get());
  CI.getPreprocessor().addPPCallbacks(std::move(Recorder));
  CI.getPreprocessor().AddPragmaHandler("cudaopt", new PragmaRecorder(Facts));
  CI.getPreprocessor().AddPragmaHandler("cudaopt", new UnknownPragmaReporter);
  return std::make_unique<Pipeline>(std::move(Opts), Facts, std::move(Done),
                                    std::move(Judges), std::move(Orders), CI);
}

} // namespace cudaopt
