// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Delivers results. Every file is written by writeFile(), which replaces it
/// atomically.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Delivery/Delivery.h"
#include "cudaopt/Driver/Delivery/Output.h"
#include "cudaopt/Driver/Delivery/Overlay.h"
#include "cudaopt/Report/Baseline.h"
#include "cudaopt/Source/LineDirectives.h"
#include "cudaopt/Support/ShownPath.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace cudaopt;
using namespace llvm;

/// A file with edits: its name for the user, its real path, and its old and new
/// text.
struct Delivery::ChangedFile {
  std::string Name, Path;
  StringRef Before;
  std::string After;
  const FileEdits *Edits;
  bool IsMain;
};

static std::string realPath(StringRef File) {
  SmallString<128> Real;
  if (sys::fs::real_path(File, Real))
    return File.str();
  return Real.str().str();
}

Expected<std::vector<Delivery::ChangedFile>>
Delivery::collectChanges(StringRef File, const PipelineResult &Result) const {
  bool TakesOtherFiles =
      Opts.InPlace || Opts.Diff || Opts.Check || !Opts.OutputDir.empty();
  std::string Main = realPath(File);
  std::vector<ChangedFile> Changes;
  for (const auto &[Path, Edits] : Result.Edits) {
    if (Edits.empty())
      continue;
    auto Before = Result.Sources.find(Path);
    if (Before == Result.Sources.end())
      return createStringError("the text of '" + Path + "' is not known");
    bool IsMain = Path == Main;
    // Edits of several files belong together (a kernel may be spread over two),
    // so that writing only the main file would leave an inconsistent program.
    if (!IsMain && !TakesOtherFiles)
      return createStringError("'" + Path +
                               "' would change too; use -i or --output-dir");
    std::string After =
        Opts.LineDirectives
            ? applyWithLineDirectives(File, Before->second, Edits)
            : applyEdits(Before->second, Edits);
    Changes.push_back({showPath(IsMain ? File : Path), Path, Before->second,
                       std::move(After), &Edits, IsMain});
  }
  return Changes;
}

/// Prints \p Diff with git's colours.
static void printInColors(StringRef Diff, raw_ostream &OS) {
  for (StringRef Line : split(Diff.rtrim('\n'), '\n')) {
    if (Line.starts_with("+++ ") || Line.starts_with("--- "))
      OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
    else if (Line.starts_with("@@"))
      OS.changeColor(raw_ostream::CYAN);
    else if (Line.starts_with("+"))
      OS.changeColor(raw_ostream::GREEN);
    else if (Line.starts_with("-"))
      OS.changeColor(raw_ostream::RED);
    OS << Line;
    OS.resetColor() << '\n';
  }
}

/// Prints the diff of \p File unless it was printed before: a header that
/// several sources include can be patched only once. Warns if another source
/// would change it differently.
void Delivery::showDiff(const ChangedFile &File) {
  std::string Diff;
  raw_string_ostream DiffOS(Diff);
  // Patch tools apply diffs neither through links nor to paths with "..".
  printDiff(showPath(File.Path), File.Before, *File.Edits, DiffOS);
  const auto [Shown, IsNew] = Diffs.try_emplace(File.Path, Diff);
  if (!IsNew) {
    if (Shown->second != Diff)
      errs() << "cuda-opt: warning: " << File.Name
             << ": another source that includes it would change it otherwise; "
                "apply the diff and run again\n";
    return;
  }
  if (wantsColors(Opts.Color, OS))
    printInColors(Diff, OS);
  else
    OS << Diff;
}

void Delivery::show(const ChangedFile &File) {
  if (Opts.Diff)
    showDiff(File);
  if (Opts.Check && Named.insert(File.Path).second)
    OS << "would change " << File.Name << '\n';
}

Error Delivery::writeInPlace(ArrayRef<ChangedFile> Changes) {
  for (size_t I = 0; I < Changes.size(); ++I) {
    Error E = writeFile(Changes[I].Path, Changes[I].After);
    if (!E)
      continue;
    while (I-- > 0)
      E = joinErrors(std::move(E),
                     writeFile(Changes[I].Path, Changes[I].Before));
    return E;
  }
  return Error::success();
}

/// Writes the main file and the changed headers flat into the output folder.
/// Two files of the same name, from one source or from several, would overwrite
/// each other and are an error, unless they have the same text. All conflicts
/// are found before anything is written.
Error Delivery::writeToFolder(StringRef File, StringRef Text,
                              ArrayRef<ChangedFile> Changes) {
  std::map<std::string, StringRef> Texts;
  auto Add = [&](StringRef Source, StringRef NewText) -> Error {
    SmallString<128> Target(Opts.OutputDir);
    sys::path::append(Target, sys::path::filename(Source));
    if (sys::fs::equivalent(Target, Source))
      return createStringError("'" + Source +
                               "' lies in the output folder; "
                               "use -i to edit in place");
    auto Old = Written.find(Target.str().str());
    bool IsTaken = Old != Written.end() && Old->second != NewText;
    if (IsTaken || !Texts.try_emplace(Target.str().str(), NewText).second)
      return createStringError("'" + Target +
                               "' is already the output of "
                               "another file of this name");
    return Error::success();
  };
  if (Error E = Add(File, Text))
    return E;
  for (const ChangedFile &Change : Changes)
    if (!Change.IsMain)
      if (Error E = Add(Change.Path, Change.After))
        return E;
  if (std::error_code EC = sys::fs::create_directories(Opts.OutputDir))
    return createStringError("cannot create '" + Opts.OutputDir +
                             "': " + EC.message());
  for (const auto &[Target, NewText] : Texts) {
    if (Error E = writeFile(Target, NewText))
      return E;
    Written.try_emplace(Target, NewText.str());
  }
  return Error::success();
}

/// At most one form of delivery applies (see listDeliveries()), except that
/// --diff and --check go together.
Error Delivery::deliver(StringRef File, StringRef Text,
                        const PipelineResult &Result) {
  if (!Opts.Print.empty())
    return Error::success();
  if (!Opts.Overlay.empty()) {
    Expected<std::vector<OverlayFile>> Files = buildOverlay(File, Text, Result);
    return Files ? writeFile(Opts.Overlay, packOverlay(*Files, Result.Need))
                 : Files.takeError();
  }
  Expected<std::vector<ChangedFile>> Changes = collectChanges(File, Result);
  if (!Changes)
    return Changes.takeError();
  if (Opts.Check && Known && Known->coversChanges(Result.Report))
    return Error::success();
  HasChanges |= !Changes->empty();
  for (const ChangedFile &Change : *Changes) {
    show(Change);
    if (Change.IsMain)
      Text = Change.After;
  }
  if (Opts.InPlace)
    return writeInPlace(*Changes);
  if (!Opts.OutputDir.empty())
    return writeToFolder(File, Text, *Changes);
  if (Opts.Diff || Opts.Check)
    return Error::success();
  if (!Opts.Output.empty())
    return writeFile(Opts.Output, Text);
  OS << Text;
  return Error::success();
}

Expected<std::string> Delivery::rewrite(StringRef File, StringRef Text,
                                        const PipelineResult &Result) const {
  Expected<std::vector<ChangedFile>> Changes = collectChanges(File, Result);
  if (!Changes)
    return Changes.takeError();
  for (const ChangedFile &Change : *Changes)
    if (Change.IsMain)
      return applyWithLineDirectives(File, Change.Before, *Change.Edits,
                                     /*HasOtherName=*/false);
  return Text.str();
}

void cudaopt::reportChanges(PipelineResult &Result) {
  Result.Report.Changes.clear(); // --reorder may have changed the edits since.
  for (const auto &[Path, Edits] : Result.Edits) {
    auto Before = Result.Sources.find(Path);
    if (Edits.empty() || Before == Result.Sources.end())
      continue;
    ChangedText &Change = Result.Report.Changes.emplace_back();
    Change.Path = Path;
    Change.Before = Before->second;
    Change.Edits = Edits;
    raw_string_ostream Diff(Change.Diff);
    printDiff(Path, Change.Before, Edits, Diff);
  }
}
