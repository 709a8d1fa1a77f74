// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Selects findings by the -Rpass options and reports them through clang's
/// diagnostics engine.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Remarks.h"
#include "cudaopt/Report/Report.h"
#include "cudaopt/Report/Writers.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

static const CodeGenOptions::OptRemark *
findOption(RemarkGroup Group, const CodeGenOptions &Wanted) {
  switch (Group) {
  case RemarkGroup::Passed:
    return &Wanted.OptimizationRemark;
  case RemarkGroup::Missed:
    return &Wanted.OptimizationRemarkMissed;
  case RemarkGroup::Analysis:
    return &Wanted.OptimizationRemarkAnalysis;
  case RemarkGroup::Shown:
  case RemarkGroup::Error:
    return nullptr;
  }
  llvm_unreachable("unknown group");
}

/// Groups without an option are always shown.
bool RemarkFilter::wants(RemarkGroup Group) const {
  const CodeGenOptions::OptRemark *Option = findOption(Group, Wanted);
  return !Option || (Option->Kind != CodeGenOptions::RK_Missing &&
                     Option->Kind != CodeGenOptions::RK_Disabled);
}

bool RemarkFilter::wants(const Finding &F) const {
  const CodeGenOptions::OptRemark *Option =
      findOption(getGroup(F.What), Wanted);
  return !Option || !Option->hasValidPattern() ||
         Option->patternMatches(getRemarkPass(F));
}

std::string getRemarkPass(const Finding &F) { return "cuda-opt-" + F.Pass; }

/// Returns the location of \p F. Facts are plain values that only have
/// positions, which are mapped back to locations.
static SourceLocation locate(const Finding &F, const SourceManager &Sources) {
  if (F.Loc.isValid() || !F.At.isKnown())
    return F.Loc;
  OptionalFileEntryRef File =
      Sources.getFileManager().getOptionalFileRef(F.At.File);
  return File ? Sources.translateFileLineCol(&File->getFileEntry(), F.At.Line,
                                             F.At.Column)
              : SourceLocation();
}

/// Returns the edits as fix-it hints; none if the parse has not read one of the
/// files.
static std::vector<FixItHint>
makeHints(const Fix &Edits, const FileReport &File, SourceManager &Sources) {
  std::vector<FixItHint> Hints;
  for (const auto &[Index, E] : Edits.Edits) {
    OptionalFileEntryRef Entry =
        Sources.getFileManager().getOptionalFileRef(File.Changes[Index].Path);
    const FileID Id = Entry ? Sources.translateFile(*Entry) : FileID();
    if (Id.isInvalid())
      return {};
    const SourceLocation Begin = Sources.getComposedLoc(Id, E.Offset);
    Hints.push_back(FixItHint::CreateReplacement(
        CharSourceRange::getCharRange(Begin, Begin.getLocWithOffset(E.Length)),
        E.Text));
  }
  return Hints;
}

/// Reports each finding with its arguments, and the fix of which it is the
/// representative.
void remark(const FileReport &File, const RemarkFilter &Filter,
            DiagnosticsEngine &Diags) {
  std::vector<const Finding *> Wanted = listFindings(File);
  llvm::erase_if(Wanted, [&](const Finding *F) { return !Filter.wants(*F); });
  if (Wanted.empty())
    return;
  // After a reordering, the parsed text is not the user's.
  const std::vector<Fix> Fixes =
      isReordered(File) ? std::vector<Fix>() : listFixes(File);
  SourceManager &Sources = Diags.getSourceManager();
  for (const Finding *F : Wanted) {
    const SourceLocation Loc = locate(*F, Sources);
    DiagnosticBuilder Remark = report(Diags, Loc, F->What);
    for (const Finding::Argument &Each : F->Arguments)
      Remark << Each.Value;
    if (!F->Insertion.empty())
      Remark << FixItHint::CreateInsertion(Loc, F->Insertion);
    for (const Fix &Each : Fixes)
      if (Each.Of == F)
        for (const FixItHint &Hint : makeHints(Each, File, Sources))
          Remark << Hint;
  }
}

} // namespace cudaopt
