// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RewriteReview.h"
#include "PlanCheck.h"

#include "clang/AST/Mangle.h"

using namespace clang;

namespace cudaopt {

/// What a launch of \p Instance looks like, as far as the source tells.
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
    if (const auto &Reuse = Planned.P.Reuse)
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

/// The files that change, as the user wrote them.
static std::map<std::string, std::string>
findWrittenTexts(const PipelineResult &Result, const Reordering &Orders) {
  std::map<std::string, std::string> Texts = Result.Sources;
  for (const auto &[Path, Text] : Orders.Originals)
    Texts[Path] = Text;
  return Texts;
}

/// The resources of the instances of \p K, the most of each.
static KernelResources findResources(const ResourceTable &Table,
                                     const RewriteRequest::Instances &Names) {
  KernelResources Most;
  for (const auto &[Name, Shapes] : Names) {
    auto Found = Table.find(Name);
    if (Found == Table.end())
      continue;
    const KernelResources &Each = Found->second;
    Most.Registers = std::max(Most.Registers, Each.Registers);
    Most.SpillBytes = std::max(Most.SpillBytes, Each.SpillBytes);
    Most.SharedBytes = std::max(Most.SharedBytes, Each.SharedBytes);
  }
  return Most;
}

/// Has nvcc compile the file before and after, and takes back the rewrites that
/// cost registers where it matters. Returns true if some were.
bool RewriteReview::compareResources(std::vector<PlannedKernel> &Kernels,
                                     PipelineResult &Result) const {
  if (!Judges.Resources || !Opts.VerifyResources || !Opts.Print.empty() ||
      llvm::none_of(Kernels, [](const PlannedKernel &Kernel) {
        return Kernel.isRewritten() && !Kernel.Resources;
      }))
    return false; // What others take back changes no kernel's own resources.
  llvm::Expected<ResourceTable> Before =
      Judges.Resources(findWrittenTexts(Result, Orders));
  llvm::Expected<ResourceTable> After = Judges.Resources(applyAllEdits(Result));
  if (!Before || !After) {
    Result.NotMeasured =
        toString(llvm::joinErrors(Before.takeError(), After.takeError()));
    return false;
  }
  bool TookBack = false;
  for (PlannedKernel &Kernel : Kernels) {
    if (!Kernel.isRewritten())
      continue;
    RewriteRequest::Instances Names = findInstances(Kernel, Context);
    Kernel.Resources = {findResources(*Before, Names),
                        findResources(*After, Names)};
    std::string Loss = findLoss(*Kernel.Resources, Kernel.K, T);
    if (!Loss.empty()) {
      TookBack = true;
      keepAll(Kernel.K, Kernel.P, Reason::CostsResources, Loss);
    } else if (wantsMoreBlocks(Kernel.P) &&
               !fitsMoreBlocks(*Kernel.Resources, Kernel.K, T)) {
      TookBack = true;
      keepStorage(Kernel.P, {Reason::NoOccupancyStep,
                             std::to_string(Kernel.P.Reuse->BytesAfter) +
                                 " bytes, but registers allow no more blocks",
                             Kernel.K.Decl->getLocation()});
      Kernel.Resources.reset(); // Those of the layouts alone are not known yet.
    } else if (keepWaiting(Kernel.K, Kernel.P, T, Kernel.Resources->After)) {
      TookBack = true;
      Kernel.Resources.reset();
    }
  }
  return TookBack;
}

/// Takes the rewrite back unless the verdict is that nothing changed.
static void judge(PlannedKernel &Planned, Verdict V, PipelineResult &Result) {
  Reason Why = Reason::None;
  switch (V.Kind) {
  case VerdictKind::ProvedEqual:
  case VerdictKind::EqualOn:
    break;
  case VerdictKind::Different:
    Why = Reason::MachineDifferent;
    Result.WrongRewrites.push_back("kernel '" + Planned.K.Name +
                                   "': " + V.Detail);
    break;
  case VerdictKind::OriginalIsBroken:
    Why = Reason::OriginalBroken;
    break;
  case VerdictKind::Unsupported:
    Why = Reason::MachineUnsupported;
    break;
  }
  if (Why != Reason::None)
    keepAll(Planned.K, Planned.P, Why, V.Detail);
  Planned.Checked = std::move(V);
}

/// Has the rewritten kernels checked. Returns true if some rewrite was taken
/// back, so that the others must be made and checked again.
bool RewriteReview::checkOnMachine(std::vector<PlannedKernel> &Kernels,
                                   PipelineResult &Result) const {
  if (!Judges.Machine || Opts.Verify != "machine" || !Opts.Print.empty())
    return false;
  RewriteRequest Request;
  std::vector<PlannedKernel *> Rewritten;
  for (PlannedKernel &Kernel : Kernels) {
    if (!Kernel.isRewritten())
      continue;
    Rewritten.push_back(&Kernel);
    Request.Kernels.push_back(findInstances(Kernel, Context));
  }
  if (Rewritten.empty())
    return false;
  Request.Before = findWrittenTexts(Result, Orders);
  Request.After = applyAllEdits(Result);
  bool TookBack = false;
  for (auto [Kernel, V] : llvm::zip(Rewritten, Judges.Machine(Request))) {
    judge(*Kernel, std::move(V), Result);
    TookBack |= !Kernel->isRewritten();
  }
  return TookBack;
}

bool RewriteReview::takesBack(std::vector<PlannedKernel> &Kernels,
                              PipelineResult &Result) const {
  return checkOnMachine(Kernels, Result) || compareResources(Kernels, Result);
}

} // namespace cudaopt
