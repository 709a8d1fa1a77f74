// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Assigns each line of a block to one statement.
//===----------------------------------------------------------------------===//

#include "StatementText.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::Error;
using llvm::StringRef;

namespace cudaopt {

/// Splits the first line off \p Text, with its line end, and returns it.
static StringRef takeLine(StringRef &Text) {
  const size_t End = Text.find('\n');
  StringRef Line = Text.take_front(End == StringRef::npos ? End : End + 1);
  Text = Text.drop_front(Line.size());
  return Line;
}

static bool isUnrollPragma(StringRef Line) {
  Line = Line.trim();
  if (!Line.consume_front("#"))
    return false;
  Line = Line.ltrim();
  if (!Line.consume_front("pragma"))
    return false;
  Line = Line.ltrim();
  return Line.starts_with("unroll") || Line.starts_with("nounroll");
}

/// Returns \p Text without the blanks and comments at its beginning.
static StringRef skipComments(StringRef Text) {
  while (true) {
    Text = Text.ltrim();
    size_t End;
    if (Text.starts_with("//"))
      End = Text.find('\n');
    else if (Text.starts_with("/*"))
      End = Text.find("*/", 2) == StringRef::npos ? StringRef::npos
                                                  : Text.find("*/", 2) + 2;
    else
      return Text;
    Text = Text.substr(std::min(End, Text.size()));
  }
}

/// Returns true if \p Front contains no statement, only blanks, comments and
/// pragmas.
static bool isFront(StringRef Front) {
  for (Front = skipComments(Front); !Front.empty(); Front = skipComments(Front))
    if (!isUnrollPragma(takeLine(Front)))
      return false;
  return true;
}

/// Returns true if \p Rest, the rest of a line, is nothing but the end of a
/// statement and a comment.
static bool isRestOfLine(StringRef Rest) {
  Rest = Rest.ltrim(" \t");
  Rest.consume_front(";");
  return !Rest.rtrim().ends_with("\\") && skipComments(Rest).empty() &&
         Rest.count("/*") == Rest.count("*/");
}

std::string StatementLines::pragmas() const {
  std::string Found;
  for (StringRef Rest = Front; !Rest.empty();)
    if (StringRef Line = takeLine(Rest); isUnrollPragma(Line))
      Found += Line;
  return Found;
}

std::string StatementLines::comments() const {
  std::string Found;
  for (StringRef Rest = Front; !Rest.empty();)
    if (StringRef Line = takeLine(Rest);
        !isUnrollPragma(Line) && !Line.trim().empty())
      Found += Line;
  StringRef LastLine = Own;
  while (LastLine.contains('\n') && LastLine.find('\n') + 1 != LastLine.size())
    takeLine(LastLine);
  const size_t Behind = std::min(LastLine.find("//"), LastLine.find("/*"));
  if (Behind != StringRef::npos)
    Found +=
        LastLine.take_front(LastLine.size() - LastLine.ltrim().size()).str() +
        LastLine.substr(Behind).str();
  return Found;
}

const StatementLines *BlockLines::find(const Stmt *S) const {
  auto Found = llvm::find_if(Statements, [&](const StatementLines &Each) {
    return Each.Statement == S;
  });
  return Found == Statements.end() ? nullptr : &*Found;
}

namespace {

/// Reads one block. Found.End is the end of the lines assigned so far.
class BlockReader {
public:
  BlockReader(const CompoundStmt *Block, const ASTContext &Context)
      : Block(Block), Context(Context), SM(Context.getSourceManager()) {
    File = SM.getFileID(Block->getLBracLoc());
    Buffer = SM.getBufferData(File);
  }
  llvm::Expected<BlockLines> read();

private:
  Error readStatement(const Stmt *S);
  Error checkDirectives(unsigned Begin, unsigned End) const;
  /// Returns the offset of the line behind that of \p Offset.
  unsigned findNextLine(unsigned Offset) const {
    return std::min(Buffer.find('\n', Offset), Buffer.size() - 1) + 1;
  }

  const CompoundStmt *Block;
  const ASTContext &Context;
  const SourceManager &SM;
  FileID File;
  StringRef Buffer;
  BlockLines Found;
};

} // namespace

Error BlockReader::checkDirectives(unsigned Begin, unsigned End) const {
  for (StringRef Rest = Buffer.slice(Begin, End); !Rest.empty();)
    if (StringRef Line = takeLine(Rest);
        Line.ltrim().starts_with("#") && !isUnrollPragma(Line))
      return llvm::createStringError(
          "a directive of the preprocessor stands among its statements");
  return Error::success();
}

/// Assigns the lines up to the end of \p S to it; fails if it shares a line
/// with another statement.
Error BlockReader::readStatement(const Stmt *S) {
  const Stmt *First = S;
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    First = Attributed->getSubStmt();
  const SourceLocation From = First->getBeginLoc(), To = S->getEndLoc();
  const LangOptions &Language = Context.getLangOpts();
  // A statement may begin or end with a macro (`__shared__`), as long as no
  // part of the expansion belongs to another statement.
  const bool IsWhole = From.isMacroID() && To.isMacroID() &&
                       SM.getExpansionLoc(From) == SM.getExpansionLoc(To);
  if (IsWhole ||
      (From.isMacroID() &&
       !Lexer::isAtStartOfMacroExpansion(From, SM, Language)) ||
      (To.isMacroID() && !Lexer::isAtEndOfMacroExpansion(To, SM, Language)))
    return llvm::createStringError(
        "macro '" +
        Lexer::getImmediateMacroName(From.isMacroID() ? From : To, SM,
                                     Language) +
        "' writes a whole statement");
  const SourceLocation Behind = Lexer::getLocForEndOfToken(
      SM.getExpansionRange(To).getEnd(), 0, SM, Language);
  if (SM.getFileID(SM.getExpansionLoc(From)) != File || Behind.isInvalid() ||
      SM.getFileID(Behind) != File)
    return llvm::createStringError("its text stands in several files");
  const unsigned Begin = SM.getFileOffset(SM.getExpansionLoc(From));
  const unsigned Last = SM.getFileOffset(Behind), Next = findNextLine(Last);
  const unsigned Line = Buffer.rfind('\n', Begin) + 1;
  if (Line < Found.End || !Buffer.slice(Line, Begin).trim(" \t").empty() ||
      !isFront(Buffer.slice(Found.End, Line)) ||
      !isRestOfLine(Buffer.slice(Last, Next)))
    return llvm::createStringError("a line holds more than one statement");
  Found.Statements.push_back(
      {S, Buffer.slice(Found.End, Line), Buffer.slice(Line, Next)});
  Found.End = Next;
  return Error::success();
}

llvm::Expected<BlockLines> BlockReader::read() {
  if (Block->getLBracLoc().isMacroID() || Block->getRBracLoc().isMacroID())
    return llvm::createStringError("a macro writes its braces");
  const unsigned Open = SM.getFileOffset(Block->getLBracLoc()) + 1;
  const unsigned Close = SM.getFileOffset(Block->getRBracLoc());
  Found.Begin = Found.End = findNextLine(Open);
  if (Buffer.slice(Open, Found.Begin).trim().starts_with(";") ||
      !isRestOfLine(Buffer.slice(Open, Found.Begin)))
    return llvm::createStringError("a line holds more than one statement");
  if (Error Failed = checkDirectives(Open, Close))
    return std::move(Failed);
  for (const Stmt *S : Block->body())
    if (Error Failed = readStatement(S))
      return std::move(Failed);
  if (Found.End > Close || !isFront(Buffer.slice(Found.End, Close)))
    return llvm::createStringError("a line holds more than one statement");
  return std::move(Found);
}

llvm::Expected<BlockLines> readBlock(const CompoundStmt *Block,
                                     const ASTContext &Context) {
  return BlockReader(Block, Context).read();
}

} // namespace cudaopt
