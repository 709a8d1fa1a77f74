// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes `#line` where edits change the number of lines. A directive may stand
/// only between statements: not inside of a macro's arguments, for example.
//===----------------------------------------------------------------------===//

#include "cudaopt/Source/LineDirectives.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudaopt;
using llvm::StringRef;

/// Returns `#line 7 "a.cu"` with the line end that \p Text uses.
static std::string printDirective(unsigned Line, StringRef Path,
                                  StringRef Text) {
  std::string Result = "#line " + llvm::utostr(Line) + " \"";
  for (char C : Path) {
    if (C == '\\' || C == '"')
      Result += '\\';
    Result += C;
  }
  return Result + (Text.contains("\r\n") ? "\"\r\n" : "\"\n");
}

/// Returns how many more parentheses \p Line opens than it closes, outside of
/// literals and comments.
static int countOpen(StringRef Line) {
  clang::LangOptions Language;
  Language.CPlusPlus = Language.CPlusPlus14 = Language.LineComment = true;
  const std::string Text = Line.str(); // The lexer needs the end of a string.
  clang::Lexer Raw({}, Language, Text.data(), Text.data(),
                   Text.data() + Text.size());
  int Open = 0;
  clang::Token Next;
  do {
    Raw.LexFromRawLexer(Next);
    Open += Next.is(clang::tok::l_paren);
    Open -= Next.is(clang::tok::r_paren);
  } while (Next.isNot(clang::tok::eof));
  return Open;
}

/// Returns true if a declaration or statement ends at the end of \p Line, or a
/// block begins there.
static bool mayEndStatement(StringRef Line) {
  Line = Line.split("//").first.rtrim();
  return Line.empty() || Line.ends_with(";") || Line.ends_with("{") ||
         Line.ends_with("}");
}

std::string cudaopt::applyWithLineDirectives(StringRef Path, StringRef Before,
                                             const FileEdits &Edits,
                                             bool HasOtherName) {
  if (Edits.empty())
    return Before.str();
  StringRef Mark = "\xEF\xBB\xBF";
  std::string Result;
  size_t Done = 0;
  if (Before.starts_with(Mark)) {
    Result = Mark.str();
    Done = Mark.size();
  }
  if (HasOtherName)
    Result += printDirective(1, Path, Before);
  // The number of lines that edits have added since the last directive.
  long Moved = 0;
  // Open parentheses since then: 0 is outside of a macro's arguments.
  int Open = 0;
  auto CopyTo = [&](size_t End) {
    while (Moved && Done < End) {
      size_t Newline = Before.find('\n', Done);
      if (Newline == StringRef::npos || Newline >= End)
        break;
      Result += Before.slice(Done, Newline + 1);
      Done = Newline + 1;
      StringRef Line = StringRef(Result).drop_back().rsplit('\n').second;
      Open += countOpen(Line);
      if (Open != 0 || !mayEndStatement(Line))
        continue;
      Result += printDirective(
          unsigned(Before.take_front(Done).count('\n')) + 1, Path, Before);
      Moved = 0;
    }
    Result += Before.slice(Done, End);
    Done = End;
  };
  for (const auto &[Offset, E] : Edits) {
    CopyTo(Offset);
    Result += E.Text;
    Done = Offset + E.Length;
    Moved += long(StringRef(E.Text).count('\n')) -
             long(Before.substr(Offset, E.Length).count('\n'));
  }
  CopyTo(Before.size());
  return Result;
}
