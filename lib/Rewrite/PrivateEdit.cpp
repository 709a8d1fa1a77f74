// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Removes the subscripts of arrays that become private variables, and keeps
/// products from being fused with sums: in shared memory a product was rounded
/// when it was stored, in a register the compiler may fuse it.
//===----------------------------------------------------------------------===//

#include "PrivateEdit.h"

#include "SubscriptEdit.h"
#include "cudaopt/Analysis/StoredProducts.h"
#include "cudaopt/Source/SourceText.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::Error;

namespace cudaopt {

/// Returns the range of all brackets of \p Use in its file.
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

static CharSourceRange getRange(const Expr *E, const ASTContext &Context) {
  const SourceRange Range = E->getSourceRange();
  return CharSourceRange::getCharRange(
      Range.getBegin(),
      Lexer::getLocForEndOfToken(Range.getEnd(), 0, Context.getSourceManager(),
                                 Context.getLangOpts()));
}

/// Returns the text of the variable that element \p E becomes: \p E without its
/// subscripts.
static std::string getVariableText(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return getVariableText(Member->getBase()) + "." +
           Member->getMemberDecl()->getNameAsString();
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return getVariableText(Subscript->getBase());
  return cast<DeclRefExpr>(E)->getDecl()->getNameAsString();
}

/// `a * b` -> `__fmul_rn(a, b)`; `u *= b` -> `u = __fmul_rn(u, b)`. A quotient
/// is a product with the reciprocal of a power of two.
static Error editProduct(const Expr *E, const ASTContext &Context, Edits &All) {
  const std::string Head = getRoundedProduct(E).str() + "(";
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return All.replaceAround(getRange(E, Context),
                             {getRange(Call->getArg(0), Context),
                              getRange(Call->getArg(1), Context)},
                             {Head, ", ", ")"});
  const auto *Product = cast<BinaryOperator>(E);
  const bool IsQuotient =
      Product->getOpcode() == BO_Div || Product->getOpcode() == BO_DivAssign;
  // The reciprocal of a power of two is exact.
  std::string Middle = ", ", Tail = ")";
  if (IsQuotient) {
    Middle += Head.starts_with("__f") ? "1.0f / " : "1.0 / ";
    if (isa<BinaryOperator>(Product->getRHS()->IgnoreImpCasts())) {
      Middle += "(";
      Tail = "))";
    }
  }
  std::string Front = Head;
  if (Product->isCompoundAssignmentOp()) {
    Middle = " = " + Head + getVariableText(Product->getLHS()) + Middle;
    Front.clear();
  }
  return All.replaceAround(getRange(E, Context),
                           {getRange(Product->getLHS(), Context),
                            getRange(Product->getRHS(), Context)},
                           {Front, Middle, Tail});
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
  for (const Expr *Product : findStoredProducts(K, Array).Rounded)
    if (Error Failed = editProduct(Product, Context, E))
      return Failed;
  return Error::success();
}

} // namespace cudaopt
