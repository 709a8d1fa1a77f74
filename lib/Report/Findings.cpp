// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes findings from plans: one for every decision, located at the
/// declaration or at the cause.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Report.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace cudaopt {

Place findPlace(SourceLocation Loc, const SourceManager &Sources) {
  const SourceLocation InFile = Sources.getExpansionLoc(Loc);
  const PresumedLoc Presumed =
      Sources.getPresumedLoc(InFile, /*UseLineDirectives=*/false);
  Place Result;
  if (!Presumed.isValid())
    return Result;
  Result.File = Presumed.getFilename();
  Result.Line = Presumed.getLine();
  Result.Column = Presumed.getColumn();
  const auto [File, Offset] = Sources.getDecomposedLoc(InFile);
  Result.Offset = Offset;
  if (OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File))
    Result.Path = Entry->getFileEntry().tryGetRealPathName().str();
  if (Result.Path.empty())
    Result.Path = Result.File;
  return Result;
}

Outcome Finding::outcome() const {
  switch (getGroup(What)) {
  case RemarkGroup::Passed:
    return Outcome::Done;
  case RemarkGroup::Analysis:
    return Outcome::Fact;
  case RemarkGroup::Missed:
    return Outcome::Missed;
  case RemarkGroup::Shown:
  case RemarkGroup::Error:
    return Insertion.empty() ? Outcome::Missed : Outcome::Proposed;
  }
  llvm_unreachable("unknown group");
}

std::string Finding::id() const {
  return Why ? getReasonId(*Why).str() : getId(What);
}

/// Fills the arguments into the text, whose gaps are %0 to %9.
std::string Finding::message() const {
  llvm::StringRef Text = getText(What);
  std::string Result;
  while (!Text.empty()) {
    const auto [Head, Tail] = Text.split('%');
    Result += Head;
    Text = Tail;
    if (!Text.empty()) {
      Result += Arguments[Text.front() - '0'].Value;
      Text = Text.drop_front();
    }
  }
  return Result;
}

namespace {

/// Collects the findings on one kernel.
class DecisionList {
public:
  DecisionList(const Kernel &K, const KernelReport &Report,
               const SourceManager &Sources)
      : K(K), Report(Report), Sources(Sources) {}

  void addLayout(ArrayId Array, const LayoutDecision &Decision);
  void addLost(ArrayId Array, const BlocksLost &Lost);
  void addArrays(const ReuseDecision &Reuse);
  void addStorage(const ReuseDecision &Reuse);
  void addOrder(const OrderDecision &Order);
  void addRewrite(const RewriteDecision &D);
  void addNote(const Note &N);
  std::vector<Finding> take() { return std::move(List); }

private:
  Finding &add(diag::Kind What, llvm::StringRef Pass, llvm::StringRef Object,
               SourceLocation Loc, std::vector<Finding::Argument> Arguments);
  void addMissed(diag::Kind What, llvm::StringRef Pass, llvm::StringRef Object,
                 SourceLocation Default, const Refusal &Refused,
                 std::vector<Finding::Argument> Arguments);
  SourceLocation locationOf(ArrayId Id) const {
    return K.Arrays[Id].Decl->getLocation();
  }

  const Kernel &K;
  const KernelReport &Report; ///< The report, with all numbers filled in.
  const SourceManager &Sources;
  std::vector<Finding> List;
};

} // namespace

static std::string format(double Count) {
  return llvm::formatv("{0}", llvm::format("%.10g", Count)).str();
}

Finding &DecisionList::add(diag::Kind What, llvm::StringRef Pass,
                           llvm::StringRef Object, SourceLocation Loc,
                           std::vector<Finding::Argument> Arguments) {
  Finding &F = List.emplace_back();
  F.What = What;
  F.Pass = Pass.str();
  F.Function = K.Name;
  F.Object = Object.str();
  F.Arguments = std::move(Arguments);
  F.Loc = Loc;
  F.At = findPlace(Loc, Sources);
  return F;
}

/// Adds a missed decision. The reason's text becomes the last argument of the
/// message. The finding is located where the reason was seen, unless that is in
/// another file.
void DecisionList::addMissed(diag::Kind What, llvm::StringRef Pass,
                             llvm::StringRef Object, SourceLocation Default,
                             const Refusal &Refused,
                             std::vector<Finding::Argument> Arguments) {
  Arguments.push_back({"Reason", Refused.text()});
  const bool IsNear =
      Refused.Loc.isValid() &&
      Sources.isWrittenInSameFile(Sources.getExpansionLoc(Refused.Loc),
                                  Sources.getExpansionLoc(Default));
  add(What, Pass, Object, IsNear ? Refused.Loc : Default, std::move(Arguments))
      .Why = Refused.Why;
}

/// Adds the decision on a layout. If it rests on launches in files that were
/// not seen, a second finding says what is believed.
void DecisionList::addLayout(ArrayId Array, const LayoutDecision &Decision) {
  const SharedArray &A = K.Arrays[Array];
  if (!Decision.isRewritten())
    return addMissed(diag::remark_layout_kept, "bank-layout", A.Name,
                     locationOf(Array), *Decision.Refused, {{"Array", A.Name}});
  // An instance of a template need not have the array.
  const auto &Instance = *llvm::find_if(K.Instances, [&](const auto &Each) {
    return !Each->Shapes[Array].Extents.empty();
  });
  const std::string &Shown = Report.Arrays[Array].Layout.After;
  const Wavefronts &Cost = *Report.Arrays[Array].Cost;
  add(diag::remark_layout_changed, "bank-layout", A.Name, locationOf(Array),
      {{"Array", A.Name},
       {"Layout",
        Shown.empty() ? Decision.New.text(Instance->Shapes[Array]) : Shown},
       {"WavefrontsBefore", format(Cost.Before)},
       {"WavefrontsAfter", format(Cost.After)},
       {"WavefrontsBound", format(Cost.Bound)},
       {"Certificate", getName(Decision.Proof).str()}});
  if (Decision.Rests == Trust::ClosedWorld && K.WhyOpen)
    add(diag::remark_rows_believed, "bank-layout", A.Name, locationOf(Array),
        {{"Array", A.Name}});
}

void DecisionList::addLost(ArrayId Array, const BlocksLost &Lost) {
  add(diag::remark_blocks_lost, "bank-layout", K.Arrays[Array].Name,
      locationOf(Array),
      {{"Array", K.Arrays[Array].Name},
       {"BlocksAfter", std::to_string(Lost.After)},
       {"BlocksBefore", std::to_string(Lost.Before)},
       {"Time", llvm::formatv("{0:F2}", Lost.Time)}});
}

/// Adds the decisions on single arrays: privatized, trimmed, sharing bytes in
/// place, or why not.
void DecisionList::addArrays(const ReuseDecision &Reuse) {
  const llvm::StringRef Pass = "shared-reuse";
  for (ArrayId Id : Reuse.Private) {
    add(diag::remark_array_private, Pass, K.Arrays[Id].Name, locationOf(Id),
        {{"Array", K.Arrays[Id].Name}});
    if (K.WhyOpen)
      add(diag::remark_owners_believed, Pass, K.Arrays[Id].Name, locationOf(Id),
          {{"Array", K.Arrays[Id].Name}});
  }
  for (const TrimmedArray &Each : Reuse.Trimmed)
    add(diag::remark_array_trimmed, Pass, K.Arrays[Each.Array].Name,
        locationOf(Each.Array),
        {{"Array", K.Arrays[Each.Array].Name},
         {"Rows", std::to_string(Each.Extent)}});
  auto addKept = [&](const StaysShared &Each, diag::Kind What) {
    const std::string &Name = K.Arrays[Each.Array].Name;
    addMissed(What, Pass, Name, locationOf(Each.Array), Each.Refused,
              {{"Array", Name}});
  };
  for (const StaysShared &Each : Reuse.NotPrivate)
    addKept(Each, diag::remark_array_shared);
  for (const StaysShared &Each : Reuse.NotTrimmed)
    addKept(Each, diag::remark_array_untrimmed);
  for (const InPlacePair &Pair : Reuse.InPlace) {
    const StoredVariable &A = Reuse.Variables[Pair.A];
    const StoredVariable &B = Reuse.Variables[Pair.B];
    add(diag::remark_arrays_in_place, Pass, B.Name, B.Decl->getLocation(),
        {{"First", A.Name}, {"Second", B.Name}});
  }
  for (const StaysApart &Each : Reuse.NotInPlace)
    addMissed(diag::remark_arrays_apart, Pass, Each.Born, K.Decl->getLocation(),
              Each.Refused, {{"Dying", Each.Dying}, {"Born", Each.Born}});
}

/// Returns what fewer bytes are good for: "8 blocks fit on a multiprocessor
/// instead of 4" or, at the same occupancy, "4 blocks fit on a multiprocessor
/// as before, and its L1 cache grows by 32768 bytes".
static std::string describeGain(const KernelReport &K) {
  if (!K.BlocksPerSM)
    return "how many blocks fit is not counted: " + K.WhyNoBlocks;
  const auto [Before, After] = *K.BlocksPerSM;
  std::string Text = std::to_string(After) +
                     (After == 1 ? " block fits" : " blocks fit") +
                     " on a multiprocessor ";
  if (Before == 0)
    return Text +
           "instead of none, as compilers refuse that much static memory";
  if (After != Before)
    return Text + "instead of " + std::to_string(Before);
  Text += "as before";
  if (K.CarveOut.After < K.CarveOut.Before)
    Text += ", and its L1 cache grows by " +
            std::to_string(K.CarveOut.Before - K.CarveOut.After) + " bytes";
  return Text;
}

/// Adds the decision on the kernel's shared memory as a whole.
void DecisionList::addStorage(const ReuseDecision &Reuse) {
  const llvm::StringRef Pass = "shared-reuse";
  if (Reuse.isRewritten()) {
    add(diag::remark_storage_changed, Pass, "", K.Decl->getLocation(),
        {{"Kernel", K.Name},
         {"BytesAfter", std::to_string(Report.SharedBytes->After)},
         {"BytesBefore", std::to_string(Report.SharedBytes->Before)},
         {"BytesBound", std::to_string(Reuse.LowerBound)},
         {"Gain", describeGain(Report)}});
    return;
  }
  // Most kernels have nothing that could be reused.
  if (Reuse.Refused && Reuse.Refused->Why != Reason::FewVariables)
    addMissed(diag::remark_storage_kept, Pass, "", K.Decl->getLocation(),
              *Reuse.Refused, {{"Kernel", K.Name}});
}

void DecisionList::addOrder(const OrderDecision &Order) {
  const llvm::StringRef Pass = "reorder";
  if (Order.IsApplied)
    add(diag::remark_order_changed, Pass, "", K.Decl->getLocation(),
        {{"Kernel", K.Name}});
  else if (Order.Refused)
    addMissed(diag::remark_order_kept, Pass, "", K.Decl->getLocation(),
              *Order.Refused, {{"Kernel", K.Name}});
}

static std::vector<Finding::Argument> listArguments(const Note &N) {
  std::vector<Finding::Argument> Arguments;
  for (const auto &[Name, Value] : N.Arguments)
    Arguments.push_back({Name, Value});
  return Arguments;
}

void DecisionList::addNote(const Note &N) {
  add(N.What, N.Pass, N.Array ? K.Arrays[*N.Array].Name : "", N.Loc,
      listArguments(N));
}

/// Adds the decision on a rewrite that has no decision type of its own; its
/// pass describes it.
void DecisionList::addRewrite(const RewriteDecision &D) {
  const Note N = D.Wanted->describe(K, D.isRewritten());
  if (D.isRewritten())
    return addNote(N);
  addMissed(N.What, N.Pass, N.Array ? K.Arrays[*N.Array].Name : "", N.Loc,
            *D.Refused, listArguments(N));
}

std::vector<Finding> findDecisions(const Kernel &K, const Plan &P,
                                   const KernelReport &Report,
                                   const SourceManager &Sources) {
  DecisionList List(K, Report, Sources);
  const bool IsStoredAnew = P.Reuse && P.Reuse->isRewritten();
  for (const auto &[Array, Decision] : P.Layouts) {
    List.addLayout(Array, Decision);
    if (Decision.Lost && !IsStoredAnew) // Else other blocks fit.
      List.addLost(Array, *Decision.Lost);
  }
  if (P.Order)
    List.addOrder(*P.Order);
  if (P.Reuse) {
    List.addArrays(*P.Reuse);
    List.addStorage(*P.Reuse);
  }
  for (const RewriteDecision &Each : P.Rewrites)
    List.addRewrite(Each);
  for (const Note &Each : P.Notes)
    List.addNote(Each);
  return List.take();
}

Finding findVerification(const Kernel &K, llvm::StringRef Detail,
                         const SourceManager &Sources) {
  Finding F;
  F.What = diag::remark_rewrite_verified;
  F.Pass = "verify";
  F.Function = K.Name;
  F.Arguments = {{"Kernel", K.Name}, {"How", Detail.str()}};
  F.Loc = K.Decl->getLocation();
  F.At = findPlace(F.Loc, Sources);
  return F;
}

static std::string countConflicts(const HostLoop &L) {
  const size_t Count =
      llvm::count_if(L.Arrays, [](const HostArray &A) { return A.IsConflict; });
  return std::to_string(Count) + (Count == 1 ? " array" : " arrays");
}

Finding findDecision(const LevelizeDecision &D,
                     const std::optional<Refusal> &Refused,
                     llvm::StringRef Mark, const SourceManager &Sources) {
  const HostLoop &L = D.Loop;
  Finding F;
  F.Pass = "levelize";
  F.Function = L.Function->getNameAsString();
  F.Loc = L.getBeginLoc();
  F.Arguments = {{"Function", F.Function}};
  if (Refused) {
    F.Why = Refused->Why;
    // The author of a marked loop wants to know why it is not changed.
    F.What =
        L.isMarked() ? diag::remark_marked_loop_kept : diag::remark_loop_kept;
    F.Arguments.push_back({"Reason", Refused->text()});
    if (Refused->Loc.isValid())
      F.Loc = Refused->Loc;
  } else if (D.IsProposal) {
    F.What = diag::remark_loop_proposed;
    F.Insertion = Mark.str();
  } else {
    F.What = diag::remark_loop_levelized;
    F.Arguments.push_back({"ConflictArrays", countConflicts(L)});
    F.Arguments.push_back({"How", D.IsIndependent
                                      ? "no two of its iterations meet"
                                  : D.Slice.IsSelfIndexing
                                      ? "its accesses depend on what it writes"
                                      : "its accesses are found at run time"});
  }
  F.At = findPlace(F.Loc, Sources);
  return F;
}

} // namespace cudaopt
