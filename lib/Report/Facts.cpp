// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects facts about accesses and live ranges, and turns them into findings.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/BankConflicts.h"
#include "cudaopt/Model/ValueText.h"
#include "cudaopt/Report/Report.h"
#include "cudaopt/Source/Line.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace cudaopt {

/// In bytes: a subscript may be long, but a picture's title must not be.
static constexpr size_t MaxText = 120;

static std::string shorten(std::string Text) {
  std::string Result;
  for (char C : Text)
    if (C == '\n' || C == ' ' || C == '\t') {
      if (!Result.empty() && Result.back() != ' ')
        Result += ' ';
    } else {
      Result += C;
    }
  if (Result.size() > MaxText)
    Result = Result.substr(0, MaxText - 3) + "...";
  // A character may be cut in two, or the file may have another encoding.
  return llvm::json::isUTF8(Result) ? Result : llvm::json::fixUTF8(Result);
}

std::string getAccessText(const Access &A, const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  const LangOptions &Language = Context.getLangOpts();
  const CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(A.Ref->getSourceRange()), Sources,
      Language);
  const StringRef Text = Lexer::getSourceText(Range, Sources, Language);
  if (!Text.empty())
    return shorten(Text.str());
  // A macro writes the access.
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  A.Ref->printPretty(OS, nullptr, Context.getPrintingPolicy());
  return shorten(std::move(Printed));
}

static std::string printElement(const KernelInstance &Instance,
                                const Access &A) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (ValueId Id : A.Index) {
    OS << '[';
    printForUser(Instance.Values, Id, OS);
    OS << ']';
  }
  return shorten(std::move(Text));
}

/// Counts the request of pattern \p P with the array as declared and with
/// layout \p New, at the access width of the source.
static RequestReport countRequest(const LanePattern &P, const ArrayShape &Shape,
                                  const Layout &New, const BankMap &Map) {
  auto place = [&](const Layout &L) {
    return P.makeRequest([&](uint32_t Element, unsigned Offset) {
      return L.address(Element, Offset, Shape);
    });
  };
  const WarpRequest Before = place(Layout()), After = place(New);
  RequestReport Result;
  Result.ActiveLanes = P.ActiveLanes;
  Result.Addresses = {Before.Addresses, After.Addresses};
  Result.Wavefronts = {countWavefronts(Map, Before),
                       countWavefronts(Map, After)};
  Result.Bound = boundWavefronts(Map, Before);
  return Result;
}

/// Counts the requests of an access with the old and the new layout, and keeps
/// the request that is worst before.
static AccessReport reportAccess(const Access &A,
                                 const KernelInstance &Instance,
                                 const Layout &New, const BankMap &Map,
                                 const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  AccessReport Report;
  Report.At = findPlace(A.Ref->getBeginLoc(), Sources);
  Report.Text = getAccessText(A, Context);
  Report.Element = printElement(Instance, A);
  Report.Kind = A.Kind;
  Report.Width = A.Width;
  for (const LanePattern &P : collectPatterns(Instance, A).Patterns) {
    Report.Requests += P.SourceWeight * P.Count;
    RequestReport Request = countRequest(P, Instance.Shapes[A.Array], New, Map);
    if (!Report.Worst ||
        Request.Wavefronts.Before > Report.Worst->Wavefronts.Before)
      Report.Worst = Request;
  }
  if (!Report.Worst)
    Report.WhyUncounted = explainUncounted(A, Instance, Report.Text);
  return Report;
}

/// Adds the accesses of the instance that the report describes, and the storage
/// map.
void reportFacts(const Kernel &K, const Plan &P, const SourceManager &Sources,
                 KernelReport &Report) {
  const KernelInstance *Instance = chooseInstance(K, P, Report.Gpu);
  if (!Instance)
    return;
  for (const Access &A : Instance->Accesses) {
    if (Instance->Shapes[A.Array].Extents.empty())
      continue;
    auto Found = P.Layouts.find(A.Array);
    const Layout New = Found == P.Layouts.end() ? Layout() : Found->second.New;
    Report.Arrays[A.Array].Accesses.push_back(reportAccess(
        A, *Instance, New, Report.Gpu.Shared, K.Decl->getASTContext()));
    AccessReport &Last = Report.Arrays[A.Array].Accesses.back();
    // A private array is no longer in shared memory.
    if (Last.Worst && P.Reuse && llvm::is_contained(P.Reuse->Private, A.Array))
      Last.Worst->Wavefronts.After = Last.Worst->Bound = 0;
  }
  if (Report.IsKernel)
    Report.Map = mapStorage(K, P);
}

static Finding makeFact(diag::Kind What, llvm::StringRef Pass,
                        llvm::StringRef Function, llvm::StringRef Object,
                        const Place &At) {
  Finding F;
  F.What = What;
  F.Pass = Pass.str();
  F.Function = Function.str();
  F.Object = Object.str();
  F.At = At;
  return F;
}

/// Returns the finding about the banks of an access, or about why it is not
/// counted.
static Finding describeAccess(const KernelReport &K, const ArrayReport &Array,
                              const AccessReport &A) {
  if (!A.Worst) {
    Finding F = makeFact(diag::remark_access_uncounted, "bank-layout", K.Name,
                         Array.Name, A.At);
    F.Arguments = {{"Access", getName(A.Kind).str()},
                   {"Text", A.Text},
                   {"Reason", A.WhyUncounted}};
    return F;
  }
  Finding F = makeFact(diag::remark_access_banks, "bank-layout", K.Name,
                       Array.Name, A.At);
  F.Arguments = {
      {"Access", getName(A.Kind).str()},
      {"Text", A.Text},
      {"Bytes", std::to_string(A.Width)},
      {"Element", A.Element},
      {"WavefrontsBefore", std::to_string(A.Worst->Wavefronts.Before)},
      {"WavefrontsAfter", std::to_string(A.Worst->Wavefronts.After)},
      {"WavefrontsBound", std::to_string(A.Worst->Bound)}};
  return F;
}

/// Returns the lines on which a variable is live, "12-18, 20"; an empty string
/// if it never is. The intervals of loops overlap and are merged.
static std::string listBusyLines(const LiveRangeTable &Table, size_t Variable) {
  std::vector<std::pair<unsigned, unsigned>> Ranges;
  for (const LiveRangeTable::Row &Row : Table.Rows)
    if (Row.Uses[Variable].IsBusy && Row.Lines)
      Ranges.emplace_back(Row.Lines->first, Row.Lines->second);
  llvm::sort(Ranges);
  std::string Text;
  for (size_t I = 0; I != Ranges.size();) {
    auto [First, Last] = Ranges[I];
    for (++I; I != Ranges.size() && Ranges[I].first <= Last; ++I)
      Last = std::max(Last, Ranges[I].second);
    Text += (Text.empty() ? "" : ", ") + std::to_string(First);
    if (Last != First)
      Text += '-' + std::to_string(Last);
  }
  return Text;
}

/// Adds a finding about when each variable of \p K is live, at its declaration.
static void addLiveRanges(const KernelReport &K, const SourceManager &Sources,
                          std::vector<Finding> &Facts) {
  for (auto [Index, V] : llvm::enumerate(K.Map->Variables)) {
    const std::string Lines = listBusyLines(K.Map->Intervals, Index);
    if (Lines.empty())
      continue;
    Finding &F = Facts.emplace_back(
        makeFact(diag::remark_live_range, "shared-reuse", K.Name, V.Name,
                 findPlace(V.Decl->getLocation(), Sources)));
    F.Loc = V.Decl->getLocation();
    F.Arguments = {{"Variable", V.Name},
                   {"Bytes", std::to_string(V.Before.Size)},
                   {"Lines", Lines}};
  }
}

/// Returns the finding about what a block of \p K costs, or why that is
/// unknown, at the kernel's name.
static Finding describeCost(const Kernel &K, const KernelReport &Report,
                            const SourceManager &Sources) {
  const SourceLocation Loc = K.Decl->getLocation();
  Finding F = makeFact(Report.Cost ? diag::remark_access_cost
                                   : diag::remark_cost_uncounted,
                       "bank-layout", Report.Name, "", findPlace(Loc, Sources));
  F.Loc = Loc;
  if (!Report.Cost) {
    F.Arguments = {{"Kernel", Report.Name}, {"Reason", Report.WhyUncounted}};
    return F;
  }
  auto format = [](double Count) {
    return llvm::formatv("{0}", llvm::format("%.10g", Count)).str();
  };
  F.Arguments = {{"Kernel", Report.Name},
                 {"Threads", std::to_string(Report.numThreads())},
                 {"Wavefronts", format(Report.Cost->Before)},
                 {"WavefrontsBound", format(Report.Cost->Bound)},
                 {"Rest", Report.WhyUncounted.empty()
                              ? ""
                              : "; not counted: " + Report.WhyUncounted}};
  return F;
}

/// Returns the finding about what limits \p K, at its name.
static Finding describeLimit(const Kernel &K, const KernelReport &Report,
                             const SourceManager &Sources) {
  const SourceLocation Loc = K.Decl->getLocation();
  Finding F = makeFact(diag::remark_kernel_limit, "predicted-time", Report.Name,
                       "", findPlace(Loc, Sources));
  F.Loc = Loc;
  F.Arguments = {{"Kernel", Report.Name},
                 {"Threads", std::to_string(Report.Limit->Block.numThreads())},
                 {"Limit", Report.Limit->text()}};
  return F;
}

static const char *verbOf(GlobalAccess::Kind What) {
  switch (What) {
  case GlobalAccess::Load:
    return "loads from";
  case GlobalAccess::Store:
    return "stores to";
  case GlobalAccess::Atomic:
    return "atomic operations on";
  }
  llvm_unreachable("unknown kind");
}

/// Adds a finding about each place of \p K that accesses global memory, as far
/// as it is in the file of the kernel.
static void addGlobalAccesses(const Kernel &K, const KernelReport &Report,
                              const SourceManager &Sources,
                              std::vector<Finding> &Facts) {
  for (const GlobalAccess &Each : Report.Limit->Global) {
    const SourceLocation Loc = findPosition(Sources, K.Decl->getLocation(),
                                            Each.File, Each.Line, Each.Column);
    if (Loc.isInvalid())
      continue;
    Finding &F =
        Facts.emplace_back(makeFact(diag::remark_global_access, "global-access",
                                    Report.Name, "", findPlace(Loc, Sources)));
    F.Loc = Loc;
    const auto mean = [&](double Sum) {
      return llvm::formatv("{0}", llvm::format("%.4g", Sum / Each.Requests))
          .str();
    };
    const std::string Advice = adviseOn(Each);
    F.Arguments = {{"Access", verbOf(Each.What)},
                   {"Sectors", mean(Each.Sectors)},
                   {"SectorsBound", mean(Each.Least)},
                   {"Advice", Advice.empty() ? "" : "; " + Advice}};
  }
}

std::vector<Finding> findFacts(const Kernel &K, const KernelReport &Report,
                               const SourceManager &Sources) {
  std::vector<Finding> Facts;
  for (const ArrayReport &Array : Report.Arrays)
    for (const AccessReport &A : Array.Accesses)
      Facts.push_back(describeAccess(Report, Array, A));
  if (Report.Map)
    addLiveRanges(Report, Sources, Facts);
  if (Report.IsKernel && (!Report.Arrays.empty() || !Report.ArraysIn.empty()) &&
      (!Report.Cost || Report.Cost->Before != 0))
    Facts.push_back(describeCost(K, Report, Sources));
  if (Report.Limit) {
    addGlobalAccesses(K, Report, Sources, Facts);
    Facts.push_back(describeLimit(K, Report, Sources));
  }
  return Facts;
}

} // namespace cudaopt
