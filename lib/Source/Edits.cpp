// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects, checks and applies source edits.
//===----------------------------------------------------------------------===//

#include "cudaopt/Source/Edits.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Transformer/SourceCode.h"
#include <iterator>

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

static std::string getRealPath(FileEntryRef File) {
  StringRef Real = File.getFileEntry().tryGetRealPathName();
  return (Real.empty() ? File.getName() : Real).str();
}

llvm::Error Edits::replace(CharSourceRange Range, StringRef Text) {
  // Inside one file and no system header; never in a macro's expansion.
  if (llvm::Error Invalid = tooling::validateEditRange(Range, *Sources))
    return Invalid;
  Range = Lexer::getAsCharRange(Range, *Sources, *Language);
  FileID File = Sources->getFileID(Range.getBegin());
  OptionalFileEntryRef Entry = Sources->getFileEntryRefForID(File);
  if (!Entry)
    return llvm::createStringError("the text is in no file");
  unsigned Begin = Sources->getFileOffset(Range.getBegin());
  unsigned End = Sources->getFileOffset(Range.getEnd());
  return add(getRealPath(*Entry), {Begin, End - Begin, Text.str()});
}

llvm::Error Edits::insert(SourceLocation Loc, StringRef Text) {
  return replace(CharSourceRange::getCharRange(Loc, Loc), Text);
}

/// Returns true if \p Text has comments, directives or line breaks, that is,
/// more than operators, names, numbers and blanks.
static bool isPrecious(StringRef Text) {
  return Text.contains("//") || Text.contains("/*") || Text.contains('\n') ||
         Text.contains('#');
}

llvm::Error Edits::replaceAround(CharSourceRange Whole,
                                 llvm::ArrayRef<CharSourceRange> Kept,
                                 llvm::ArrayRef<StringRef> Pieces) {
  assert(Pieces.size() == Kept.size() + 1 && "a piece around each kept text");
  auto [File, Place] = Sources->getDecomposedLoc(Whole.getBegin());
  StringRef Buffer = Sources->getBufferData(File);
  SourceLocation From = Whole.getBegin();
  for (size_t I = 0; I != Pieces.size(); ++I) {
    SourceLocation To = I == Kept.size() ? Whole.getEnd() : Kept[I].getBegin();
    auto [ToFile, End] = Sources->getDecomposedLoc(To);
    if (ToFile != File || End < Place)
      return llvm::createStringError("its text has another order");
    StringRef Old = Buffer.slice(Place, End);
    if (isPrecious(Old))
      return llvm::createStringError("a comment would be lost");
    if (Old != Pieces[I])
      if (llvm::Error Failed =
              replace(CharSourceRange::getCharRange(From, To), Pieces[I]))
        return Failed;
    if (I == Kept.size())
      break;
    From = Kept[I].getEnd();
    Place = Sources->getFileOffset(From);
  }
  return llvm::Error::success();
}

std::string Edits::take(CharSourceRange Range) {
  auto [File, Begin] = Sources->getDecomposedLoc(Range.getBegin());
  const unsigned End = Sources->getFileOffset(Range.getEnd());
  StringRef Text = Sources->getBufferData(File).slice(Begin, End);
  OptionalFileEntryRef Entry = Sources->getFileEntryRefForID(File);
  auto Present = Entry ? Files.find(getRealPath(*Entry)) : Files.end();
  if (Present == Files.end())
    return Text.str();
  FileEdits Inside;
  auto From = Present->second.lower_bound(Begin), To = From;
  for (; To != Present->second.end() &&
         To->second.Offset + To->second.Length <= End;
       ++To)
    Inside[To->first - Begin] = {To->first - Begin, To->second.Length,
                                 To->second.Text};
  Present->second.erase(From, To);
  return applyEdits(Text, Inside);
}

/// Returns true if \p E changes text that one of \p Present changes, too. Two
/// insertions at the same place have no order, and collide.
static bool collides(const FileEdits &Present, const Edit &E) {
  auto Next = Present.lower_bound(E.Offset);
  if (Next != Present.end() &&
      (Next->first == E.Offset || Next->first < E.Offset + E.Length))
    return true;
  if (Next == Present.begin())
    return false;
  const Edit &Before = std::prev(Next)->second;
  return E.Offset < Before.Offset + Before.Length;
}

llvm::Error Edits::add(const std::string &File, Edit E) {
  auto Present = Files.find(File);
  if (Present != Files.end()) {
    auto Same = Present->second.find(E.Offset);
    if (Same != Present->second.end() && Same->second == E)
      return llvm::Error::success();
    if (collides(Present->second, E))
      return llvm::createStringError("two edits change the same text of '" +
                                     File + "'");
  }
  Files[File].emplace(E.Offset, std::move(E));
  return llvm::Error::success();
}

llvm::Error Edits::add(const Edits &Other) {
  auto Before = Files;
  for (const auto &[File, FileEdits] : Other.Files)
    for (const auto &[Offset, E] : FileEdits)
      if (llvm::Error Conflict = add(File, E)) {
        Files = std::move(Before);
        return Conflict;
      }
  return llvm::Error::success();
}

void Edits::print(llvm::raw_ostream &OS) const {
  for (const auto &[File, FileEdits] : Files) {
    OS << "edits of " << File << '\n';
    OptionalFileEntryRef Entry =
        Sources->getFileManager().getOptionalFileRef(File);
    FileID Id = Entry ? Sources->translateFile(*Entry) : FileID();
    StringRef Text = Id.isValid() ? Sources->getBufferData(Id) : "";
    for (const auto &[Offset, E] : FileEdits) {
      StringRef Before = Text.take_front(Offset);
      size_t Line = Before.count('\n') + 1;
      size_t Column = Before.size() - (Before.rfind('\n') + 1) + 1;
      OS << Line << ':' << Column << " replace \"";
      OS.write_escaped(Text.substr(Offset, E.Length)) << "\" by \"";
      OS.write_escaped(E.Text) << "\"\n";
    }
  }
}

std::string applyEdits(StringRef Before, const FileEdits &Edits) {
  std::string After;
  size_t Position = 0;
  for (const auto &[Offset, E] : Edits) {
    After += Before.slice(Position, Offset);
    After += E.Text;
    Position = Offset + E.Length;
  }
  After += Before.substr(Position);
  return After;
}

/// Walks over both lists of edits in the order of the middle text, that is, the
/// text after First. Shift is the difference between an offset in the original
/// and the corresponding one in the middle text. A group of edits that touch or
/// overlap in the middle text becomes one edit: it replaces the group's range
/// of the original by the group's middle text with the edits of Second applied.
FileEdits composeEdits(StringRef Before, const FileEdits &First,
                       const FileEdits &Second) {
  const std::string Middle = applyEdits(Before, First);
  FileEdits Result;
  auto A = First.begin(), EndA = First.end();
  auto B = Second.begin(), EndB = Second.end();
  // Add it to an offset of the middle text for one of \p Before.
  int64_t Shift = 0;
  // Each pass merges a maximal group of edits that touch or overlap in the
  // middle text into one edit of the original.
  while (A != EndA || B != EndB) {
    auto beginOfA = [&] { return A->first - Shift; };
    int64_t Begin = A == EndA ? int64_t(B->first) : beginOfA();
    if (B != EndB)
      Begin = std::min<int64_t>(Begin, B->first);
    int64_t End = Begin;
    const int64_t ShiftBefore = Shift;
    FileEdits Inside;
    while (true) {
      if (A != EndA && beginOfA() <= End) {
        End = std::max<int64_t>(End, beginOfA() + A->second.Text.size());
        Shift += int64_t(A->second.Length) - int64_t(A->second.Text.size());
        ++A;
      } else if (B != EndB && B->first <= End) {
        End = std::max<int64_t>(End, B->first + B->second.Length);
        Edit Local = B->second;
        Local.Offset -= Begin;
        Inside[Local.Offset] = Local;
        ++B;
      } else {
        break;
      }
    }
    const unsigned Old = Begin + ShiftBefore;
    Result[Old] = {Old, unsigned(End + Shift) - Old,
                   applyEdits(StringRef(Middle).slice(Begin, End), Inside)};
  }
  return Result;
}

} // namespace cudaopt
