// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Takes the text of a declaration apart, token by token: only the plain form
/// `__shared__ specifiers name[..].., name[..]..;` is accepted.
//===----------------------------------------------------------------------===//

#include "cudaopt/Source/StorageDeclaration.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

static llvm::Error refuse(const VarDecl *Var, StringRef Why) {
  return llvm::createStringError("the declaration of '" + Var->getName() +
                                 "' " + Why);
}

/// Returns all tokens of \p Range, which must be in one file.
static llvm::SmallVector<Token, 16> lex(CharSourceRange Range,
                                        const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  auto [File, Begin] = SM.getDecomposedLoc(Range.getBegin());
  const unsigned End = SM.getFileOffset(Range.getEnd());
  const StringRef Buffer = SM.getBufferData(File);
  Lexer Raw(SM.getLocForStartOfFile(File), Context.getLangOpts(),
            Buffer.begin(), Buffer.begin() + Begin, Buffer.end());
  llvm::SmallVector<Token, 16> Tokens;
  for (Token T;;) {
    Raw.LexFromRawLexer(T);
    if (T.is(tok::eof) || SM.getFileOffset(T.getLocation()) >= End)
      return Tokens;
    Tokens.push_back(T);
  }
}

/// Lexes from \p From on and remembers the first token behind the last `;`,
/// brace or colon that is not in a directive.
SourceLocation findFirstToken(SourceLocation From, SourceLocation Loc,
                              const ASTContext &Context) {
  SourceLocation First = Loc;
  bool IsDirective = false;
  for (const Token &T :
       lex(CharSourceRange::getCharRange(From, Loc), Context)) {
    if (T.isAtStartOfLine())
      IsDirective = T.is(tok::hash);
    if (IsDirective)
      continue;
    if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::colon))
      First = Loc;
    else if (First == Loc)
      First = T.getLocation();
  }
  return First;
}

static bool isWord(const Token &T, StringRef Word) {
  return T.is(tok::raw_identifier) && T.getRawIdentifier() == Word;
}

/// Fills in the declarators `name[..]..`.
static llvm::Error findDeclarators(StorageDeclaration &D,
                                   const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  for (const clang::Decl *Each : D.Statement->decls()) {
    const auto *Var = dyn_cast<VarDecl>(Each);
    if (!Var || !Var->getLocation().isFileID())
      return llvm::createStringError("a declaration is not of variables only");
    TypeLoc Type = Var->getTypeSourceInfo()->getTypeLoc();
    SourceLocation Last = Var->getLocation();
    while (auto Array = Type.getAs<ArrayTypeLoc>()) {
      Last = Array.getRBracketLoc();
      Type = Array.getElementLoc();
    }
    if (Var->hasInit() && !Var->getType()->isRecordType() &&
        !Var->getType()->isArrayType())
      return refuse(Var, "has an initializer");
    // `float *p[4]`: the star belongs to the declarator.
    if (Type.getAs<PointerTypeLoc>() || Type.getAs<ReferenceTypeLoc>() ||
        Type.getAs<ParenTypeLoc>() || Type.getAs<AttributedTypeLoc>() ||
        !Last.isFileID())
      return refuse(Var, "cannot be taken apart");
    D.Declarators.push_back(
        {Var,
         CharSourceRange::getCharRange(
             Var->getLocation(),
             Lexer::getLocForEndOfToken(Last, 0, SM, Context.getLangOpts()))});
  }
  return llvm::Error::success();
}

/// Checks that there is nothing but a comma between declarators, and a
/// semicolon behind the last one.
static llvm::Error checkBetween(const StorageDeclaration &D,
                                const ASTContext &Context) {
  for (size_t I = 0; I != D.Declarators.size(); ++I) {
    const bool IsLast = I + 1 == D.Declarators.size();
    SourceLocation From = D.Declarators[I].Range.getEnd(),
                   To = IsLast ? D.Range.getEnd()
                               : D.Declarators[I + 1].Range.getBegin();
    auto Tokens = lex(CharSourceRange::getCharRange(From, To), Context);
    if (Tokens.size() != 1 ||
        Tokens.front().isNot(IsLast ? tok::semi : tok::comma))
      return refuse(D.Declarators[I].Decl, "has more than an array declarator");
  }
  return llvm::Error::success();
}

/// Fills in Specifiers: the text before the first declarator, without
/// `__shared__` and `static`.
static llvm::Error findSpecifiers(StorageDeclaration &D,
                                  const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const VarDecl *First = D.Declarators.front().Decl;
  CharSourceRange Before = CharSourceRange::getCharRange(
      D.Range.getBegin(), D.Declarators.front().Range.getBegin());
  auto [File, Begin] = SM.getDecomposedLoc(Before.getBegin());
  const StringRef Buffer = SM.getBufferData(File);
  unsigned Copied = Begin;
  unsigned NumShared = 0;
  for (const Token &T : lex(Before, Context)) {
    if (T.isOneOf(tok::hash, tok::l_brace))
      return refuse(First, "cannot be taken apart");
    if (!isWord(T, "__shared__") && !isWord(T, "static"))
      continue;
    NumShared += isWord(T, "__shared__");
    const unsigned Place = SM.getFileOffset(T.getLocation());
    D.Specifiers += Buffer.slice(Copied, Place);
    Copied = Place + T.getLength();
    while (Copied < Buffer.size() && isHorizontalWhitespace(Buffer[Copied]))
      ++Copied;
  }
  D.Specifiers += Buffer.slice(Copied, SM.getFileOffset(Before.getEnd()));
  if (NumShared != 1)
    return refuse(First, "has its __shared__ from a macro");
  return llvm::Error::success();
}

llvm::Expected<StorageDeclaration> findStorageDeclaration(const VarDecl *Var,
                                                          const Stmt *Body,
                                                          ASTContext &Context) {
  StorageDeclaration D;
  // Variables are compared by place, since an instance of a template has
  // variables of its own.
  for (const CompoundStmt *Block : nodesIn<CompoundStmt>(Body))
    for (const Stmt *S : Block->body())
      if (const auto *Statement = dyn_cast<DeclStmt>(S);
          Statement && llvm::any_of(Statement->decls(), [&](const Decl *Each) {
            return Each->getLocation() == Var->getLocation();
          })) {
        D.Statement = Statement;
        D.Block = Block;
      }
  if (!D.Statement)
    return refuse(Var, "is no statement of a block");
  SourceLocation Begin = D.Statement->getBeginLoc(),
                 End = D.Statement->getEndLoc();
  // `__shared__` is a macro of the toolkit's headers.
  const SourceManager &SM = Context.getSourceManager();
  if (Begin.isMacroID())
    Begin = SM.getExpansionLoc(Begin);
  if (!Begin.isFileID() || !End.isFileID() ||
      !D.Block->getLBracLoc().isFileID())
    return refuse(Var, "is written by a macro");
  Begin = findFirstToken(D.Block->getLBracLoc(), Begin, Context);
  D.Range = CharSourceRange::getCharRange(
      Begin, Lexer::getLocForEndOfToken(End, 0, SM, Context.getLangOpts()));
  if (llvm::Error Failed = findDeclarators(D, Context))
    return Failed;
  if (llvm::Error Failed = checkBetween(D, Context))
    return Failed;
  if (llvm::Error Failed = findSpecifiers(D, Context))
    return Failed;
  return D;
}

} // namespace cudaopt
