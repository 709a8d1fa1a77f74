// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes reports as JSON; docs/report.schema.json describes the format.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Report.h"
#include "cudaopt/Support/ShownPath.h"

using namespace llvm;

namespace cudaopt {

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

/// Returns null for an empty text, which means that there is nothing to say.
static json::Value textOrNull(StringRef Text) {
  return Text.empty() ? json::Value(nullptr) : json::Value(Text.str());
}

/// Returns null for an unknown value; another field says why it is unknown.
template <class T> static json::Value toJSON(const std::optional<T> &Known) {
  return Known ? toJSON(*Known) : json::Value(nullptr);
}

static json::Value toJSON(const BlockShape &Block) {
  json::Object Result{{"origin", getName(Block.Origin)},
                      {"trust", getName(Block.trust())},
                      {"max_threads", Block.MaxThreads}};
  const char *Names[] = {"x", "y", "z"};
  for (unsigned I = 0; I != 3; ++I)
    Result[Names[I]] =
        Block.isKnown() ? json::Value(Block.Threads[I]) : json::Value(nullptr);
  return Result;
}

/// Returns the address of each lane, null for inactive ones.
static json::Value toJSON(const WarpAddresses &Bytes, uint32_t ActiveLanes) {
  json::Array List;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    List.push_back(ActiveLanes >> Lane & 1 ? json::Value(Bytes[Lane])
                                           : json::Value(nullptr));
  return List;
}

static json::Value toJSON(const RequestReport &R) {
  return json::Object{
      {"bytes",
       json::Object{{"before", toJSON(R.Addresses.Before, R.ActiveLanes)},
                    {"after", toJSON(R.Addresses.After, R.ActiveLanes)}}},
      {"wavefronts", json::Object{{"before", R.Wavefronts.Before},
                                  {"after", R.Wavefronts.After},
                                  {"bound", R.Bound}}}};
}

StringRef getName(AccessKind Kind) {
  switch (Kind) {
  case AccessKind::Read:
    return "load";
  case AccessKind::Write:
    return "store";
  case AccessKind::Atomic:
    return "atomic";
  }
  llvm_unreachable("unknown kind");
}

static json::Value toJSON(const AccessReport &A) {
  return json::Object{
      {"line", A.At.Line},
      {"column", A.At.Column},
      {"text", A.Text},
      {"element", textOrNull(A.Element)},
      {"kind", getName(A.Kind)},
      {"width", A.Width},
      {"requests", A.Requests},
      {"worst", A.Worst ? toJSON(*A.Worst) : json::Value(nullptr)},
      {"uncounted", textOrNull(A.WhyUncounted)}};
}

static json::Value toJSON(const StoredSpan &Bytes) {
  return json::Object{{"offset", Bytes.Offset}, {"size", Bytes.Size}};
}

static json::Value toJSON(const LiveRangeTable::Row &Row) {
  json::Array Uses;
  for (const LiveRangeTable::Use &Use : Row.Uses)
    Uses.push_back(json::Object{
        {"reads", Use.Reads},
        {"writes", Use.Writes},
        {"busy", Use.Bytes ? json::Value(json::Array{Use.Bytes->first,
                                                     Use.Bytes->second})
                           : json::Value(nullptr)}});
  return json::Object{
      {"lines",
       Row.Lines ? json::Value(json::Array{Row.Lines->first, Row.Lines->second})
                 : json::Value(nullptr)},
      {"uses", std::move(Uses)}};
}

static json::Value toJSON(const StorageMap &Map) {
  json::Array Variables, Intervals;
  for (const StorageMap::Variable &V : Map.Variables)
    Variables.push_back(json::Object{
        {"name", V.Name},
        {"before", toJSON(V.Before)},
        {"after", V.After ? toJSON(*V.After) : json::Value(nullptr)}});
  for (const LiveRangeTable::Row &Row : Map.Intervals.Rows)
    Intervals.push_back(toJSON(Row));
  return json::Object{{"variables", std::move(Variables)},
                      {"intervals", std::move(Intervals)}};
}

static json::Value toJSON(const ArrayReport &A) {
  json::Array Accesses;
  for (const AccessReport &Each : A.Accesses)
    Accesses.push_back(toJSON(Each));
  return json::Object{{"name", A.Name},
                      {"file", A.File},
                      {"line", A.Line},
                      {"type", A.Type},
                      {"extents", json::Array(A.Extents)},
                      {"layout", toJSON(A.Layout)},
                      {"decision", A.IsRewritten ? "rewritten" : "kept"},
                      {"wavefronts", toJSON(A.Cost)},
                      {"not_counted", textOrNull(A.WhyUncounted)},
                      {"uncounted", A.NumUncounted},
                      {"exact", A.IsExact},
                      {"certificate", textOrNull(getName(A.Proof))},
                      {"trust", A.IsRewritten ? json::Value(getName(A.Rests))
                                              : json::Value(nullptr)},
                      {"accesses", std::move(Accesses)},
                      {"reason", textOrNull(A.Reason)},
                      {"message", textOrNull(A.Message)}};
}

static json::Value toJSON(const StorageReport &S) {
  json::Array Objects;
  for (const std::vector<std::string> &Names : S.Objects)
    Objects.push_back(json::Array(Names));
  json::Array InPlace;
  for (const auto &[A, B] : S.InPlace)
    InPlace.push_back(json::Array{A, B});
  return json::Object{{"decision", S.isRewritten() ? "rewritten" : "kept"},
                      {"objects", std::move(Objects)},
                      {"private", json::Array(S.Private)},
                      {"trimmed", json::Array(S.Trimmed)},
                      {"in_place", std::move(InPlace)},
                      {"dynamic_bytes", S.DynamicBytes},
                      {"bound", S.LowerBound},
                      {"optimal", S.IsOptimal},
                      {"trust", S.isRewritten() ? json::Value(getName(S.Rests))
                                                : json::Value(nullptr)},
                      {"reason", textOrNull(S.Reason)},
                      {"message", textOrNull(S.Message)}};
}

static json::Value toJSON(const OrderReport &O) {
  return json::Object{{"decision", O.IsChanged ? "rewritten" : "kept"},
                      {"reason", textOrNull(O.Reason)},
                      {"message", textOrNull(O.Message)}};
}

static StringRef getName(Outcome What) {
  switch (What) {
  case Outcome::Done:
    return "done";
  case Outcome::Missed:
    return "missed";
  case Outcome::Proposed:
    return "proposed";
  case Outcome::Fact:
    return "fact";
  }
  llvm_unreachable("unknown outcome");
}

static json::Value toJSON(const Finding &F) {
  return json::Object{{"id", F.id()},
                      {"pass", F.Pass},
                      {"outcome", getName(F.outcome())},
                      {"object", textOrNull(F.Object)},
                      {"line", F.At.Line},
                      {"column", F.At.Column},
                      {"message", F.message()}};
}

/// Returns the decisions among the findings; facts are in accesses and maps.
static json::Value toJSON(ArrayRef<Finding> Findings) {
  json::Array List;
  for (const Finding &Each : Findings)
    if (Each.outcome() != Outcome::Fact)
      List.push_back(toJSON(Each));
  return List;
}

static StringRef kindOf(const GlobalAccess &A) {
  switch (A.What) {
  case GlobalAccess::Load:
    return "load";
  case GlobalAccess::Store:
    return "store";
  case GlobalAccess::Atomic:
    return "atomic";
  }
  llvm_unreachable("unknown kind");
}

static json::Value toJSON(const GlobalAccess &A) {
  return json::Object{{"file", A.File},
                      {"line", A.Line},
                      {"column", A.Column},
                      {"kind", kindOf(A)},
                      {"requests", A.Requests},
                      {"sectors", A.Sectors},
                      {"least", A.Least},
                      {"lanes", StringRef(nameOf(A.Lanes.Order))},
                      {"advice", textOrNull(adviseOn(A))}};
}

static json::Value toJSON(const LimitReport &L) {
  json::Object Busy;
  for (unsigned I = 0; I != NumResources; ++I)
    Busy[StringRef(nameOf(Resource(I)))] = L.Time.share(Resource(I));
  json::Array Global;
  for (const GlobalAccess &Each : L.Global)
    Global.push_back(toJSON(Each));
  return json::Object{{"global", std::move(Global)},
                      {"resource", StringRef(nameOf(L.Time.limiter()))},
                      {"block", toJSON(L.Block)},
                      {"cycles", L.Time.Cycles},
                      {"gpu", L.Speed.Name},
                      {"measured", L.Speed.IsMeasured},
                      {"microseconds", L.Seconds ? json::Value(*L.Seconds * 1e6)
                                                 : json::Value(nullptr)},
                      {"busy", std::move(Busy)},
                      {"warps", L.Warps},
                      {"estimated", !L.IsExact},
                      {"without_conflicts",
                       L.WithoutConflicts ? json::Value(*L.WithoutConflicts)
                                          : json::Value(nullptr)}};
}

static json::Value toJSON(const KernelReport &K) {
  json::Array Arrays;
  for (const ArrayReport &A : K.Arrays)
    Arrays.push_back(toJSON(A));
  json::Array Launches;
  for (const BlockShape &Shape : K.Launches)
    Launches.push_back(toJSON(Shape));
  return json::Object{
      {"name", K.Name},
      {"kind", K.IsKernel ? "kernel" : "function"},
      {"file", K.File},
      {"line", K.Line},
      {"end_line", K.Text.End.Line},
      {"gpu", StringRef(K.Gpu.Name)},
      {"instances", K.NumInstances},
      {"block", toJSON(K.Block)},
      {"launches", std::move(Launches)},
      {"open", textOrNull(K.WhyOpen)},
      {"shared_bytes", toJSON(K.SharedBytes)},
      {"dynamic_bytes",
       K.DynamicBytes ? json::Value(*K.DynamicBytes) : json::Value(nullptr)},
      {"blocks_per_sm", toJSON(K.BlocksPerSM)},
      {"carve_out_bytes",
       K.BlocksPerSM ? toJSON(K.CarveOut) : json::Value(nullptr)},
      {"wavefronts", toJSON(K.Cost)},
      {"limit", K.Limit ? toJSON(*K.Limit) : json::Value(nullptr)},
      {"not_counted",
       json::Object{{"wavefronts", textOrNull(K.WhyUncounted)},
                    {"shared_bytes", textOrNull(K.WhyNoBytes)},
                    {"blocks_per_sm", textOrNull(K.WhyNoBlocks)}}},
      {"barriers_added", K.BarriersAdded},
      {"storage", K.Storage ? toJSON(*K.Storage) : json::Value(nullptr)},
      {"map", K.Map ? toJSON(*K.Map) : json::Value(nullptr)},
      {"order", K.Order ? toJSON(*K.Order) : json::Value(nullptr)},
      {"verify", K.Verify},
      {"findings", toJSON(K.Findings)},
      {"resources", K.Resources
                        ? json::Object{{"before", toJSON(K.Resources->Before)},
                                       {"after", toJSON(K.Resources->After)}}
                        : json::Value(nullptr)},
      {"arrays", std::move(Arrays)}};
}

/// Returns how dependences between the iterations are found at run time; an
/// empty string for a loop that stays sequential.
static StringRef classify(const LoopReport &L) {
  if (!L.IsRewritten && !L.IsProposal)
    return "";
  return L.IsIndependent    ? "independent"
         : L.IsSelfIndexing ? "self-indexing"
                            : "inspected";
}

static json::Value toJSON(const LoopReport &L) {
  return json::Object{{"function", L.Function},
                      {"file", showPath(L.Text.Begin.File, L.Text.Begin.Path)},
                      {"end_line", L.Text.End.Line},
                      {"class", textOrNull(classify(L))},
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

/// Fields may be added under one schema number; none is removed or changed
/// (docs/Reports.md).
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
  return json::Object{{"schema", 2}, {"files", std::move(List)}};
}

} // namespace cudaopt
