// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes reports from plans, and JSON from reports.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Report.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using namespace llvm;

namespace cudaopt {

/// Places are the file's own: `#line` directives are not obeyed.
static clang::PresumedLoc getPlace(clang::SourceLocation Loc,
                                   const clang::SourceManager &Sources) {
  return Sources.getPresumedLoc(Sources.getExpansionLoc(Loc),
                                /*UseLineDirectives=*/false);
}

static std::string getElementType(const clang::VarDecl &Decl) {
  const clang::ASTContext &Context = Decl.getASTContext();
  return Context.getBaseElementType(Decl.getType())
      .getAsString(Context.getPrintingPolicy());
}

static ArrayReport reportArray(const SharedArray &A, const ArrayShape *Shape,
                               const LayoutDecision *Decision,
                               const clang::SourceManager &Sources) {
  ArrayReport Report;
  Report.Name = A.Name;
  clang::PresumedLoc Place = getPlace(A.Decl->getLocation(), Sources);
  if (Place.isValid()) {
    Report.File = Place.getFilename();
    Report.Line = Place.getLine();
  }
  Report.Type = getElementType(*A.Decl);
  if (Shape) {
    Report.Extents = Shape->Extents;
    Report.Layout.Before = Report.Layout.After = Layout().text(*Shape);
  }
  if (!Decision)
    return Report;
  Report.Cost = Decision->Cost;
  Report.NumUncounted = Decision->NumUncounted;
  Report.IsExact = Decision->IsExact;
  Report.Proof = Decision->Proof;
  Report.IsRewritten = Decision->isRewritten();
  if (!Report.IsRewritten) {
    Report.Reason = getReasonId(Decision->WhyKept.Why);
    Report.Message = Decision->WhyKept.text();
  } else if (Shape) {
    Report.Layout.After = Decision->New.text(*Shape);
  }
  return Report;
}

/// The instance that a report describes: the first whose block is known, rather
/// than assumed.
static const KernelInstance *chooseInstance(const Kernel &K) {
  for (bool MayAssume : {false, true})
    for (const auto &Instance : K.Instances)
      if (Instance->Block.isKnown() &&
          (MayAssume || Instance->Block.Origin != ShapeOrigin::Assumed))
        return Instance.get();
  return K.Instances.empty() ? nullptr : K.Instances.front().get();
}

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
  for (const DynamicLaunch &Each : Reuse.Launches)
    Report.DynamicBytes = std::max(Report.DynamicBytes, Each.Bytes);
  Report.LowerBound = Reuse.LowerBound;
  Report.IsOptimal = Reuse.IsOptimal;
  if (!Reuse.isRewritten() && Reuse.WhyKept.Why != Reason::None) {
    Report.Reason = getReasonId(Reuse.WhyKept.Why);
    Report.Message = Reuse.WhyKept.text();
  }
  return Report;
}

KernelReport reportKernel(const Kernel &K, const Plan &P, const Target &T,
                          const clang::SourceManager &Sources) {
  KernelReport Report;
  Report.Name = K.Name;
  Report.IsKernel = K.Decl->hasAttr<clang::CUDAGlobalAttr>();
  clang::PresumedLoc Place = getPlace(K.Decl->getLocation(), Sources);
  if (Place.isValid()) {
    Report.File = Place.getFilename();
    Report.Line = Place.getLine();
  }
  Report.NumInstances = K.Instances.size();
  Report.Verify = "none";
  const KernelInstance *Instance = chooseInstance(K);
  int64_t Extra = 0; // Fields may leave out the padding of the structs.
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
    // What becomes private is not accessed in shared memory any more.
    if (P.Reuse && is_contained(P.Reuse->Private, Id))
      Report.Arrays.back().Cost.After = Report.Arrays.back().Cost.Bound = 0;
    Report.Cost += Report.Arrays.back().Cost;
    if (!Report.Arrays.back().IsRewritten)
      continue;
    Report.Verify = "plan";
    if (Shape)
      Extra += int64_t(Decision->New.bytes(*Shape) - Layout().bytes(*Shape));
  }
  if (P.Reuse) {
    Report.Storage = reportStorage(K, *P.Reuse);
    Report.BarriersAdded = P.Reuse->NewBarriers.size();
    if (P.Reuse->isRewritten())
      Report.Verify = "plan";
  }
  if (P.Order)
    Report.Order = {
        P.Order->IsApplied, getReasonId(P.Order->WhyKept.Why).str(),
        P.Order->WhyKept.Why == Reason::None ? "" : P.Order->WhyKept.text()};
  if (!Instance)
    return Report;
  Report.Block = Instance->Block;
  uint64_t Bytes = Instance->StaticSharedBytes;
  Report.SharedBytes = {Bytes, Bytes + Extra};
  uint32_t Threads = Report.Block.isKnown() ? Report.Block.numThreads()
                                            : Report.Block.MaxThreads;
  Report.BlocksPerSM = {blocksPerSM(T, Threads, Bytes),
                        blocksPerSM(T, Threads, Bytes + Extra)};
  if (P.Reuse && P.Reuse->isRewritten()) {
    Report.SharedBytes.After = P.Reuse->BytesAfter;
    Report.BlocksPerSM.After = blocksPerSM(T, Threads, P.Reuse->BytesAfter);
  }
  return Report;
}

static StringRef getName(ShapeOrigin Origin) {
  switch (Origin) {
  case ShapeOrigin::Option:
    return "option";
  case ShapeOrigin::Launch:
    return "launch";
  case ShapeOrigin::Assumed:
    return "assumed";
  case ShapeOrigin::LaunchBounds:
    return "launch-bounds";
  case ShapeOrigin::Unknown:
    return "unknown";
  }
  llvm_unreachable("unknown origin");
}

static json::Value toJSON(const Wavefronts &Cost) {
  return json::Object{
      {"before", Cost.Before}, {"after", Cost.After}, {"bound", Cost.Bound}};
}

static json::Value toJSON(const KernelResources &R) {
  return json::Object{{"registers", R.Registers},
                      {"spill_bytes", R.SpillBytes},
                      {"shared_bytes", R.SharedBytes}};
}

template <class T> static json::Value toJSON(const BeforeAfter<T> &Values) {
  return json::Object{{"before", Values.Before}, {"after", Values.After}};
}

/// An empty text is null: there is nothing to say.
static json::Value textOrNull(StringRef Text) {
  return Text.empty() ? json::Value(nullptr) : json::Value(Text.str());
}

static json::Value toJSON(const BlockShape &Block) {
  json::Object Result{{"origin", getName(Block.Origin)},
                      {"max_threads", Block.MaxThreads}};
  const char *Names[] = {"x", "y", "z"};
  for (unsigned I = 0; I != 3; ++I)
    Result[Names[I]] =
        Block.isKnown() ? json::Value(Block.Threads[I]) : json::Value(nullptr);
  return Result;
}

static json::Value toJSON(const ArrayReport &A) {
  return json::Object{{"name", A.Name},
                      {"file", A.File},
                      {"line", A.Line},
                      {"type", A.Type},
                      {"extents", json::Array(A.Extents)},
                      {"layout", toJSON(A.Layout)},
                      {"decision", A.IsRewritten ? "rewritten" : "kept"},
                      {"wavefronts", toJSON(A.Cost)},
                      {"uncounted", A.NumUncounted},
                      {"exact", A.IsExact},
                      {"certificate", textOrNull(getName(A.Proof))},
                      {"reason", textOrNull(A.Reason)},
                      {"message", textOrNull(A.Message)}};
}

static json::Value toJSON(const StorageReport &S) {
  json::Array Objects;
  for (const std::vector<std::string> &Names : S.Objects)
    Objects.push_back(json::Array(Names));
  return json::Object{{"decision", S.isRewritten() ? "rewritten" : "kept"},
                      {"objects", std::move(Objects)},
                      {"private", json::Array(S.Private)},
                      {"trimmed", json::Array(S.Trimmed)},
                      {"dynamic_bytes", S.DynamicBytes},
                      {"bound", S.LowerBound},
                      {"optimal", S.IsOptimal},
                      {"reason", textOrNull(S.Reason)},
                      {"message", textOrNull(S.Message)}};
}

static json::Value toJSON(const OrderReport &O) {
  return json::Object{{"decision", O.IsChanged ? "rewritten" : "kept"},
                      {"reason", textOrNull(O.Reason)},
                      {"message", textOrNull(O.Message)}};
}

static json::Value toJSON(const KernelReport &K) {
  json::Array Arrays;
  for (const ArrayReport &A : K.Arrays)
    Arrays.push_back(toJSON(A));
  return json::Object{
      {"name", K.Name},
      {"file", K.File},
      {"line", K.Line},
      {"instances", K.NumInstances},
      {"block", toJSON(K.Block)},
      {"shared_bytes", toJSON(K.SharedBytes)},
      {"blocks_per_sm", toJSON(K.BlocksPerSM)},
      {"wavefronts", toJSON(K.Cost)},
      {"barriers_added", K.BarriersAdded},
      {"storage", K.Storage ? toJSON(*K.Storage) : json::Value(nullptr)},
      {"order", K.Order ? toJSON(*K.Order) : json::Value(nullptr)},
      {"verify", K.Verify},
      {"resources", K.Resources
                        ? json::Object{{"before", toJSON(K.Resources->Before)},
                                       {"after", toJSON(K.Resources->After)}}
                        : json::Value(nullptr)},
      {"arrays", std::move(Arrays)}};
}

LoopReport reportLoop(const LevelizeDecision &D,
                      const clang::SourceManager &Sources) {
  const HostLoop &L = D.Loop;
  LoopReport Report;
  Report.Function = L.Function->getNameAsString();
  const clang::PresumedLoc Place = getPlace(L.getBeginLoc(), Sources);
  if (Place.isValid())
    Report.Line = Place.getLine();
  Report.IsRewritten = D.isRewritten();
  Report.IsProposal = D.IsProposal;
  Report.IsIndependent = D.IsIndependent;
  Report.IsSelfIndexing = D.Slice.IsSelfIndexing;
  for (const HostArray &A : L.Arrays)
    if (A.IsConflict)
      Report.ConflictArrays.push_back(A.Path.text());
  if (D.WhyKept.Why != Reason::None) {
    Report.Reason = getReasonId(D.WhyKept.Why);
    Report.Message = D.WhyKept.text();
  }
  return Report;
}

static json::Value toJSON(const LoopReport &L) {
  return json::Object{{"function", L.Function},
                      {"line", L.Line},
                      {"decision", L.IsRewritten  ? "rewritten"
                                   : L.IsProposal ? "proposed"
                                                  : "kept"},
                      {"independent", L.IsIndependent},
                      {"self_indexing", L.IsSelfIndexing},
                      {"conflict_arrays", json::Array(L.ConflictArrays)},
                      {"reason", textOrNull(L.Reason)},
                      {"message", textOrNull(L.Message)}};
}

json::Value toJSON(ArrayRef<FileReport> Files) {
  json::Array List;
  for (const FileReport &File : Files) {
    json::Array Kernels;
    for (const KernelReport &K : File.Kernels)
      Kernels.push_back(toJSON(K));
    json::Array Loops;
    for (const LoopReport &L : File.Loops)
      Loops.push_back(toJSON(L));
    List.push_back(json::Object{{"file", File.File},
                                {"kernels", std::move(Kernels)},
                                {"loops", std::move(Loops)}});
  }
  return json::Object{{"schema", 1}, {"files", std::move(List)}};
}

static void printNumber(size_t Count, StringRef Noun, raw_ostream &OS) {
  OS << Count << ' ' << Noun << (Count == 1 ? "" : "s");
}

void printSummary(const FileReport &File, raw_ostream &OS) {
  size_t Rewritten = 0, Kept = 0, Smaller = 0;
  for (const KernelReport &K : File.Kernels) {
    Smaller += K.Storage && K.Storage->isRewritten();
    for (const ArrayReport &A : K.Arrays)
      ++(A.IsRewritten ? Rewritten : Kept);
  }
  OS << File.File << ": ";
  printNumber(llvm::count_if(File.Kernels,
                             [](const KernelReport &K) { return K.IsKernel; }),
              "kernel", OS);
  OS << ", ";
  printNumber(Rewritten, "array", OS);
  OS << " rewritten, " << Kept << " kept";
  if (Smaller) {
    OS << ", ";
    printNumber(Smaller, "kernel", OS);
    OS << " in less shared memory";
  }
  if (!File.Loops.empty()) {
    const size_t Parallel = llvm::count_if(
        File.Loops, [](const LoopReport &L) { return L.IsRewritten; });
    OS << "; ";
    printNumber(Parallel, "loop", OS);
    OS << " made parallel, " << File.Loops.size() - Parallel << " kept";
  }
  OS << '\n';
}

} // namespace cudaopt
