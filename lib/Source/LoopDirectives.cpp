// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reads the preprocessor directives of the text from the function's beginning
/// to the loop's end. It lexes the raw text: branches that `#if` switches off
/// count, too, since other configurations compile them.
//===----------------------------------------------------------------------===//

#include "cudaopt/Source/LoopDirectives.h"

#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace cudaopt {
namespace {

using Words = SmallVector<StringRef, 8>;

/// A pragma that applies to the statement behind it.
struct PendingPragma {
  std::string Text;    ///< The directive's words: "omp parallel for".
  bool IsHint = false; ///< True if it only tells how to compile a loop.
};

/// An `#if` whose `#endif` has not come yet.
struct Conditional {
  int Brackets; ///< The number of brackets that were open in front of it.
  /// The pragmas that wait for a statement in front of the conditional, and
  /// those at the ends of its branches.
  SmallVector<PendingPragma, 1> Before, Behind;
};

/// Reads the text once, and notes the first directive that forbids to copy the
/// loop.
class DirectiveReader {
public:
  DirectiveReader(const Stmt *Loop, const FunctionDecl *Function,
                  const ASTContext &Context)
      : SM(Context.getSourceManager()), Context(Context), Loop(Loop),
        Function(Function), Buffer(SM.getBufferData(SM.getMainFileID())),
        LoopBegin(offset(Loop->getBeginLoc())),
        LoopEnd(offset(Loop->getEndLoc())) {}

  std::optional<Refusal> read(SourceLocation Begin);

private:
  void readDirective(Words Text, bool IsInLoop);
  void readPragma(ArrayRef<StringRef> Text);
  void readBranch(StringRef Name);
  void readToken(const Token &T, StringRef Text);
  void checkNames();
  const Stmt *findAround(const Stmt *S, unsigned Begin) const;
  void refuse(Reason Why, StringRef Detail) {
    if (!Result)
      Result = {Why, Detail.str(), Loop->getBeginLoc()};
  }
  void refuseDirective(StringRef Name) { refuse(Reason::LoopDirective, Name); }
  unsigned offset(SourceLocation Loc) const {
    return SM.getFileOffset(SM.getExpansionLoc(Loc));
  }

  const SourceManager &SM;
  const ASTContext &Context;
  const Stmt *const Loop;
  const FunctionDecl *const Function;
  const StringRef Buffer;
  const unsigned LoopBegin, LoopEnd;
  std::optional<Refusal> Result;
  SmallVector<Conditional, 4> Open;
  SmallVector<PendingPragma, 1> Pending;
  int Brackets = 0;
  /// Names of macros that are defined or undefined in front of the loop,
  /// identifiers inside of conditionals, and identifiers of the loop.
  llvm::StringSet<> Redefined, Conditionals, Used;
};

} // namespace

/// Returns the outermost statement in \p S that starts at \p Begin and contains
/// the loop, or is it; without its attributes.
const Stmt *DirectiveReader::findAround(const Stmt *S, unsigned Begin) const {
  if (offset(S->getBeginLoc()) == Begin && Begin <= LoopBegin &&
      offset(S->getEndLoc()) >= LoopEnd) {
    while (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      S = Attributed->getSubStmt();
    return S;
  }
  for (const Stmt *Child : S->children())
    if (const Stmt *Found = Child ? findAround(Child, Begin) : nullptr)
      return Found;
  return nullptr;
}

/// A pragma may change how a loop is compiled, or which threads run it; one
/// that is not listed here may mean anything.
void DirectiveReader::readPragma(ArrayRef<StringRef> Text) {
  const StringRef First = Text.empty() ? "" : Text[0];
  const StringRef Second = Text.size() < 2 ? "" : Text[1];
  const std::string Name =
      llvm::join(Text.take_front(3).take_while([](StringRef Word) {
        return llvm::isAlpha(Word.front());
      }),
                 " ");
  if (llvm::is_contained(
          {"cudaopt", "scop", "endscop", "region", "endregion", "mark"},
          First) ||
      First.starts_with("nv_diag") ||
      (llvm::is_contained({"GCC", "clang"}, First) && Second == "diagnostic"))
    return;
  if (llvm::is_contained({"omp", "acc", "hmpp"}, First)) {
    // These apply to declarations.
    if (llvm::is_contained({"threadprivate", "declare", "begin", "end",
                            "assumes", "routine", "allocate", "requires"},
                           Second))
      return refuseDirective("pragma " + Name);
    Pending.push_back({Name, /*IsHint=*/false});
  } else if (llvm::is_contained(
                 {"unroll", "nounroll", "ivdep", "simd", "vector", "novector"},
                 First) ||
             (First == "GCC" &&
              llvm::is_contained({"ivdep", "unroll"}, Second)) ||
             (First == "clang" && Second == "loop")) {
    Pending.push_back({Name, /*IsHint=*/true});
  } else {
    refuseDirective("pragma " + Name);
  }
}

/// Reads `#else`, `#endif` and the like. If brackets are not balanced in a
/// branch, some configurations have a statement or block around the loop that
/// others lack.
void DirectiveReader::readBranch(StringRef Name) {
  if (Open.empty() || Open.back().Brackets != Brackets)
    return refuseDirective(Name);
  Conditional &Last = Open.back();
  Last.Behind.append(Pending);
  Pending = Last.Before;
  if (Name != "endif")
    return;
  // A pragma in front of the conditional also applies behind it: without an
  // #else, or with an empty branch, no statement comes between.
  Pending.append(Last.Behind);
  Open.pop_back();
}

void DirectiveReader::readDirective(Words Text, bool IsInLoop) {
  const StringRef Name = Text.empty() ? "" : Text[0];
  if (IsInLoop)
    return refuseDirective(Name);
  if (llvm::is_contained({"if", "ifdef", "ifndef"}, Name))
    Open.push_back({Brackets, Pending, {}});
  else if (Name.starts_with("el") || Name == "endif")
    readBranch(Name);
  else if ((Name == "define" || Name == "undef") && Text.size() > 1)
    Redefined.insert(Text[1]);
  else if (Name == "pragma")
    readPragma(ArrayRef(Text).drop_front());
  else if (!llvm::is_contained({"", "error", "warning"}, Name))
    refuseDirective(Name);
}

/// Reads a token that is not part of a directive.
void DirectiveReader::readToken(const Token &T, StringRef Text) {
  const unsigned At = offset(T.getLocation());
  if (At >= LoopBegin) {
    if (T.is(tok::raw_identifier))
      Used.insert(Text);
  } else if (!Open.empty() && T.is(tok::raw_identifier)) {
    Conditionals.insert(Text);
  }
  if (At < LoopBegin && (Text == "_Pragma" || Text == "__pragma"))
    refuseDirective("pragma");
  Brackets += T.isOneOf(tok::l_brace, tok::l_paren, tok::l_square);
  Brackets -= T.isOneOf(tok::r_brace, tok::r_paren, tok::r_square);
  for (const PendingPragma &Each : Pending)
    if (const Stmt *S = findAround(Function->getBody(), At)) {
      if (!Each.IsHint)
        refuse(Reason::LoopPragma, Each.Text);
      else if (S == Loop) // Nothing may come between a hint and its loop.
        refuseDirective("pragma " + Each.Text);
    }
  Pending.clear();
}

/// Where the copy stands, names of the loop may be other macros, or mean what
/// another branch of a conditional declares.
void DirectiveReader::checkNames() {
  for (const auto &Each : Used) {
    const StringRef Name = Each.getKey();
    auto Known = Context.Idents.find(Name);
    const IdentifierInfo *Info =
        Known == Context.Idents.end() ? nullptr : Known->getValue();
    if (Redefined.contains(Name) ||
        (!Redefined.empty() && Info && Info->hadMacroDefinition()))
      return refuseDirective("define " + Redefined.begin()->getKey().str());
    if (Conditionals.contains(Name) &&
        !(Info && Info->isKeyword(Context.getLangOpts())))
      return refuseDirective("if");
  }
}

std::optional<Refusal> DirectiveReader::read(SourceLocation Begin) {
  const FileID File = SM.getMainFileID();
  const SourceLocation Start = SM.getLocForStartOfFile(File);
  Lexer Raw(Start, Context.getLangOpts(), Buffer.begin(),
            Buffer.begin() + offset(Begin), Buffer.end());
  Token T;
  Raw.LexFromRawLexer(T);
  auto text = [&] {
    return Buffer.substr(offset(T.getLocation()), T.getLength());
  };
  while (T.isNot(tok::eof) && offset(T.getLocation()) <= LoopEnd) {
    if (T.isNot(tok::hash) || !T.isAtStartOfLine()) {
      readToken(T, text());
      Raw.LexFromRawLexer(T);
      continue;
    }
    const bool IsInLoop = offset(T.getLocation()) > LoopBegin;
    Words Text;
    for (Raw.LexFromRawLexer(T); T.isNot(tok::eof) && !T.isAtStartOfLine();
         Raw.LexFromRawLexer(T))
      Text.push_back(text());
    readDirective(std::move(Text), IsInLoop);
  }
  if (!Open.empty())
    refuseDirective("if");
  checkNames();
  return Result;
}

std::optional<Refusal> findLoopDirective(const Stmt *Loop,
                                         const FunctionDecl *Function,
                                         SourceLocation Begin,
                                         const ASTContext &Context) {
  return DirectiveReader(Loop, Function, Context).read(Begin);
}

} // namespace cudaopt
