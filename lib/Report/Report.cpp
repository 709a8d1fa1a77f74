// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes reports from plans.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Report.h"
#include "cudaopt/Support/ShownPath.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using namespace llvm;

namespace cudaopt {

static TextRange findText(clang::SourceRange Range,
                          const clang::SourceManager &Sources) {
  return {findPlace(Range.getBegin(), Sources),
          findPlace(Range.getEnd(), Sources)};
}

static std::string getElementType(const clang::VarDecl &Decl) {
  const clang::ASTContext &Context = Decl.getASTContext();
  return Context.getBaseElementType(Decl.getType())
      .getAsString(Context.getPrintingPolicy());
}

/// Makes the report on one array. \p Shape is null if no instance has it,
/// \p Decision if no pass decided about it.
static ArrayReport reportArray(const SharedArray &A, const ArrayShape *Shape,
                               const LayoutDecision *Decision,
                               const clang::SourceManager &Sources) {
  ArrayReport Report;
  Report.Name = A.Name;
  const Place At = findPlace(A.Decl->getLocation(), Sources);
  Report.File = showPath(At.File, At.Path);
  Report.Line = At.Line;
  Report.Type = getElementType(*A.Decl);
  if (Shape) {
    Report.Extents = Shape->Extents;
    Report.Layout.Before = Report.Layout.After = Layout().text(*Shape);
  }
  if (!Decision)
    return Report;
  Report.IsExact = Decision->IsExact;
  Report.Proof = Decision->Proof;
  Report.IsRewritten = Decision->isRewritten();
  Report.Rests = Decision->Rests;
  if (Report.IsRewritten && Shape)
    Report.Layout.After = Decision->New.text(*Shape);
  if (!Report.IsRewritten && Decision->Refused) {
    Report.Reason = getReasonId(Decision->Refused->Why);
    Report.Message = Decision->Refused->text();
  }
  return Report;
}

/// Returns the block shapes of the instances of \p K, each once.
static std::vector<BlockShape> listLaunches(const Kernel &K) {
  std::vector<BlockShape> Shapes;
  for (const auto &Instance : K.Instances)
    if (llvm::none_of(Shapes, [&](const BlockShape &Known) {
          return Known.Threads == Instance->Block.Threads &&
                 Known.Origin == Instance->Block.Origin &&
                 Known.IsUnseen == Instance->Block.IsUnseen;
        }))
      Shapes.push_back(Instance->Block);
  return Shapes;
}

/// Translates the decision on storage into names and numbers.
static StorageReport reportStorage(const Kernel &K,
                                   const ReuseDecision &Reuse) {
  StorageReport Report;
  for (ArrayId Id : Reuse.Private)
    Report.Private.push_back(K.Arrays[Id].Name);
  for (const TrimmedArray &Each : Reuse.Trimmed)
    Report.Trimmed.push_back(K.Arrays[Each.Array].Name);
  for (const StorageNode &Object : Reuse.Objects) {
    std::vector<std::string> &Names = Report.Objects.emplace_back();
    for (unsigned V : listVariables(Object))
      Names.push_back(Reuse.Variables[V].Name);
  }
  for (const InPlacePair &Pair : Reuse.InPlace)
    Report.InPlace.push_back(
        {Reuse.Variables[Pair.A].Name, Reuse.Variables[Pair.B].Name});
  for (const DynamicLaunch &Each : Reuse.Launches)
    Report.DynamicBytes = std::max(Report.DynamicBytes, Each.Bytes);
  Report.LowerBound = Reuse.LowerBound;
  Report.IsOptimal = Reuse.IsOptimal;
  Report.Rests = Reuse.Rests;
  if (!Reuse.isRewritten() && Reuse.Refused) {
    Report.Reason = getReasonId(Reuse.Refused->Why);
    Report.Message = Reuse.Refused->text();
  }
  return Report;
}

/// Makes the report in an order that matters: the arrays first, to which the
/// counts are added, then the findings, whose messages contain the counts.
KernelReport reportKernel(const Kernel &K, const Plan &P, const Target &T,
                          const clang::SourceManager &Sources) {
  KernelReport Report;
  Report.Name = K.Name;
  Report.IsKernel = K.Decl->hasAttr<clang::CUDAGlobalAttr>();
  const Place At = findPlace(K.Decl->getLocation(), Sources);
  Report.File = showPath(At.File, At.Path);
  Report.Line = At.Line;
  Report.Text = findText(K.Decl->getSourceRange(), Sources);
  Report.Gpu = T;
  Report.NumInstances = llvm::count_if(K.Instances, [](const auto &Instance) {
    return !Instance->Block.IsUnseen;
  });
  Report.Launches = listLaunches(K);
  if (K.WhyOpen)
    Report.WhyOpen = getReasonId(*K.WhyOpen);
  Report.Verify = "none";
  const KernelInstance *Instance = chooseInstance(K, P, T);
  for (ArrayId Id = 0; Id != K.Arrays.size(); ++Id) {
    auto Found = P.Layouts.find(Id);
    const LayoutDecision *Decision =
        Found == P.Layouts.end() ? nullptr : &Found->second;
    const ArrayShape *Shape = nullptr;
    if (Instance && Id < Instance->Shapes.size() &&
        !Instance->Shapes[Id].Extents.empty())
      Shape = &Instance->Shapes[Id];
    Report.Arrays.push_back(
        reportArray(K.Arrays[Id], Shape, Decision, Sources));
  }
  countKernel(K, P, Instance, Report);
  Report.Findings = findDecisions(K, P, Report, Sources);
  if (P.Reuse) {
    Report.Storage = reportStorage(K, *P.Reuse);
    Report.BarriersAdded = P.Reuse->NewBarriers.size();
  }
  Report.HasOtherRewrites = any_of(
      P.Rewrites, [](const RewriteDecision &D) { return D.isRewritten(); });
  if (P.isRewritten())
    Report.Verify = "plan";
  if (P.Order) {
    Report.Order = {P.Order->IsApplied, "", ""};
    if (const std::optional<Refusal> &R = P.Order->Refused) {
      Report.Order->Reason = getReasonId(R->Why);
      Report.Order->Message = R->text();
    }
  }
  return Report;
}

/// The loop is rewritten, proposed, or kept for a reason.
LoopReport reportLoop(const LevelizeDecision &D,
                      const std::optional<Refusal> &Refused, StringRef Mark,
                      const clang::SourceManager &Sources) {
  const HostLoop &L = D.Loop;
  LoopReport Report;
  Report.Function = L.Function->getNameAsString();
  Report.Line = findPlace(L.getBeginLoc(), Sources).Line;
  if (const clang::Stmt *Statement = L.Marked ? L.Marked : L.Loop)
    Report.Text = findText(Statement->getSourceRange(), Sources);
  Report.IsRewritten = !Refused && !D.IsProposal;
  Report.IsProposal = D.IsProposal;
  Report.IsIndependent = D.IsIndependent;
  Report.IsSelfIndexing = D.Slice.IsSelfIndexing;
  for (const HostArray &A : L.Arrays)
    if (A.IsConflict)
      Report.ConflictArrays.push_back(A.Path.text());
  if (Refused) {
    Report.Reason = getReasonId(Refused->Why);
    Report.Message = Refused->text();
  }
  Report.Decision = findDecision(D, Refused, Mark, Sources);
  return Report;
}

/// True if any pass has changed the kernel.
bool KernelReport::isRewritten() const {
  return (Storage && Storage->isRewritten()) || (Order && Order->IsChanged) ||
         HasOtherRewrites ||
         any_of(Arrays, [](const ArrayReport &A) { return A.IsRewritten; });
}

std::vector<const Finding *> listFindings(const FileReport &File) {
  std::vector<const Finding *> List;
  for (const KernelReport &K : File.Kernels)
    for (const Finding &F : K.Findings)
      List.push_back(&F);
  for (const LoopReport &L : File.Loops)
    List.push_back(&L.Decision);
  return List;
}

} // namespace cudaopt
