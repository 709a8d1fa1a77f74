// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses --line-filter, and makes one for --changed-lines from `git diff -U0`,
/// whose hunk headers name exactly the changed lines.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Command/ChangedLines.h"
#include "cudaopt/Support/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <set>

using namespace cudaopt;
using namespace llvm;

/// Parses a list of ranges, [[1, 9], [12, 12]]; returns false if it is
/// malformed.
static bool readLines(const json::Array &Lines, LineFilter::File &File) {
  for (const json::Value &Each : Lines) {
    const json::Array *Pair = Each.getAsArray();
    if (!Pair || Pair->size() != 2)
      return false;
    std::optional<int64_t> First = (*Pair)[0].getAsInteger(),
                           Last = (*Pair)[1].getAsInteger();
    if (!First || !Last || *First < 1 || *Last < *First || *Last > UINT32_MAX)
      return false;
    File.Lines.emplace_back(*First, *Last);
  }
  return true;
}

Expected<LineFilter> cudaopt::parseLineFilter(StringRef Json) {
  Expected<json::Value> Value = json::parse(Json);
  if (!Value)
    return createStringError("malformed --line-filter: " +
                             toString(Value.takeError()));
  const auto malformed = [] {
    return createStringError("malformed --line-filter: give "
                             "[{\"name\": \"a.cu\", \"lines\": [[1, 9]]}]");
  };
  const json::Array *Files = Value->getAsArray();
  if (!Files)
    return malformed();
  LineFilter Result;
  for (const json::Value &Each : *Files) {
    const json::Object *File = Each.getAsObject();
    std::optional<StringRef> Name =
        File ? File->getString("name") : std::nullopt;
    if (!Name || Name->empty())
      return malformed();
    LineFilter::File &New = Result.Files.emplace_back();
    New.Name = Name->str();
    if (const json::Array *Lines = File->getArray("lines")) {
      if (!readLines(*Lines, New))
        return malformed();
    } else if (File->get("lines")) {
      return malformed();
    }
  }
  return Result;
}

std::optional<LineFilter> cudaopt::readLineFilter(StringRef Json) {
  if (Json.empty())
    return std::nullopt;
  Expected<LineFilter> Filter = parseLineFilter(Json);
  if (Filter)
    return std::move(*Filter);
  consumeError(Filter.takeError()); // validate() has seen it.
  return std::nullopt;
}

/// Runs git in \p Folder and returns its standard output.
static Expected<std::string> runGit(StringRef Folder,
                                    ArrayRef<StringRef> Arguments) {
  ErrorOr<std::string> Git = sys::findProgramByName("git");
  if (!Git)
    return createStringError("--changed-lines needs git, which is not in PATH");
  SmallVector<StringRef, 16> Words = {*Git, "-C", Folder};
  append_range(Words, Arguments);
  ProgramRun Run = runProgram(Words);
  if (!Run.isDone())
    return createStringError("git: " + Run.explain());
  return std::move(Run.Output);
}

/// Returns the new lines that the hunk header `@@ -a,b +c,d @@` names;
/// std::nullopt if it is malformed.
static std::optional<std::pair<int64_t, int64_t>> readHunk(StringRef Line) {
  StringRef New = Line.split('+').second.split(' ').first;
  auto [First, Count] = New.split(',');
  int64_t Begin = 0, Number = 1;
  if (First.getAsInteger(10, Begin) ||
      (!Count.empty() && Count.getAsInteger(10, Number)))
    return std::nullopt;
  // A hunk that only deletes has d = 0 and names the line before the gap. The
  // lines around the gap count as changed.
  if (Number == 0)
    return std::pair(std::max<int64_t>(Begin, 1), Begin + 1);
  return std::pair(Begin, Begin + Number - 1);
}

/// Adds the files of \p Diff, whose paths are relative to \p Root, with the
/// lines of their hunks.
static void readDiff(StringRef Diff, StringRef Root, json::Array &Files) {
  json::Array *Lines = nullptr;
  for (StringRef Line : split(Diff, '\n')) {
    if (Line.consume_front("+++ ")) {
      Lines = nullptr;
      if (!Line.consume_front("b/"))
        continue; // The file is gone.
      SmallString<128> Path(Root);
      sys::path::append(Path, Line.rtrim("\t"));
      Files.push_back(
          json::Object{{"name", Path.str().str()}, {"lines", json::Array()}});
      Lines = Files.back().getAsObject()->getArray("lines");
    } else if (Line.starts_with("@@ ") && Lines) {
      if (auto Range = readHunk(Line))
        Lines->push_back(json::Array{Range->first, Range->second});
    }
  }
}

/// Adds the changed and the untracked files of the repository at \p Root. The
/// options override user settings that would change the format of the diff.
static Error addRepository(StringRef Ref, StringRef Root, json::Array &Files) {
  Expected<std::string> Diff = runGit(
      Root, {"-c", "core.quotePath=false", "diff", "-U0", "--no-color",
             "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/", Ref, "--"});
  if (!Diff)
    return Diff.takeError();
  readDiff(*Diff, Root, Files);
  Expected<std::string> Others =
      runGit(Root, {"ls-files", "--others", "--exclude-standard", "-z"});
  if (!Others)
    return Others.takeError();
  for (StringRef Name : split(*Others, '\0')) {
    if (Name.empty())
      continue;
    SmallString<128> Path(Root);
    sys::path::append(Path, Name);
    if (json::isUTF8(Path))
      Files.push_back(json::Object{{"name", Path.str().str()}});
  }
  return Error::success();
}

Expected<std::string> cudaopt::findChangedLines(StringRef Ref,
                                                ArrayRef<std::string> Sources) {
  if (Ref.starts_with("-"))
    return createStringError("malformed --changed-lines=" + Ref +
                             ": give a commit");
  std::set<std::string> Folders, Roots;
  for (StringRef Source : Sources) {
    SmallString<128> Path(Source), Real;
    if (!sys::fs::real_path(Path, Real))
      Folders.insert(sys::path::parent_path(Real).str());
  }
  for (const std::string &Folder : Folders) {
    Expected<std::string> Root =
        runGit(Folder, {"rev-parse", "--show-toplevel"});
    if (!Root)
      return Root.takeError();
    Roots.insert(StringRef(*Root).rtrim("\n").str());
  }
  json::Array Files;
  for (const std::string &Root : Roots)
    if (Error E = addRepository(Ref, Root, Files))
      return std::move(E);
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(Files));
  return Text;
}
