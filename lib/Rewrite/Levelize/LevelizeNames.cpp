// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Checks every name that generated code uses against the names of the loop's
/// text, its scopes, and macros.
//===----------------------------------------------------------------------===//

#include "LevelizeNames.h"
#include "LevelizeText.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

/// The members of a loop's struct that the runtime uses.
static constexpr llvm::StringLiteral Members[] = {
    "arrays",         "slice",
    "body",           "each_pointer",
    "is_independent", "is_self_indexing",
    "cudaopt",        "has_products_in_sums"};

static bool isMember(StringRef Name) {
  return llvm::is_contained(Members, Name);
}

void renameMembers(HostLoop &L, const ASTContext &Context) {
  const llvm::StringSet<> Taken = collectIdentifiers(L, Context);
  auto rename = [&](std::string &Name) {
    if (isMember(Name))
      do
        Name.insert(0, "the_");
      while (Taken.contains(Name));
  };
  for (HostArray &A : L.Arrays)
    rename(A.Name);
  for (HostScalar &S : L.Scalars)
    rename(S.Name);
}

/// Returns the token at which the text of \p L's body uses the name of a member
/// of its struct and means neither that member nor a variable of its own.
static std::optional<Token> findOtherMeaning(const HostLoop &L,
                                             const ASTContext &Context) {
  llvm::StringSet<> Own;
  for (const HostArray &A : L.Arrays)
    Own.insert(A.Path.name());
  for (const HostScalar &S : L.Scalars)
    Own.insert(S.Path.name());
  for (const VarDecl *V : L.Locals)
    Own.insert(V->getName());
  for (const VarDecl *V : L.Privates)
    Own.insert(V->getName());
  Own.insert(L.Iterator.Variable->getName());
  Own.erase("cudaopt");
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = L.Body->getBeginLoc();
  const StringRef Buffer = SM.getBufferData(SM.getMainFileID());
  Lexer Raw(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(),
            Buffer.begin(), SM.getCharacterData(Begin), Buffer.end());
  const unsigned End = SM.getFileOffset(L.Body->getEndLoc());
  tok::TokenKind Last = tok::semi;
  for (Token Next;
       !Raw.LexFromRawLexer(Next) && SM.getFileOffset(Next.getLocation()) < End;
       Last = Next.getKind())
    if (Next.is(tok::raw_identifier) && isMember(Next.getRawIdentifier()) &&
        Last != tok::period && Last != tok::arrow && Last != tok::coloncolon &&
        !Own.contains(Next.getRawIdentifier()))
      return Next;
  return std::nullopt;
}

/// Returns a declaration that \p L refers to and that a member of its struct
/// would hide.
static const NamedDecl *findHidden(const HostLoop &L,
                                   const ASTContext &Context) {
  llvm::StringSet<> Own;
  for (const HostArray &A : L.Arrays)
    Own.insert(A.Name);
  for (const HostScalar &S : L.Scalars)
    Own.insert(S.Name);
  for (const NamedDecl *D : collectUses(L, Context).Outside)
    if (isMember(D->getName()) || Own.contains(D->getName()))
      return D;
  return nullptr;
}

/// Returns true if `cudaopt` means something else where \p F is declared.
static bool hidesRuntime(const FunctionDecl *F, ASTContext &Context) {
  const DeclarationName Name = &Context.Idents.get("cudaopt");
  for (const DeclContext *C = F->getDeclContext(); !C->isTranslationUnit();
       C = C->getParent())
    if (!C->lookup(Name).empty())
      return true;
  return false;
}

std::optional<Refusal> findNameRefusal(const HostLoop &L,
                                       const LevelizeTemplate &Template,
                                       const ASTContext &Context) {
  // Local names in the text of the struct: only a macro could change what they
  // mean.
  static constexpr llvm::StringLiteral Words[] = {
      "touch",     "memory",      "Touch", "Memory",
      "iteration", "first_value", "Visit", "visit"};
  // The same holds for members of the runtime's classes.
  static constexpr llvm::StringLiteral Others[] = {
      "index_t",    "extents",  "extents_of",   "array",       "run_loop",
      "is_small",   "row_loop", "loop_options", "strategy",    "read",
      "write",      "update",   "load",         "store",       "data",
      "in",         "out",      "index",        "fixed",       "plus",
      "multiplies", "bit_and",  "bit_or",       "bit_xor",     "minimum",
      "maximum",    "product",  "quotient",     "negated",     "reused",
      "forced",     "resident", "reassociated", "approximate", "plan",
      "size_t"};
  auto isMacro = [&](StringRef Name) {
    auto Known = Context.Idents.find(Name);
    return Known != Context.Idents.end() &&
           Known->getValue()->hadMacroDefinition();
  };
  for (llvm::ArrayRef<llvm::StringLiteral> List :
       {llvm::ArrayRef(Members), llvm::ArrayRef(Words), llvm::ArrayRef(Others)})
    for (StringRef Name : List)
      if (isMacro(Name))
        return Refusal{Reason::LoopName, Name.str(), L.Loop->getBeginLoc()};
  for (StringRef Name : Template.names())
    if (isMember(Name))
      return Refusal{Reason::LoopName, Name.str(), L.Loop->getBeginLoc()};
  for (const FunctionDecl *F : L.Copied)
    if (isMember(F->getName()))
      return Refusal{Reason::LoopName, F->getName().str(),
                     L.Loop->getBeginLoc()};
  if (const NamedDecl *Hidden = findHidden(L, Context))
    return Refusal{Reason::LoopName, Hidden->getNameAsString(),
                   L.Loop->getBeginLoc()};
  if (hidesRuntime(L.Function, const_cast<ASTContext &>(Context)))
    return Refusal{Reason::LoopName, "cudaopt", L.Loop->getBeginLoc()};
  if (std::optional<Token> Other = findOtherMeaning(L, Context))
    return Refusal{Reason::LoopName, Other->getRawIdentifier().str(),
                   Other->getLocation()};
  return std::nullopt;
}

} // namespace cudaopt
