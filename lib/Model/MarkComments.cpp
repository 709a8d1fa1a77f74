// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Parses the marks in comments (SourceMarks). A comment is a mark, or was
/// meant to be one, if it begins with `cuda-opt:`, or is `cuda-opt` and one
/// more word.
//===----------------------------------------------------------------------===//

#include "cudaopt/Model/SourceMarks.h"
#include "cudaopt/Support/Spelling.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace cudaopt {

/// Returns the text between the comment's delimiters if that is a single line;
/// otherwise nothing.
static StringRef getCommentText(SourceRange Comment, const SourceManager &SM) {
  auto [File, Begin] = SM.getDecomposedLoc(Comment.getBegin());
  auto [EndFile, End] = SM.getDecomposedLoc(Comment.getEnd());
  StringRef Text = SM.getBufferData(File).slice(Begin, End);
  if (Text.consume_front("/*"))
    Text.consume_back("*/");
  else
    Text = Text.ltrim('/');
  return Text.contains('\n') ? "" : Text.trim();
}

void SourceMarks::readComment(SourceRange Comment, ArrayRef<StringRef> Passes) {
  if (SM.isInSystemHeader(Comment.getBegin()))
    return;
  StringRef Text = getCommentText(Comment, SM);
  if (!Text.consume_front("cuda-opt"))
    return;
  if (Text.consume_front(":")) {
    readIgnore(Text.trim(), Comment, Passes);
    return;
  }
  if (!Text.starts_with(" ") && !Text.starts_with("\t"))
    return;
  // A reason may follow a colon: "off: because".
  const StringRef Word = Text.split(':').first.trim();
  if (!Word.contains_insensitive(" "))
    readSwitch(Word, Comment);
}

void SourceMarks::readSwitch(StringRef Word, SourceRange Comment) {
  const SourceLocation Loc = Comment.getBegin();
  const auto [File, Offset] = SM.getDecomposedLoc(Loc);
  // A region ends with its file.
  const bool IsOpen = Open && Regions[*Open].File == File;
  auto complain = [&](std::string Hint) {
    BadMarks.push_back({Loc, ("cuda-opt " + Word).str(), std::move(Hint)});
  };
  if (Word == "off") {
    if (IsOpen)
      return complain("; it is off already: " + Regions[*Open].Refused.Detail);
    Open = Regions.size();
    Regions.push_back({File, Offset, ~0u, makeRefusal("'cuda-opt off'", Loc)});
  } else if (Word == "on") {
    if (!IsOpen)
      return complain("; no 'cuda-opt off' stands in front of it");
    Regions[*Open].End = Offset;
    Open.reset();
  } else if (std::string Hint = suggestSpelling(Word, {"off", "on"});
             !Hint.empty()) {
    complain(Hint);
  } else if (Word == "ignore" || Word.starts_with("ignore(")) {
    complain(("; did you mean 'cuda-opt: " + Word + "'?").str());
  }
}

/// Returns the line that a comment in line \p Line is about: its own if it
/// stands behind code, else the next one that is neither empty nor a comment.
static unsigned findMarkedLine(FileID File, unsigned Offset, unsigned Line,
                               const SourceManager &SM) {
  const StringRef Text = SM.getBufferData(File);
  const size_t Start = Text.take_front(Offset).rfind('\n') + 1;
  if (!Text.slice(Start, Offset).trim().empty())
    return Line;
  StringRef Rest = Text.substr(Offset).split('\n').second;
  for (++Line; !Rest.empty(); ++Line) {
    const StringRef Next = Rest.split('\n').first.trim();
    if (!Next.empty() && !Next.starts_with("//"))
      break;
    Rest = Rest.split('\n').second;
  }
  return Line;
}

void SourceMarks::readIgnore(StringRef Text, SourceRange Comment,
                             ArrayRef<StringRef> Passes) {
  const SourceLocation Loc = Comment.getBegin();
  auto complain = [&](std::string Hint) {
    BadMarks.push_back({Loc, ("cuda-opt: " + Text).str(), std::move(Hint)});
  };
  const size_t WordEnd =
      Text.find_if([](char C) { return !llvm::isAlnum(C) && C != '-'; });
  const StringRef Word = Text.take_front(WordEnd);
  StringRef Rest = Text.substr(Word.size()).ltrim();
  if (Word == "off" || Word == "on")
    return complain(("; did you mean 'cuda-opt " + Word + "'?").str());
  if (Word != "ignore") {
    std::string Hint = suggestSpelling(Word, {"ignore"});
    // An ordinary sentence may begin with `cuda-opt:`.
    if (Hint.empty() && Text.contains(' '))
      return;
    return complain(std::move(Hint));
  }
  const auto [File, Offset] = SM.getDecomposedLoc(Loc);
  IgnoredLine New;
  New.File = File;
  New.Line = findMarkedLine(File, Offset, SM.getLineNumber(File, Offset), SM);
  New.Refused = makeRefusal("'cuda-opt: ignore'", Loc);
  if (Rest.consume_front("(")) {
    auto [List, Behind] = Rest.split(')');
    if (List.size() == Rest.size())
      return complain("; ')' is missing");
    for (StringRef Name : llvm::split(List, ',')) {
      Name = Name.trim();
      if (!llvm::is_contained(Passes, Name)) {
        std::string Hint = suggestSpelling(Name, Passes);
        return complain(
            Hint.empty() ? "; passes are " + llvm::join(Passes, ", ") : Hint);
      }
      New.Passes.push_back(Name.str());
    }
  }
  Ignored.push_back(std::move(New));
}

} // namespace cudaopt
