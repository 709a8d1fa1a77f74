// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes files atomically, and prints unified diffs from edits without
/// computing a longest common subsequence: the edits already say what changed.
//===----------------------------------------------------------------------===//

#include "cudaopt/Driver/Delivery/Output.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace cudaopt {

/// Writes to a device or a pipe, which must not be replaced by renaming.
static Error writeThrough(StringRef Path, StringRef Text) {
  std::error_code Failed;
  raw_fd_ostream OS(Path, Failed, sys::fs::CD_OpenExisting, sys::fs::FA_Write,
                    sys::fs::OF_None);
  if (Failed)
    return createFileError(Path, Failed);
  OS << Text;
  OS.close();
  Failed = OS.error();
  OS.clear_error();
  return Failed ? createFileError(Path, Failed) : Error::success();
}

/// Writes a temporary file of mode \p Mode beside \p Path and renames it.
static Error replaceFile(StringRef Path, StringRef Text, unsigned Mode,
                         bool IsNew) {
  Expected<sys::fs::TempFile> Temporary =
      sys::fs::TempFile::create(Path + ".%%%%%%.tmp", Mode);
  if (!Temporary)
    return createFileError(Path, Temporary.takeError());
  raw_fd_ostream OS(Temporary->FD, /*shouldClose=*/false);
  OS << Text;
  OS.flush();
  std::error_code Failed = OS.error();
  OS.clear_error();
  // The umask applies to new files, but must not change the mode of an existing
  // one.
  if (!Failed && !IsNew)
    Failed = sys::fs::setPermissions(Temporary->FD,
                                     static_cast<sys::fs::perms>(Mode));
  if (Failed)
    return joinErrors(createFileError(Path, Failed), Temporary->discard());
  if (Error NotKept = Temporary->keep(Path)) {
    consumeError(Temporary->discard());
    return createFileError(Path, std::move(NotKept));
  }
  return Error::success();
}

Error writeFile(StringRef Path, StringRef Text) {
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status))
    return replaceFile(Path, Text, sys::fs::all_read | sys::fs::all_write,
                       /*IsNew=*/true);
  if (Status.type() != sys::fs::file_type::regular_file)
    return writeThrough(Path, Text);
  if (auto Present = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false))
    if ((*Present)->getBuffer() == Text)
      return Error::success();
  // Renaming would need write access only to the folder, and so would replace
  // files that the user has made read-only.
  if (std::error_code Denied =
          sys::fs::access(Path, sys::fs::AccessMode::Write))
    return createFileError(Path, Denied);
  SmallString<128> Real;
  if (std::error_code Failed = sys::fs::real_path(Path, Real))
    return createFileError(Path, Failed);
  return replaceFile(Real, Text, Status.permissions(), /*IsNew=*/false);
}

std::string escapeForMake(StringRef Path) {
  std::string Result;
  for (char C : Path) {
    if (C == ' ' || C == '#')
      Result += '\\';
    Result += C;
    if (C == '$')
      Result += C;
  }
  return Result;
}

namespace {

/// Lines [First, Last) of the old text, and what replaces them.
struct Change {
  size_t First, Last;
  std::string Text; ///< The new lines.
};

using Lines = std::vector<StringRef>;

} // namespace

/// Splits \p Text into lines that keep their line ends.
static Lines splitLines(StringRef Text) {
  Lines Result;
  while (!Text.empty()) {
    size_t Length = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Result.push_back(Text.take_front(Length));
    Text = Text.drop_front(Length);
  }
  return Result;
}

bool wantsColors(StringRef Choice, raw_ostream &OS) {
  if (Choice != "auto")
    return Choice == "always";
  auto isSet = [](StringRef Name) {
    const std::string Value = sys::Process::GetEnv(Name).value_or("");
    return !Value.empty() && (Name == "NO_COLOR" || Value != "0");
  };
  return !isSet("NO_COLOR") && (isSet("CLICOLOR_FORCE") || OS.has_colors());
}

/// Groups \p Edits by the old lines that they touch.
static std::vector<Change> findChanges(StringRef Before, const Lines &Old,
                                       const FileEdits &Edits) {
  auto LineOf = [&](size_t Offset) {
    auto After = llvm::partition_point(Old, [&](StringRef Line) {
      return size_t(Line.end() - Before.begin()) <= Offset;
    });
    // The end of a last line without newline is a position in that line.
    bool IsUnfinished = After == Old.end() && !Before.ends_with("\n");
    return size_t(After - Old.begin()) - (IsUnfinished && !Old.empty());
  };
  auto StartOf = [&](size_t Line) {
    return Line < Old.size() ? Old[Line].begin() - Before.begin()
                             : Before.size();
  };
  std::vector<Change> Changes;
  for (auto Next = Edits.begin(); Next != Edits.end();) {
    size_t First = LineOf(Next->first), Last = First;
    size_t Begin = StartOf(First);
    FileEdits Local;
    for (; Next != Edits.end() && LineOf(Next->first) <= Last; ++Next) {
      Edit E = Next->second;
      Last = std::max(Last, LineOf(E.Offset + E.Length));
      E.Offset -= Begin;
      Local[E.Offset] = E;
    }
    Last = std::min(Last + 1, Old.size());
    Changes.push_back(
        {First, Last, applyEdits(Before.slice(Begin, StartOf(Last)), Local)});
  }
  return Changes;
}

/// Drops lines at the ends of a change that are equal before and after.
static Change trim(const Change &C, const Lines &Old) {
  Lines New = splitLines(C.Text);
  size_t First = C.First, Last = C.Last, From = 0, To = New.size();
  while (First < Last && From < To && Old[First] == New[From])
    ++First, ++From;
  while (First < Last && From < To && Old[Last - 1] == New[To - 1])
    --Last, --To;
  std::string Text;
  for (; From < To; ++From)
    Text += New[From];
  return {First, Last, Text};
}

static void printLine(char Mark, StringRef Line, raw_ostream &OS) {
  OS << Mark << Line;
  if (!Line.ends_with("\n"))
    OS << "\n\\ No newline at end of file\n";
}

static void printRange(size_t First, size_t Count, raw_ostream &OS) {
  // An empty range is named by the line before it.
  OS << (Count ? First + 1 : First);
  if (Count != 1)
    OS << ',' << Count;
}

/// Prints a hunk of \p Changes that lie close together. \p Shift is the number
/// of lines by which the new text is ahead of the old one before the hunk;
/// returns that number behind it.
static ptrdiff_t printHunk(ArrayRef<Change> Changes, const Lines &Old,
                           ptrdiff_t Shift, size_t Context, raw_ostream &OS) {
  size_t First =
      Changes.front().First - std::min(Changes.front().First, Context);
  size_t Last = std::min(Changes.back().Last + Context, Old.size());
  ptrdiff_t Growth = 0;
  for (const Change &C : Changes)
    Growth +=
        ptrdiff_t(splitLines(C.Text).size()) - ptrdiff_t(C.Last - C.First);
  OS << "@@ -";
  printRange(First, Last - First, OS);
  OS << " +";
  printRange(First + Shift, Last - First + Growth, OS);
  OS << " @@\n";
  for (const Change &C : Changes) {
    for (; First < C.First; ++First)
      printLine(' ', Old[First], OS);
    for (; First < C.Last; ++First)
      printLine('-', Old[First], OS);
    for (StringRef Line : splitLines(C.Text))
      printLine('+', Line, OS);
  }
  for (; First < Last; ++First)
    printLine(' ', Old[First], OS);
  return Shift + Growth;
}

/// Prints a side's file name in the form that git and patch(1) read.
static void printName(StringRef Side, StringRef Path, raw_ostream &OS) {
  const StringRef Name = Path.ltrim('/');
  const bool IsPlain = none_of(Name, [](char C) {
    return C == '"' || C == '\\' || (isASCII(C) && !isPrint(C));
  });
  if (!IsPlain) {
    OS << '"' << Side;
    OS.write_escaped(Name) << "\"\n"; // In octal, as git does.
    return;
  }
  // A trailing tab marks the end of a name that contains spaces.
  OS << Side << Name << (Name.contains(' ') ? "\t\n" : "\n");
}

/// Groups the edits by lines, trims lines that stay equal, and joins changes to
/// one hunk whose contexts touch.
void printDiff(StringRef Path, StringRef Before, const FileEdits &Edits,
               raw_ostream &OS) {
  const size_t Context = 3;
  Lines Old = splitLines(Before);
  std::vector<Change> Changes;
  for (const Change &Raw : findChanges(Before, Old, Edits)) {
    Change C = trim(Raw, Old);
    if (C.First != C.Last || !C.Text.empty())
      Changes.push_back(C);
  }
  if (Changes.empty())
    return;
  OS << "--- ";
  printName("a/", Path, OS);
  OS << "+++ ";
  printName("b/", Path, OS);
  ptrdiff_t Shift = 0;
  for (size_t Begin = 0; Begin < Changes.size();) {
    size_t Next = Begin + 1;
    while (Next < Changes.size() &&
           Changes[Next].First - Changes[Next - 1].Last <= 2 * Context)
      ++Next;
    Shift = printHunk(ArrayRef(Changes).slice(Begin, Next - Begin), Old, Shift,
                      Context, OS);
    Begin = Next;
  }
}

} // namespace cudaopt
