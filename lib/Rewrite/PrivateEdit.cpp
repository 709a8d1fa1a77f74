// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrivateEdit.h"

#include "SubscriptEdit.h"
#include "cudaopt/Model/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::Error;

namespace cudaopt {

/// The brackets of \p Use, all of them, where the file holds them.
static std::optional<CharSourceRange> findBrackets(const Access &Use,
                                                   const ASTContext &Context) {
  const llvm::SmallVector<SourceLocation, 4> Brackets =
      getSubscriptBrackets(Use.Ref);
  const Expr *Name = Use.Ref;
  while (const auto *Subscript =
             dyn_cast<ArraySubscriptExpr>(Name->IgnoreImpCasts()))
    Name = Subscript->getBase();
  Name = Name->IgnoreImpCasts();
  if (!isa<DeclRefExpr>(Name) || Brackets.size() != Use.Subscripts.size() ||
      Brackets.empty())
    return std::nullopt;
  const std::optional<SourceLocation> Begin =
      getFileAnchor(Name->getBeginLoc(), Context);
  const std::optional<SourceLocation> End =
      getFileAnchor(Brackets.back(), Context);
  if (!Begin || !End)
    return std::nullopt;
  const SourceManager &SM = Context.getSourceManager();
  const LangOptions &Language = Context.getLangOpts();
  return CharSourceRange::getCharRange(
      Lexer::getLocForEndOfToken(*Begin, 0, SM, Language),
      Lexer::getLocForEndOfToken(*End, 0, SM, Language));
}

Error editPrivateUses(const Kernel &K, ArrayId Array, const ASTContext &Context,
                      Edits &E) {
  for (const auto &Instance : K.Instances)
    for (const Access &Use : Instance->Accesses) {
      if (Use.Array != Array)
        continue;
      std::optional<CharSourceRange> Brackets = findBrackets(Use, Context);
      if (!Brackets)
        return refuse(K.Arrays[Array].Name, "a subscript cannot be edited",
                      Use.Ref->getBeginLoc(), Context);
      if (Error Failed = E.replaceAround(*Brackets, {}, {""}))
        return Failed;
    }
  return Error::success();
}

} // namespace cudaopt
