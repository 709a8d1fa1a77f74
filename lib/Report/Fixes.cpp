// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Groups edits into fixes that can be applied one by one. The declarations and
/// subscripts of an array only make sense together, and so do all edits of a
/// kernel whose arrays share storage.
//===----------------------------------------------------------------------===//

#include "cudaopt/Report/Writers.h"

#include "clang/Tooling/DiagnosticsYaml.h"
#include "llvm/Support/YAMLTraits.h"

using namespace llvm;
using clang::tooling::Diagnostic;

namespace cudaopt {

static bool hasOwnEdit(const Finding &F, StringRef Path, const Edit &E) {
  auto Own = F.Edits.find(Path.str());
  if (Own == F.Edits.end())
    return false;
  auto Known = Own->second.find(E.Offset);
  return Known != Own->second.end() && Known->second == E;
}

namespace {

/// A part of the text, and the finding that represents its edits.
struct Part {
  const TextRange *Text;
  const Finding *Of;
  bool IsArray = false; ///< Only the finding's own edits belong to it.

  bool contains(StringRef Path, const Edit &E) const {
    if (IsArray)
      return hasOwnEdit(*Of, Path, E);
    return Text->Begin.Path == Path && Text->End.Path == Path &&
           E.Offset >= Text->Begin.Offset &&
           E.Offset + E.Length <= Text->End.Offset;
  }
};

} // namespace

static const Finding *findFirstDone(ArrayRef<Finding> Findings) {
  auto Found = find_if(
      Findings, [](const Finding &F) { return F.outcome() == Outcome::Done; });
  return Found == Findings.end() ? nullptr : &*Found;
}

static size_t countEdits(const std::map<std::string, FileEdits> &Files) {
  size_t Count = 0;
  for (const auto &[_, Edits] : Files)
    Count += Edits.size();
  return Count;
}

/// Returns the arrays of \p K if every edit in the kernel belongs to exactly
/// one array and no edits of two arrays touch each other: then each array can
/// be changed without the others. Otherwise returns an empty list.
static std::vector<Part> listArrays(const KernelReport &K,
                                    const FileReport &File) {
  const Part Whole = {&K.Text, nullptr};
  std::vector<Part> Arrays;
  size_t Missing = 0;
  for (const Finding &F : K.Findings)
    if (!F.Edits.empty()) {
      Arrays.push_back({&K.Text, &F, /*IsArray=*/true});
      Missing += countEdits(F.Edits);
    }
  const Part *const First = Arrays.data(), *const Last = First + Arrays.size();
  for (const ChangedText &Change : File.Changes) {
    const Part *Before = nullptr;
    unsigned End = 0;
    for (const auto &[Offset, E] : Change.Edits) {
      if (!Whole.contains(Change.Path, E))
        continue;
      auto isOwner = [&, Path = StringRef(Change.Path), &E = E](const Part &A) {
        return A.contains(Path, E);
      };
      const Part *Owner = std::find_if(First, Last, isOwner);
      if (Owner == Last || (Before && Before != Owner && End == Offset))
        return {};
      Before = Owner;
      End = Offset + E.Length;
      --Missing;
    }
  }
  return Missing == 0 ? Arrays : std::vector<Part>();
}

/// Returns the parts of the file that have edits: single arrays if those of a
/// kernel can be separated, otherwise kernels, and loops.
static std::vector<Part> listParts(const FileReport &File) {
  std::vector<Part> Parts;
  for (const KernelReport &K : File.Kernels)
    if (std::vector<Part> Arrays = listArrays(K, File); !Arrays.empty())
      append_range(Parts, Arrays);
    else if (const Finding *Of = findFirstDone(K.Findings))
      Parts.push_back({&K.Text, Of});
  for (const LoopReport &L : File.Loops)
    if (L.IsRewritten)
      Parts.push_back({&L.Text, &L.Decision});
  return Parts;
}

/// Merges adjacent edits, since tools reject replacements that touch.
static std::vector<std::pair<size_t, Edit>>
join(ArrayRef<std::pair<size_t, Edit>> Edits) {
  std::vector<std::pair<size_t, Edit>> Result;
  for (const auto &[Index, E] : Edits)
    if (!Result.empty() && Result.back().first == Index &&
        Result.back().second.Offset + Result.back().second.Length == E.Offset) {
      Result.back().second.Length += E.Length;
      Result.back().second.Text += E.Text;
    } else {
      Result.push_back({Index, E});
    }
  return Result;
}

/// Distributes the edits to \p Parts, one fix for each. Returns std::nullopt if
/// some edit is in no part, or in two.
static std::optional<std::vector<Fix>> split(const FileReport &File,
                                             ArrayRef<Part> Parts) {
  std::vector<Fix> Fixes;
  for (const Part &Each : Parts)
    Fixes.push_back({Each.Of, {}});
  for (auto [Index, Change] : enumerate(File.Changes))
    for (const auto &[_, E] : Change.Edits) {
      auto isOwner = [&, Path = StringRef(Change.Path)](const Part &Each) {
        return Each.contains(Path, E);
      };
      const Part *Owner = find_if(Parts, isOwner);
      if (Owner == Parts.end() ||
          std::find_if(Owner + 1, Parts.end(), isOwner) != Parts.end())
        return std::nullopt;
      Fixes[Owner - Parts.begin()].Edits.push_back({Index, E});
    }
  erase_if(Fixes, [](const Fix &Each) { return Each.Edits.empty(); });
  for (Fix &Each : Fixes)
    Each.Edits = join(Each.Edits);
  return Fixes;
}

bool isReordered(const FileReport &File) {
  return any_of(File.Kernels, [](const KernelReport &K) {
    return K.Order && K.Order->IsChanged;
  });
}

/// Edits are split into parts if possible. After a reordering they are composed
/// of two sets of edits, so that only all of them together make sense.
std::vector<Fix> listFixes(const FileReport &File) {
  const std::vector<Part> Parts = listParts(File);
  if (Parts.empty() || File.Changes.empty())
    return {};
  if (!isReordered(File))
    if (std::optional<std::vector<Fix>> Fixes = split(File, Parts))
      return std::move(*Fixes);
  Fix All = {Parts.front().Of, {}};
  for (auto [Index, Change] : enumerate(File.Changes))
    for (const auto &[_, E] : Change.Edits)
      All.Edits.push_back({Index, E});
  All.Edits = join(All.Edits);
  return {std::move(All)};
}

void writeFixes(ArrayRef<FileReport> Files, raw_ostream &OS) {
  clang::tooling::TranslationUnitDiagnostics All;
  for (const FileReport &File : Files) {
    if (All.MainSourceFile.empty())
      All.MainSourceFile = File.File;
    for (const Fix &Each : listFixes(File)) {
      clang::tooling::DiagnosticMessage Message(Each.Of->message());
      Message.FilePath = Each.Of->At.Path;
      Message.FileOffset = Each.Of->At.Offset;
      for (const auto &[Index, E] : Each.Edits) {
        const std::string &Path = File.Changes[Index].Path;
        // The edits neither overlap nor touch.
        cantFail(Message.Fix[Path].add({Path, E.Offset, E.Length, E.Text}));
      }
      All.Diagnostics.push_back(Diagnostic("cuda-opt-" + Each.Of->Pass, Message,
                                           {}, Diagnostic::Remark, ""));
    }
  }
  yaml::Output Out(OS);
  Out << All;
}

} // namespace cudaopt
