// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Inserts the structs of host loops in front of their functions, and the calls
/// in front of the loops. `#line` directives keep the line numbers of the
/// user's text. Edits of one loop are made together or not at all.
//===----------------------------------------------------------------------===//

#include "cudaopt/Rewrite/Levelize/LevelizeEdit.h"
#include "LevelizeStruct.h"
#include "LevelizeTemplate.h"
#include "LevelizeText.h"

#include "cudaopt/IR/OwnDeclarations.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {
namespace {

constexpr llvm::StringLiteral Header = "cudaopt/host_loop.hpp";

/// Rewrites the loops of the main file. Insertions in front of functions are
/// collected first, since two loops may share a place.
class LoopRewriter {
public:
  LoopRewriter(const ASTContext &Context,
               const std::map<std::string, SourceLocation> &Macros)
      : Context(Context), Macros(Macros), SM(Context.getSourceManager()),
        Buffer(SM.getBufferData(SM.getMainFileID())),
        All(SM, Context.getLangOpts()), Names(collectIdentifiers(Context)) {}

  /// Adds the edits of \p D. Returns why its text cannot be edited; it then
  /// gets no edit.
  std::optional<Refusal> rewrite(const LevelizeDecision &D);
  /// Adds what is written in front of functions, and the #include; returns all
  /// edits.
  llvm::Expected<Edits> finish();

private:
  bool isHeader() const;
  std::string chooseName(const LevelizeDecision &D) const;
  std::optional<unsigned> findPlace(const FunctionDecl *F) const;
  unsigned climbComments(unsigned Begin) const;
  bool followsDeclaration(unsigned Begin) const;
  std::optional<unsigned> findEnd(const Stmt *Loop) const;
  std::string continueLine(unsigned Offset) const;
  std::optional<Refusal> addCall(const LevelizeDecision &D,
                                 const LoopTexts &Texts, Edits &Own) const;
  std::string makeInclude(unsigned Place) const;
  void addInclude();
  /// Returns \p Text with the line ends of the file.
  std::string withFileBreaks(StringRef Text) const;
  SourceLocation locate(unsigned Offset) const {
    return SM.getLocForStartOfFile(SM.getMainFileID()).getLocWithOffset(Offset);
  }
  unsigned startOfLine(unsigned Offset) const {
    return Buffer.take_front(Offset).rfind('\n') + 1;
  }

  const ASTContext &Context;
  const std::map<std::string, SourceLocation> &Macros;
  const SourceManager &SM;
  const StringRef Buffer;
  Edits All;
  std::map<unsigned, std::string> Insertions; ///< Whole lines, by offset.
  llvm::StringSet<> Names;                    ///< The names that are taken.
};

} // namespace

/// Returns true if other files may include this one.
bool LoopRewriter::isHeader() const {
  static constexpr llvm::StringLiteral OfSources[] = {
      ".cu", ".cpp", ".cc", ".cxx", ".c++", ".cp", ".C", ".c"};
  const OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getMainFileID());
  return File && !llvm::is_contained(
                     OfSources, llvm::sys::path::extension(File->getName()));
}

/// Returns a free name for the struct. In a header it contains a hash of the
/// text: the names in other headers, which a source may include beside it, are
/// not known.
std::string LoopRewriter::chooseName(const LevelizeDecision &D) const {
  const FunctionDecl *F = D.Loop.Function;
  const std::string Base =
      (F->getDeclName().isIdentifier() ? F->getName().str() : "operator") +
      "_loop" +
      (isHeader() ? "_" + llvm::utohexstr(uint32_t(llvm::xxh3_64bits(Buffer)),
                                          /*LowerCase=*/true, /*Width=*/8)
                  : "");
  std::string Name = Base;
  auto isTaken = [&] { // Here or in a header.
    return Names.contains(Name) ||
           Context.Idents.find(Name) != Context.Idents.end();
  };
  for (unsigned Number = 2; isTaken(); ++Number)
    Name = Base + "_" + std::to_string(Number);
  return Name;
}

/// Returns the start of the first line of the comments right in front of
/// \p Begin.
unsigned LoopRewriter::climbComments(unsigned Begin) const {
  bool IsInBlock = false;
  unsigned Place = Begin;
  for (unsigned Line = Begin; Line > 0;) {
    Line = startOfLine(Line - 1);
    StringRef Text = Buffer.substr(Line);
    Text = Text.take_front(Text.find('\n')).trim();
    if (!IsInBlock && Text.starts_with("//")) {
      Place = Line;
      continue;
    }
    if (!IsInBlock && !Text.ends_with("*/"))
      break;
    IsInBlock = !Text.contains("/*");
    if (!IsInBlock) {
      if (!Text.starts_with("/*"))
        break;
      Place = Line;
    }
  }
  return Place;
}

/// Returns true if what stands in front of \p Begin is the end of another
/// declaration, not a part of this one.
bool LoopRewriter::followsDeclaration(unsigned Begin) const {
  Lexer Raw(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(),
            Buffer.begin(), Buffer.begin(), Buffer.end());
  Raw.SetCommentRetentionState(true);
  tok::TokenKind Last = tok::semi;
  bool IsDirective = false;
  for (Token T;
       !Raw.LexFromRawLexer(T) && SM.getFileOffset(T.getLocation()) < Begin;) {
    if (SM.getFileOffset(T.getLocation()) + T.getLength() > Begin)
      return false; // Begin is inside of a token, the last line of a comment.
    if (T.is(tok::comment))
      continue;
    if (T.isAtStartOfLine())
      IsDirective = T.is(tok::hash);
    if (!IsDirective)
      Last = T.getKind();
  }
  return Last == tok::semi || Last == tok::l_brace || Last == tok::r_brace;
}

/// Returns the offset of a line where a struct can stand in front of \p F;
/// std::nullopt if there is none.
std::optional<unsigned> LoopRewriter::findPlace(const FunctionDecl *F) const {
  F = getWrittenDefinition(F);
  const Decl *Outermost = getOutermostDecl(F);
  SourceLocation Loc = SM.getExpansionLoc(Outermost->getBeginLoc());
  if (const TemplateDecl *Template = Outermost->getDescribedTemplate()) {
    const SourceLocation Head = SM.getExpansionLoc(Template->getBeginLoc());
    if (SM.isBeforeInTranslationUnit(Head, Loc))
      Loc = Head;
  }
  if (SM.getFileID(Loc) != SM.getMainFileID())
    return std::nullopt;
  const unsigned Offset = SM.getFileOffset(Loc);
  unsigned Line = startOfLine(Offset);
  if (Buffer.slice(Line, Offset).find_first_of(";{}") != StringRef::npos)
    return std::nullopt;
  Line = climbComments(Line);
  return followsDeclaration(Line) ? std::optional(Line) : std::nullopt;
}

std::string LoopRewriter::withFileBreaks(StringRef Text) const {
  const size_t First = Buffer.find('\n');
  const bool IsCrLf =
      First != StringRef::npos && First > 0 && Buffer[First - 1] == '\r';
  std::string Result;
  for (size_t I = 0; I != Text.size(); ++I) {
    if (IsCrLf && Text[I] == '\n' && (I == 0 || Text[I - 1] != '\r'))
      Result += '\r';
    Result += Text[I];
  }
  return Result;
}

/// Returns the offset of the end of \p Loop, its semicolon included;
/// std::nullopt if a macro writes it.
std::optional<unsigned> LoopRewriter::findEnd(const Stmt *Loop) const {
  const unsigned End = SM.getFileOffset(Lexer::getLocForEndOfToken(
      Loop->getEndLoc(), 0, SM, Context.getLangOpts()));
  StringRef Text = Buffer.take_front(End), Rest = Buffer.substr(End);
  if (Text.ends_with("}"))
    return End;
  if (Rest.ltrim().starts_with(";"))
    return End + (Rest.size() - Rest.ltrim().size()) + 1;
  if (Text.ends_with(";"))
    return End;
  return std::nullopt;
}

/// Returns the directive that restores the line count at \p Offset; without its
/// own line break if the rest of the line is blank, whose break then ends it.
std::string LoopRewriter::continueLine(unsigned Offset) const {
  StringRef Line = Buffer.substr(Offset);
  if (!Line.take_front(Line.find('\n')).trim().empty())
    return makeLineDirective(locate(Offset), SM);
  std::string Directive = makeLineDirective(locate(Offset), SM, 1);
  Directive.pop_back();
  return Directive;
}

/// Replaces the mark by an if with the call, and puts the loop into its braces.
std::optional<Refusal> LoopRewriter::addCall(const LevelizeDecision &D,
                                             const LoopTexts &Texts,
                                             Edits &Own) const {
  const HostLoop &L = D.Loop;
  const SourceLocation LoopLoc = L.Loop->getBeginLoc();
  const unsigned LoopBegin = SM.getFileOffset(LoopLoc);
  unsigned Begin = LoopBegin, Kept = LoopBegin;
  if (L.Marked) {
    CharSourceRange Mark = SM.getExpansionRange(L.Marked->getBeginLoc());
    Begin = SM.getFileOffset(Mark.getBegin());
    if (L.Marked->getBeginLoc().isMacroID())
      Kept = SM.getFileOffset(Lexer::getLocForEndOfToken(
          Mark.getEnd(), 0, SM, Context.getLangOpts()));
    Kept += Buffer.slice(Kept, LoopBegin).take_while(llvm::isSpace).size();
    if (L.Marked->getAttrs().size() != 1)
      return Refusal{Reason::LoopStatement, "an attribute", LoopLoc};
  }
  unsigned Column = Begin - startOfLine(Begin);
  std::string Front;
  if (L.Pragma) { // The pragma's lines are removed.
    Begin = startOfLine(SM.getFileOffset(L.Pragma->Begin));
    Kept = SM.getFileOffset(Lexer::getLocForEndOfToken(L.Pragma->End, 0, SM,
                                                       Context.getLangOpts()));
    Kept += Buffer.slice(Kept, LoopBegin).take_while(llvm::isSpace).size();
    Front = std::string(Column, ' ');
  }
  const std::string Indent(Column, ' ');
  const SourceLocation KeptLoc = locate(Kept);
  // The new braces also keep a following else with its own if.
  const std::string Head = Front + (L.IsInBlock ? "" : "{ ") + "if (" +
                           Texts.Plan + Texts.Condition + ") {\n" +
                           makeLineDirective(KeptLoc, SM) + Indent;
  if (llvm::Error E =
          Own.replace(CharSourceRange::getCharRange(locate(Begin), KeptLoc),
                      withFileBreaks(Head)))
    return Refusal{Reason::NotEditable, toString(std::move(E)), LoopLoc};
  std::optional<unsigned> After = findEnd(L.Loop);
  if (!After)
    return Refusal{Reason::LoopMacro, "the end of the loop", LoopLoc};
  const std::string Tail =
      "\n" + Indent + (L.IsInBlock ? "}\n" : "} }\n") + continueLine(*After);
  if (llvm::Error E = Own.insert(locate(*After), withFileBreaks(Tail)))
    return Refusal{Reason::NotEditable, toString(std::move(E)), LoopLoc};
  return std::nullopt;
}

/// Returns `f<int> and f<float>`.
static std::string describeInstances(const LevelizeDecision &A,
                                     const LevelizeDecision &B) {
  auto describe = [](const FunctionDecl *F) {
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    F->getNameForDiagnostic(Stream, F->getASTContext().getPrintingPolicy(),
                            /*Qualified=*/true);
    return Text;
  };
  return describe(A.Loop.Function) + " and " + describe(B.Loop.Function);
}

/// The instances of a template share their text. Each one is rendered, and the
/// loop is rewritten only if all give the same result.
std::optional<Refusal> LoopRewriter::rewrite(const LevelizeDecision &D) {
  const std::string Name = chooseName(D);
  LoopTexts Texts = makeLoopTexts(D, Name, Context);
  for (const LevelizeDecision &Other : D.Instances) {
    const LoopTexts Mine = makeLoopTexts(Other, Name, Context);
    if (Texts.Refused)
      break;
    Texts.Refused = Mine.Refused;
    if (Mine.Struct != Texts.Struct || Mine.Condition != Texts.Condition)
      Texts.Refused = {Reason::LoopInstances, describeInstances(D, Other),
                       D.Loop.getBeginLoc()};
  }
  std::optional<unsigned> Place = findPlace(D.Loop.Function);
  if (!Texts.Refused && !Place)
    Texts.Refused = {Reason::LoopMacro, "what stands in front of its function",
                     D.Loop.Function->getLocation()};
  Edits Own(SM, Context.getLangOpts());
  if (!Texts.Refused)
    Texts.Refused = addCall(D, Texts, Own);
  if (!Texts.Refused)
    if (llvm::Error E = All.add(Own))
      Texts.Refused = {Reason::NotEditable, toString(std::move(E)),
                       D.Loop.Loop->getBeginLoc()};
  if (Texts.Refused)
    return Texts.Refused;
  Names.insert(Name);
  Insertions[*Place] += Texts.Struct;
  return std::nullopt;
}

/// Returns the offset of the line that includes \p Name; npos without one.
static size_t findInclude(StringRef Buffer, StringRef Name) {
  for (size_t At = Buffer.find(Name); At != StringRef::npos;
       At = Buffer.find(Name, At + 1)) {
    const size_t Line = Buffer.rfind('\n', At) + 1;
    StringRef Directive = Buffer.slice(Line, At).ltrim();
    if (Directive.consume_front("#") &&
        Directive.ltrim().starts_with("include"))
      return Line;
  }
  return StringRef::npos;
}

/// Returns true if a header may use \p Name as a name of its own. Names in
/// capitals with more than two letters are taken to be macros everywhere,
/// except for some names of CUB.
static bool mayHide(StringRef Name) {
  static constexpr llvm::StringLiteral OfCub[] = {
      "BLOCK_THREADS", "ITEMS_PER_THREAD", "WARP_THREADS", "STEPS", "POLICY"};
  if (Name.starts_with("__") || Name.starts_with("CUDAOPT"))
    return false;
  return Name.size() <= 2 || llvm::is_contained(OfCub, Name) ||
         llvm::any_of(Name, [](char C) { return llvm::isLower(C); });
}

/// Returns the #include for \p Place, in which the macros of the program are
/// hidden.
std::string LoopRewriter::makeInclude(unsigned Place) const {
  std::string Before, Behind;
  for (const auto &[Name, Loc] : Macros) {
    if (!mayHide(Name) || SM.isBeforeInTranslationUnit(locate(Place), Loc))
      continue;
    Before += "#pragma push_macro(\"" + Name + "\")\n#undef " + Name + "\n";
    Behind += "#pragma pop_macro(\"" + Name + "\")\n";
  }
  return Before + "#include <" + Header.str() + ">\n" + Behind;
}

/// Adds the #include of the runtime, unless the file has it: behind that of the
/// annotations, or else in front of the outermost declaration around the first
/// struct.
void LoopRewriter::addInclude() {
  if (findInclude(Buffer, Header) != StringRef::npos)
    return;
  const size_t Mark = findInclude(Buffer, "cudaopt/annotations.h");
  const size_t End = Mark == StringRef::npos ? Mark : Buffer.find('\n', Mark);
  if (End != StringRef::npos && End + 1 <= Insertions.begin()->first) {
    std::string &Text = Insertions[End + 1];
    Text = makeInclude(End + 1) + Text;
    return;
  }
  // In front of the outermost declaration around the first struct.
  unsigned Place = Insertions.begin()->first;
  for (const Decl *D : listOwnDeclarations(Context)) {
    const SourceLocation Begin = SM.getExpansionLoc(D->getBeginLoc()),
                         End = SM.getExpansionLoc(D->getEndLoc());
    if (SM.getFileID(Begin) == SM.getMainFileID() &&
        SM.getFileOffset(Begin) < Place && Place < SM.getFileOffset(End)) {
      Place = climbComments(startOfLine(SM.getFileOffset(Begin)));
      break;
    }
  }
  std::string &Text = Insertions[Place];
  Text = makeInclude(Place) + Text;
}

llvm::Expected<Edits> LoopRewriter::finish() {
  if (!Insertions.empty())
    addInclude();
  for (const auto &[Place, Text] : Insertions)
    if (llvm::Error E = All.insert(
            locate(Place),
            withFileBreaks(Text + makeLineDirective(locate(Place), SM))))
      return std::move(E);
  return All;
}

std::vector<std::optional<Refusal>>
rewriteLoops(llvm::ArrayRef<const LevelizeDecision *> Wanted,
             const std::map<std::string, SourceLocation> &Macros,
             const ASTContext &Context, Edits &All) {
  LoopRewriter Rewriter(Context, Macros);
  std::vector<std::optional<Refusal>> Refused;
  for (const LevelizeDecision *D : Wanted)
    Refused.push_back(Rewriter.rewrite(*D));
  // All or nothing: a struct without its call would be dead code, a call
  // without its struct an error.
  llvm::Expected<Edits> Own = Rewriter.finish();
  llvm::Error E = Own ? All.add(*Own) : Own.takeError();
  if (!E)
    return Refused;
  const std::string Text = toString(std::move(E));
  for (auto [D, Each] : llvm::zip_equal(Wanted, Refused))
    if (!Each)
      Each = {Reason::NotEditable, Text, D->Loop.Loop->getBeginLoc()};
  return Refused;
}

std::string proposeMark(const LevelizeDecision &D) {
  std::string Clauses;
  for (const HostArray &A : D.Loop.Arrays)
    if (!A.Extent)
      Clauses += (Clauses.empty() ? "" : ", ") + A.Path.text() + "[0:EXTENT]";
  return "CUDAOPT_LEVELIZE(" + Clauses + ") ";
}

} // namespace cudaopt
