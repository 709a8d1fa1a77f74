// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Prepares requests to the interpreter and to nvcc, and turns their verdicts
/// into refusals.
//===----------------------------------------------------------------------===//

#include "RewriteReview.h"
#include "PlanCheck.h"
#include "WorkMeter.h"

#include "cudaopt/Passes/PredictedTime.h"

#include "clang/AST/Mangle.h"

using namespace clang;

namespace cudaopt {

/// Returns the shape of a launch of \p Instance, as far as the source tells.
static LaunchShape makeShape(const Kernel &K, const KernelInstance &Instance) {
  LaunchShape Shape;
  Shape.Grid = Instance.Block.Grid;
  Shape.Block = Instance.Block.Threads;
  Shape.IsAssumed = Instance.Block.Origin == ShapeOrigin::Assumed;
  if (!Instance.Block.isKnown())
    Shape.assumeBlock(Instance.Block.MaxThreads);
  if (llvm::any_of(K.Arrays, [](const SharedArray &A) { return A.IsExtern; })) {
    Shape.DynamicShared =
        Instance.Block.DynamicBytes.value_or(LaunchShape::LikelyDynamicBytes);
    Shape.IsDynamicAssumed = !Instance.Block.DynamicBytes;
  }
  return Shape;
}

static RewriteRequest::Instances findInstances(const PlannedKernel &Planned,
                                               ASTContext &Context) {
  ASTNameGenerator Names(Context);
  RewriteRequest::Instances Result;
  for (const auto &Instance : Planned.K.Instances) {
    if (Instance->Block.IsUnseen)
      continue;
    LaunchShape Shape = makeShape(Planned.K, *Instance);
    if (const auto &Reuse = Planned.plan().Reuse)
      Shape.DynamicShared += Reuse->dynamicBytesOf(Instance->Decl);
    Result[Names.getName(Instance->Decl)].push_back(Shape);
  }
  return Result;
}

static std::map<std::string, std::string>
applyAllEdits(const PipelineResult &Result) {
  std::map<std::string, std::string> After;
  for (const auto &[File, Edits] : Result.Edits)
    After[File] = applyEdits(Result.Sources.at(File), Edits);
  return After;
}

/// Returns the files that change, as the user wrote them.
static std::map<std::string, std::string>
findWrittenTexts(const PipelineResult &Result, const Reordering &Orders) {
  std::map<std::string, std::string> Texts = Result.Sources;
  for (const auto &[Path, Text] : Orders.Originals)
    Texts[Path] = Text;
  return Texts;
}

/// Returns the resources of the kernel with the instances \p Names, the maximum
/// of each kind; std::nullopt if one of them is not in \p Table.
static std::optional<KernelResources>
findResources(const ResourceTable &Table,
              const RewriteRequest::Instances &Names) {
  KernelResources Most;
  for (const auto &[Name, Shapes] : Names) {
    auto Found = Table.find(keyOfSymbol(Name));
    if (Found == Table.end())
      return std::nullopt;
    const KernelResources &Each = Found->second;
    Most.Registers = std::max(Most.Registers, Each.Registers);
    Most.SpillBytes = std::max(Most.SpillBytes, Each.SpillBytes);
    Most.SharedBytes = std::max(Most.SharedBytes, Each.SharedBytes);
  }
  return Most;
}

/// Returns the parts of the plan of \p Planned that cost more than they gain.
static std::vector<PlanRefusal> findCostly(const PlannedKernel &Planned,
                                           const Target &T) {
  const Kernel &K = Planned.K;
  const auto &Resources = Planned.Resources;
  const Plan &P = Planned.plan();
  const clang::SourceLocation Loc = K.Decl->getLocation();
  BeforeAfter<KernelResources> Counted = *Resources;
  // What passes have accepted to lose by shared memory is no loss here: compare
  // as if the original had it, too.
  if (!(P.Reuse && P.Reuse->isRewritten()) &&
      llvm::any_of(P.Layouts, [](const auto &L) { return L.second.Lost; }))
    Counted.Before.SharedBytes = Counted.After.SharedBytes;
  else
    for (const RewriteDecision &Each : P.Rewrites)
      if (Each.isRewritten())
        Counted.Before.SharedBytes += Each.Wanted->sharedBytes();
  if (std::string Loss = findLoss(Counted, K, T); !Loss.empty())
    return {{PlanRefusal::Part::All, {}, {Reason::CostsResources, Loss, Loc}}};
  if (wantsMoreBlocks(P) && !fitsMoreBlocks(*Resources, K, T))
    return {{PlanRefusal::Part::Storage,
             {},
             {Reason::NoOccupancyStep,
              std::to_string(P.Reuse->BytesAfter) +
                  " bytes, but registers allow no more blocks",
              Loc}}};
  return findWaitingLayouts(K, P, T, Resources->After);
}

/// Returns the arrays of \p Planned with layouts whose instructions may take
/// registers that cost a resident block.
static std::vector<PlanRefusal> findPressed(const PlannedKernel &Planned) {
  std::vector<PlanRefusal> Pressed;
  for (const auto &[Array, Layout] : Planned.plan().Layouts)
    if (Layout.isRewritten() && addsInstructions(Layout.Effects))
      if (auto Pressure = findRegisterPressure(Planned.K, Array))
        Pressed.push_back(
            {PlanRefusal::Part::Layout, Array, std::move(*Pressure)});
  return Pressed;
}

/// Returns true if the resources of \p Kernel, which are not known yet, may
/// decide about its rewrite, or the user wants to know them.
bool RewriteReview::needsResources(const PlannedKernel &Kernel) const {
  return Kernel.isRewritten() && !Kernel.Resources && !Kernel.FitsAnyway &&
         (Opts.VerifyResources || !findPressed(Kernel).empty());
}

/// Returns true if no kernel spills or loses a block by the registers in
/// \p After. Then the original need not be compiled.
bool RewriteReview::fitAnyway(std::vector<PlannedKernel> &Kernels,
                              const ResourceTable &After) const {
  std::vector<PlannedKernel *> Fitting;
  for (PlannedKernel &Kernel : Kernels) {
    if (!needsResources(Kernel))
      continue;
    const std::optional<KernelResources> New =
        findResources(After, findInstances(Kernel, Context));
    if (!New)
      return false;
    KernelResources Free = *New; // Registers of 0 set no limit.
    Free.Registers = Free.SpillBytes = 0;
    if (!findLoss({Free, *New}, Kernel.K, T).empty())
      return false;
    Fitting.push_back(&Kernel);
  }
  for (PlannedKernel *Each : Fitting)
    Each->FitsAnyway = true;
  return true;
}

/// Has nvcc compile the file before and after, and refuses rewrites that need
/// more registers where this lowers occupancy, or that spill. Where nvcc does
/// not compile, the layouts that depend on it are refused.
std::vector<KernelRefusal>
RewriteReview::compareResources(std::vector<PlannedKernel> &Kernels,
                                PipelineResult &Result) const {
  if (!Judges.Resources || !Opts.mayCompile() || !Opts.Print.empty() ||
      llvm::none_of(Kernels, [this](const PlannedKernel &Kernel) {
        return needsResources(Kernel);
      }))
    return {}; // Edits of other kernels do not change a kernel's own resources.
  llvm::Expected<ResourceTable> After = Judges.Resources(applyAllEdits(Result));
  if (After && !Opts.VerifyResources && fitAnyway(Kernels, *After))
    return {};
  llvm::Expected<ResourceTable> Before =
      Judges.Resources(findWrittenTexts(Result, Orders));
  std::vector<KernelRefusal> Refusals;
  // Where it is not known, layouts that depend on it are not made.
  auto keepPressed = [&](PlannedKernel &Kernel, std::string Why) {
    Result.NotMeasured = std::move(Why);
    if (!Opts.VerifyResources)
      for (PlanRefusal &Each : findPressed(Kernel))
        Refusals.push_back({&Kernel, std::move(Each)});
  };
  if (!Before || !After) {
    const std::string Why =
        toString(llvm::joinErrors(Before.takeError(), After.takeError()));
    for (PlannedKernel &Kernel : Kernels)
      if (needsResources(Kernel))
        keepPressed(Kernel, Why);
    return Refusals;
  }
  for (PlannedKernel &Kernel : Kernels) {
    if (!needsResources(Kernel) && !Kernel.Resources)
      continue;
    const RewriteRequest::Instances Names = findInstances(Kernel, Context);
    const auto Old = findResources(*Before, Names);
    const auto New = findResources(*After, Names);
    if (!Old || !New) {
      keepPressed(Kernel, "nvcc names no kernel '" + Kernel.K.Name + "'");
      continue;
    }
    Kernel.Resources = {*Old, *New};
    const std::vector<PlanRefusal> Costly = findCostly(Kernel, T);
    for (const PlanRefusal &Each : Costly)
      Refusals.push_back({&Kernel, Each});
    // The resources of the next candidate are not known yet.
    if (!Costly.empty() && Costly.front().Of != PlanRefusal::Part::All)
      Kernel.Resources.reset();
  }
  return Refusals;
}

/// Returns why a rewrite with the interpreter's verdict \p V is not made;
/// std::nullopt if it is made.
static std::optional<Reason> findReason(const Verdict &V) {
  switch (V.Kind) {
  case VerdictKind::ProvedEqual:
  case VerdictKind::EqualOn:
    return std::nullopt;
  case VerdictKind::Different:
    return Reason::MachineDifferent;
  case VerdictKind::OriginalIsBroken:
    return Reason::OriginalBroken;
  case VerdictKind::Unsupported:
    return Reason::MachineUnsupported;
  }
  llvm_unreachable("unknown verdict");
}

/// Has the interpreter run the rewritten kernels, and refuses those whose
/// results are not shown to be equal.
std::vector<KernelRefusal>
RewriteReview::checkOnMachine(std::vector<PlannedKernel> &Kernels,
                              PipelineResult &Result) const {
  if (!Judges.Machine || Opts.Verify != "machine" || !Opts.Print.empty())
    return {};
  RewriteRequest Request;
  std::vector<PlannedKernel *> Rewritten;
  for (PlannedKernel &Kernel : Kernels) {
    if (!Kernel.isRewritten())
      continue;
    Rewritten.push_back(&Kernel);
    Request.Kernels.push_back(findInstances(Kernel, Context));
  }
  if (Rewritten.empty())
    return {};
  Request.Before = findWrittenTexts(Result, Orders);
  Request.After = applyAllEdits(Result);
  std::vector<KernelRefusal> Refusals;
  for (auto [Kernel, V] : llvm::zip(Rewritten, Judges.Machine(Request))) {
    if (V.Kind == VerdictKind::Different)
      Result.WrongRewrites.push_back("kernel '" + Kernel->K.Name +
                                     "': " + V.Detail);
    if (const std::optional<Reason> Why = findReason(V))
      Refusals.push_back({Kernel,
                          {PlanRefusal::Part::All,
                           {},
                           {*Why, V.Detail, Kernel->K.Decl->getLocation()}}});
    Kernel->Checked = std::move(V);
  }
  return Refusals;
}

namespace {

/// A kernel with layouts that pay or not depending on how many of their
/// instructions are executed.
struct DoubtfulKernel {
  PlannedKernel *Kernel;
  std::vector<ArrayId> Arrays;       ///< Those with such layouts.
  std::vector<LayoutEffect> Effects; ///< Of all new layouts.
  /// The instances that are counted, and the index of the launch of the first.
  std::vector<const KernelInstance *> Instances;
  size_t FirstLaunch = 0;
};

} // namespace

/// Returns what the layouts of \p Kernel change of the memory of its blocks.
/// With new storage, layouts are compared at equal occupancy.
static NeedsChange findNeedsOf(const PlannedKernel &Kernel) {
  const Plan &P = Kernel.plan();
  const bool IsStoredAnew = P.Reuse && P.Reuse->isRewritten();
  return {BlockNeeds(),
          IsStoredAnew ? BlockNeeds() : findNeeds(Kernel.K, P.Layouts)};
}

/// Finds the layouts of \p Kernel that may not pay; none if it has none.
static DoubtfulKernel findDoubtful(PlannedKernel &Kernel, const Target &T) {
  DoubtfulKernel Found = {&Kernel, {}, {}, {}};
  for (const auto &[Array, Decision] : Kernel.plan().Layouts) {
    if (!Decision.isRewritten())
      continue;
    llvm::append_range(Found.Effects, Decision.Effects);
    if (dependsOnInstructions(Kernel.K, Decision.Effects, T,
                              findNeedsOf(Kernel),
                              Kernel.Candidates->analyses()))
      Found.Arrays.push_back(Array);
  }
  Found.Instances = chooseInstances(Found.Effects);
  return Found;
}

/// Predicts the time of a kernel from the work of its new text.
static PredictedChange
predictNewText(const DoubtfulKernel &Of, const Target &T,
               llvm::ArrayRef<std::optional<KernelWork>> Works) {
  return predictChange(
      Of.Kernel->K, Of.Effects, T, findNeedsOf(*Of.Kernel),
      Of.Kernel->Candidates->analyses(),
      [&](const KernelInstance &I,
          const InstructionMix &) -> std::optional<InstructionMix> {
        const auto At = llvm::find(Of.Instances, &I);
        const auto &Work = Works[Of.FirstLaunch + (At - Of.Instances.begin())];
        if (!Work)
          return std::nullopt;
        return Work->Instructions;
      });
}

/// Counts the new text of kernels for which the prediction from the old one is
/// not clear, and refuses layouts that do not make them faster.
std::vector<KernelRefusal>
RewriteReview::compareTimes(std::vector<PlannedKernel> &Kernels,
                            PipelineResult &Result) const {
  if (!Judges.Work || !Opts.Print.empty())
    return {};
  std::vector<DoubtfulKernel> Doubtful;
  std::vector<CountedLaunch> Launches;
  for (PlannedKernel &Kernel : Kernels) {
    if (!Kernel.isRewritten() || std::exchange(Kernel.IsCounted, true))
      continue;
    DoubtfulKernel Found = findDoubtful(Kernel, T);
    if (Found.Arrays.empty())
      continue;
    Found.FirstLaunch = Launches.size();
    for (const KernelInstance *Each : Found.Instances)
      Launches.push_back(makeCountedLaunch(*Each));
    Doubtful.push_back(std::move(Found));
  }
  if (Doubtful.empty())
    return {};
  const auto Works = Judges.Work(applyAllEdits(Result), Launches);
  if (Works.size() != Launches.size())
    return {}; // Clang does not compile the new text; nvcc will tell.
  std::vector<KernelRefusal> Refusals;
  for (const DoubtfulKernel &Each : Doubtful) {
    const PredictedChange Change = predictNewText(Each, T, Works);
    if (Change.NumInstances == 0 || Change.isFaster())
      continue;
    for (const ArrayId Array : Each.Arrays)
      Refusals.push_back(
          {Each.Kernel,
           {PlanRefusal::Part::Layout,
            Array,
            {Reason::NoSpeedup, Change.text(),
             Each.Kernel->K.Arrays[Array].Decl->getLocation()}}});
  }
  return Refusals;
}

/// What is cheap comes first, and the interpreter before nvcc: resources of a
/// wrong rewrite do not matter.
std::vector<KernelRefusal>
RewriteReview::judge(std::vector<PlannedKernel> &Kernels,
                     PipelineResult &Result) const {
  std::vector<KernelRefusal> Refusals = compareTimes(Kernels, Result);
  if (Refusals.empty())
    Refusals = checkOnMachine(Kernels, Result);
  return Refusals.empty() ? compareResources(Kernels, Result) : Refusals;
}

} // namespace cudaopt
