// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The pipeline: builds models of the kernels, plans, checks the plans, and
/// writes edits and the report. Whenever a check refuses a part of a plan, the
/// refusal becomes a rule and the kernel is planned again, until everything
/// that remains passes all checks; this ends because every refusal removes a
/// possibility.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Pipeline/Pipeline.h"
#include "CodeCheck.h"
#include "HeaderRules.h"
#include "HostPasses.h"
#include "MarkCheck.h"
#include "OwnEdits.h"
#include "Parse/DeviceHeaders.h"
#include "Parse/NvccSpelling.h"
#include "Parse/ParseDoubts.h"
#include "Parse/ParseFacts.h"
#include "PlanCheck.h"
#include "RewriteReview.h"
#include "WorkMeter.h"
#include "cudaopt/Analysis/BankConflicts.h"
#include "cudaopt/Analysis/LiveRanges.h"
#include "cudaopt/Driver/Command/ChangedLines.h"
#include "cudaopt/Driver/Delivery/Delivery.h"
#include "cudaopt/IR/Build.h"
#include "cudaopt/IR/Match.h"
#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Model/KernelBuilder.h"
#include "cudaopt/Model/ObservedThread.h"
#include "cudaopt/Model/SharedProgram.h"
#include "cudaopt/Model/TextRefusals.h"
#include "cudaopt/Passes/KernelChoices.h"
#include "cudaopt/Passes/Passes.h"
#include "cudaopt/Passes/Residency.h"
#include "cudaopt/Report/Remarks.h"
#include "cudaopt/Rewrite/Levelize/LevelizeEdit.h"
#include "cudaopt/Rewrite/RewriteKernel.h"
#include "cudaopt/Support/ShownPath.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace cudaopt {

/// Returns the GPU of --gpu, which validate() has seen.
static std::optional<Gpu> readGpu(const Options &Opts) {
  if (Opts.Gpu.empty())
    return std::nullopt;
  return std::get<Gpu>(parseGpu(Opts.Gpu));
}

namespace {

class Pipeline : public ASTConsumer {
public:
  Pipeline(Options Opts, std::shared_ptr<ParseFacts> Facts,
           std::function<void(PipelineResult)> Done, RewriteJudges Judges,
           Reordering Orders, const CompilerInstance &CI)
      : Opts(std::move(Opts)), Facts(std::move(Facts)), Done(std::move(Done)),
        Judges(std::move(Judges)), Orders(std::move(Orders)),
        Remarks(CI.getCodeGenOpts()), Filter(readLineFilter(this->Opts.Lines)),
        Stated(readGpu(this->Opts)), Code(CI) {}

  // The toolkit's function bodies are not needed, and parsing them takes half
  // of the time.
  bool shouldSkipFunctionBody(Decl *D) override { return isOfSystem(D); }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    Code.note(Group);
    return true;
  }
  void HandleTranslationUnit(ASTContext &Context) override;

private:
  std::vector<PlannedKernel> plan(std::vector<Kernel> &Kernels,
                                  const RuleSources &From);
  void settle(PlannedKernel &Kernel, ASTContext &Context);
  void drop(const std::vector<KernelRefusal> &Refusals, ASTContext &Context);
  Edits rewrite(std::vector<PlannedKernel> &Kernels, HostLoops &Loops,
                ASTContext &Context);
  void print(const Kernel &K, const Plan &P);
  void printWork(const Kernel &K);
  std::optional<KernelWork> measure(const KernelInstance &I);
  KernelReport report(const PlannedKernel &Planned, ASTContext &Context) const;

  // A copy: a plugin action is destroyed before its consumer runs.
  const Options Opts;
  std::shared_ptr<ParseFacts> Facts;
  std::function<void(PipelineResult)> Done;
  RewriteJudges Judges;
  const Reordering Orders;
  const RemarkFilter Remarks;
  const std::optional<LineFilter> Filter;
  ParseDoubts Doubts;
  std::unique_ptr<SourceMarks> Marks;
  const std::optional<Gpu> Stated; ///< --gpu
  Target T = {};
  CodeCheck Code;
};

} // namespace

/// Returns the GPU to optimize for: that of --arch, otherwise that of the
/// parse, otherwise sm_90. It is as fast as \p Stated, the GPU of --gpu, if
/// that is of the same architecture.
static Target chooseTarget(const Options &Opts, const Gpu *Stated,
                           const ASTContext &Context) {
  StringRef Requested = Opts.Arch;
  if (Requested.empty())
    Requested = Context.getTargetInfo().getTargetOpts().CPU;
  Target T = findTarget(Requested).value_or(*findTarget("sm_90"));
  if (Stated && Stated->Arch == T.Name)
    T.Speed = Stated;
  return T;
}

/// Returns the options of the model. Where only host code may differ from the
/// build's, kernels can be trusted but the launches that were seen cannot.
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

/// Returns the options for the passes over \p K. validate() has seen them.
static PassOptions readPassOptions(const Options &Opts, const Kernel &K,
                                   const FloatingPoint &Floats) {
  const KernelChoices Layouts =
      llvm::cantFail(KernelChoices::parse(Opts.Layout));
  const KernelChoices Reuses = llvm::cantFail(KernelChoices::parse(Opts.Reuse));
  PassOptions Result;
  Result.Floats = Floats;
  Result.Layout = *parseLayoutChoice(Layouts.of(K.Name, "", "auto"));
  for (const SharedArray &Each : K.Arrays)
    Result.ArrayLayouts[Each.Name] =
        *parseLayoutChoice(Layouts.of(K.Name, Each.Name, "auto"));
  Result.Reuse = *parseReuseChoice(Reuses.of(K.Name, "", "auto"));
  Result.Placement = *parsePlacementChoice(Opts.Placement);
  Result.ChecksResources = Opts.mayCompile();
  return Result;
}

/// Copies the edits into \p Result, with the text to which they apply.
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

/// Prints the IR of the functions that passes look at (--print=ir).
static void printIR(ASTContext &Context) {
  std::vector<const FunctionDecl *> Functions = ir::findKernels(Context);
  llvm::append_range(Functions, ir::findLoopFunctions(Context));
  for (const FunctionDecl *F : Functions)
    if (std::unique_ptr<ir::Function> Built = ir::build(F, Context))
      Built->print(llvm::outs());
}

/// Returns the edits that give kernels the orders of statements to be tried.
static std::map<size_t, std::map<std::string, FileEdits>>
listOrders(llvm::ArrayRef<PlannedKernel> Kernels, ASTContext &Context) {
  std::map<size_t, std::map<std::string, FileEdits>> Orders;
  for (auto [Index, Kernel] : llvm::enumerate(Kernels)) {
    const std::optional<OrderDecision> &Order = Kernel.plan().Order;
    if (!Order || Order->Items.empty())
      continue;
    Edits Own(Context.getSourceManager(), Context.getLangOpts());
    // The rules have made these edits on trial.
    llvm::cantFail(rewriteOrder(Kernel.K, *Order, Context, Own));
    Orders[Index] = Own.byFile();
  }
  return Orders;
}

/// Runs the stages from top to bottom. The result of each can be printed with
/// --print.
void Pipeline::HandleTranslationUnit(ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  // Limits the search for parents, too.
  Context.setTraversalScope(listOwnDeclarations(Context));
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
  T = chooseTarget(Opts, Stated ? &*Stated : nullptr, Context);
  if (!Judges.Counted.empty()) {
    for (const CountedLaunch &Each : Judges.Counted)
      Result.Works.push_back(Code.measure(Each, T, Facts->Errors));
    Done(std::move(Result));
    return;
  }
  if (Opts.Print == "ir")
    printIR(Context);
  IslContext Isl;
  Marks = readMarks(Context, Facts->Comments, Filter ? &*Filter : nullptr);
  std::vector<Kernel> Kernels = buildKernels(
      Context, Isl,
      readModelOptions(Opts, Marks.get(), Judges.Program.get(), Doubts),
      Facts->Errors); // AST -> model
  checkMarks(Context, *Marks, Kernels);
  const RuleSources From = {Opts, *Facts, Doubts, *Marks, Orders, Context};
  std::vector<PlannedKernel> Planned = plan(Kernels, From); // model -> plans
  Result.Orders = listOrders(Planned, Context);
  HostLoops Loops(From, Isl);
  Edits AllEdits = rewrite(Planned, Loops, Context); // plans -> edits
  readEdits(AllEdits, SM, Result);
  const RewriteReview Review(Opts, Judges, Orders, T, Context);
  while (true) {
    const std::vector<KernelRefusal> Refusals = Review.judge(Planned, Result);
    if (Refusals.empty())
      break;
    drop(Refusals, Context);
    readEdits(rewrite(Planned, Loops, Context), SM, Result);
  }
  for (const PlannedKernel &Kernel : Planned) {
    if (Kernel.K.IsOpenToOthers && !Kernel.K.Arrays.empty() &&
        !Opts.AssumeClosedWorld)
      Result.Need =
          std::max(Result.Need, Kernel.isRewritten() ? ProgramNeed::Rests
                                                     : ProgramNeed::Asks);
    print(Kernel.K, Kernel.plan());
    Result.Report.Kernels.push_back(report(Kernel, Context));
  }
  Loops.report(Result.Report);
  reportChanges(Result);
  remark(Result.Report, Remarks, Context.getDiagnostics());
  if (Opts.Print == "edits")
    AllEdits.print(llvm::outs());
  Done(std::move(Result));
}

std::vector<PlannedKernel> Pipeline::plan(std::vector<Kernel> &Kernels,
                                          const RuleSources &From) {
  std::vector<PlannedKernel> Planned;
  for (auto [Index, K] : llvm::enumerate(Kernels)) {
    findTextRefusals(K, From.Context, Facts->Skipped);
    findObserved(K, From.Context, Facts->Skipped);
    settle(
        Planned.emplace_back(PlannedKernel{
            K, std::make_unique<PlanSequence>(
                   K, Index, T, readPassOptions(Opts, K, Facts->Floats), From,
                   [this](const KernelInstance &I) { return measure(I); })}),
        From.Context);
  }
  return Planned;
}

/// Drops candidates for the plan of \p Kernel until one passes the checks.
void Pipeline::settle(PlannedKernel &Kernel, ASTContext &Context) {
  if (Opts.Verify == "off")
    return;
  auto findRefusal = [&](const Plan &P) -> std::optional<PlanRefusal> {
    if (!P.isRewritten())
      return std::nullopt;
    auto verifyInPlace = [&](const SharedProgram &Program,
                             ArrayRef<StoredAt> Places,
                             const UnorderedSteps &Steps) {
      return Code.verifyInPlace(Kernel.K, P, Program, Places, Steps,
                                Facts->Errors);
    };
    if (auto Violation = findViolation(Kernel.K, P, T, Context, verifyInPlace))
      return Violation;
    return Code.findRefusal(Kernel.K, P, T, Facts->Errors);
  };
  while (auto Refused = findRefusal(Kernel.plan()))
    Kernel.Candidates->drop(std::move(*Refused));
}

/// Turns every refusal into a rule first, and then plans each kernel that had
/// one: the next plan must obey all of them.
void Pipeline::drop(const std::vector<KernelRefusal> &Refusals,
                    ASTContext &Context) {
  for (const KernelRefusal &Each : Refusals) {
    Each.Kernel->Candidates->drop(Each.What);
    Each.Kernel->IsCounted = Each.Kernel->FitsAnyway = false;
  }
  for (const KernelRefusal &Each : Refusals)
    settle(*Each.Kernel, Context);
}

/// Returns the edits of all kernels together. Edits of a single kernel were
/// tried by its rules; \p Refusals receives those that collide with edits of
/// another kernel.
static Edits rewriteKernels(std::vector<PlannedKernel> &Kernels,
                            ASTContext &Context,
                            std::vector<KernelRefusal> &Refusals) {
  std::vector<ArrayRewrite> Wanted;
  std::vector<PlannedKernel *> Owners;
  for (PlannedKernel &Kernel : Kernels)
    for (ArrayRewrite &Each : listRewrites(Kernel.K, Kernel.plan())) {
      Wanted.push_back(std::move(Each));
      Owners.push_back(&Kernel);
    }
  Edits All = rewriteArrays(Wanted, Context);
  for (auto [Each, Owner] : llvm::zip_equal(Wanted, Owners))
    if (!Each.WhyNot.empty())
      Refusals.push_back({Owner,
                          {PlanRefusal::Part::Layout,
                           Each.Array,
                           {Reason::NotEditable, Each.WhyNot,
                            Each.K.Arrays[Each.Array].Decl->getLocation()}}});
  if (!Refusals.empty())
    return All; // Their storage may be planned anew.
  for (PlannedKernel &Kernel : Kernels)
    if (const auto &Reuse = Kernel.plan().Reuse; Reuse && Reuse->isRewritten())
      if (llvm::Error Failure = rewriteReuse(Kernel.K, *Reuse, Context, All))
        Refusals.push_back({&Kernel,
                            {PlanRefusal::Part::Storage,
                             {},
                             {Reason::NotEditable, toString(std::move(Failure)),
                              Kernel.K.Decl->getLocation()}}});
  for (PlannedKernel &Kernel : Kernels)
    for (auto [Number, Each] : llvm::enumerate(Kernel.plan().Rewrites))
      if (Each.isRewritten())
        if (llvm::Error Failure =
                writeRewrite(Kernel.K, *Each.Wanted, Context, All))
          Refusals.push_back(
              {&Kernel,
               {PlanRefusal::Part::Rewrite,
                unsigned(Number),
                {Reason::NotEditable, toString(std::move(Failure)),
                 Kernel.K.Decl->getLocation()}}});
  return All;
}

/// Writes the edits of all kernels and loops; refused parts are dropped, and
/// everything is written again until nothing collides.
Edits Pipeline::rewrite(std::vector<PlannedKernel> &Kernels, HostLoops &Loops,
                        ASTContext &Context) {
  while (true) {
    std::vector<KernelRefusal> Refusals;
    Edits All = rewriteKernels(Kernels, Context, Refusals);
    if (Refusals.empty() && Loops.addEdits(All))
      return All;
    drop(Refusals, Context);
  }
}

/// Makes the report on a kernel. Facts are collected only if somebody asked for
/// them, because counting takes time.
KernelReport Pipeline::report(const PlannedKernel &Planned,
                              ASTContext &Context) const {
  const SourceManager &SM = Context.getSourceManager();
  const Plan &P = Planned.plan();
  KernelReport Result = reportKernel(Planned.K, P, T, SM);
  Result.Resources = Planned.Resources;
  if (Planned.Checked)
    Result.Verify = ("machine: " + nameOf(Planned.Checked->Kind)).str();
  else if (Opts.Verify == "off" && P.isRewritten())
    Result.Verify = "off";
  addOwnEdits(Planned.K, P, Context, Result.Findings);
  if (Planned.Checked && P.isRewritten())
    Result.Findings.push_back(
        findVerification(Planned.K, Planned.Checked->Detail, SM));
  if (Opts.wantsReport() || Remarks.wants(RemarkGroup::Analysis)) {
    llvm::append_range(Result.Findings, findLaunches(Planned.K, SM));
    reportFacts(Planned.K, P, SM, Result);
    if (Result.IsKernel)
      Result.Limit =
          findLimit(Planned.K, T, Result, Planned.Candidates->analyses());
    llvm::append_range(Result.Findings, findFacts(Planned.K, Result, SM));
  }
  return Result;
}

/// Counts the work of a block of \p I.
std::optional<KernelWork> Pipeline::measure(const KernelInstance &I) {
  return Code.measure(makeCountedLaunch(I), T, Facts->Errors);
}

/// Prints what the blocks of each known launch execute, and the time; of one
/// block on a multiprocessor if the occupancy is not known.
void Pipeline::printWork(const Kernel &K) {
  for (const std::unique_ptr<KernelInstance> &I : K.Instances) {
    if (!I->Block.isKnown() || I->Block.IsUnseen)
      continue;
    llvm::outs() << "work of " << makeCountedLaunch(*I).Symbol << ": ";
    const std::optional<KernelWork> Work = measure(*I);
    if (!Work) {
      llvm::outs() << "not counted\n";
      continue;
    }
    const Occupancy Alone = {(I->Block.numThreads() + WarpSize - 1) / WarpSize,
                             1};
    const Occupancy Resident =
        findResidency(K, *I, T, BlockNeeds()).value_or(Alone);
    llvm::outs() << text(*Work) << "; "
                 << text(predictTime(*Work, Resident, *T.Speed)) << "\n";
  }
}

void Pipeline::print(const Kernel &K, const Plan &P) {
  if (Opts.Print == "model") {
    K.print(llvm::outs());
    printSteps(K, llvm::outs());
  } else if (Opts.Print == "analysis") {
    printConflicts(K, T, llvm::outs());
    printLiveRanges(K, llvm::outs());
  } else if (Opts.Print == "work")
    printWork(K);
  else if (Opts.Print == "plan")
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
