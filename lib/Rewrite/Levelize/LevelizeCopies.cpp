// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes the host functions that a loop calls as static members of its struct,
/// for host and device.
//===----------------------------------------------------------------------===//

#include "LevelizeText.h"

#include "cudaopt/Source/SourceText.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Writes one function.
class CopyWriter {
public:
  CopyWriter(const FunctionDecl *F, LevelizeText &Text)
      : F(F), Written(getWrittenDefinition(F)), Text(Text), L(Text.L),
        Context(Text.Context), SM(Context.getSourceManager()) {}

  std::string write() {
    std::string Code = Written == F ? "" : templateHead();
    Code += "static CUDAOPT_HOST_DEVICE " + resultType() + " ";
    collect(F->getBody());
    Code += range(Written->getLocation(), Written->getEndLoc());
    // Indent the copy like the struct's other members.
    std::string Indented = "  ";
    for (size_t I = 0; I != Code.size(); ++I) {
      Indented += Code[I];
      if (Code[I] == '\n' && Code.substr(I + 1, 1) != "\n")
        Indented += "  ";
    }
    return Indented + "\n";
  }

private:
  std::string templateHead() const {
    const FunctionTemplateDecl *Template =
        Written->getDescribedFunctionTemplate();
    const SourceRange Range =
        Template->getTemplateParameters()->getSourceRange();
    return Lexer::getSourceText(CharSourceRange::getTokenRange(Range), SM,
                                Context.getLangOpts())
               .str() +
           "\n";
  }
  std::string resultType() const {
    const auto *Type = Written->getType()->castAs<FunctionProtoType>();
    if (Type->hasTrailingReturn())
      return "auto";
    if (Written == F)
      return F->getReturnType()
          .getCanonicalType()
          .getUnqualifiedType()
          .getAsString(Context.getPrintingPolicy());
    return Lexer::getSourceText(CharSourceRange::getTokenRange(
                                    Written->getReturnTypeSourceRange()),
                                SM, Context.getLangOpts())
        .str();
  }
  /// Returns the text of a range with the collected replacements.
  std::string range(SourceLocation Begin, SourceLocation End) {
    std::string Code;
    llvm::sort(Splices, [&](const Splice &A, const Splice &B) {
      return A.Begin != B.Begin
                 ? SM.isBeforeInTranslationUnit(A.Begin, B.Begin)
                 : A.End != B.End && SM.isBeforeInTranslationUnit(A.End, B.End);
    });
    for (const Splice &Each : Splices) {
      Code += slice(Begin, Each.Begin) + Each.New;
      Begin = Each.End;
    }
    return Code + slice(Begin, behind(End));
  }
  SourceLocation behind(SourceLocation End) const {
    return Lexer::getLocForEndOfToken(End, 0, SM, Context.getLangOpts());
  }
  void replace(SourceLocation Begin, SourceLocation End, std::string New) {
    Splices.push_back({Begin, End, std::move(New)});
  }
  /// Replaces a product or quotient that must round by itself by a call, as
  /// LevelizeText::collectProduct() does.
  void collectProduct(const BinaryOperator *E) {
    const SourceRange Left = E->getLHS()->getSourceRange(),
                      Right = E->getRHS()->getSourceRange();
    for (SourceLocation Loc : {Left.getBegin(), Left.getEnd(), Right.getBegin(),
                               Right.getEnd(), E->getOperatorLoc()})
      if (Loc.isMacroID())
        return Text.fail(Reason::LoopMacro, E, "a product");
    const SourceLocation End = behind(Left.getEnd());
    const std::string Head = LevelizeText::roundedName(E).str();
    if (E->isCompoundAssignmentOp()) {
      replace(End, Right.getBegin(),
              " = " + Head + slice(Left.getBegin(), End) + ", ");
    } else {
      replace(Left.getBegin(), Left.getBegin(), Head);
      replace(End, Right.getBegin(), ", ");
    }
    replace(behind(Right.getEnd()), behind(Right.getEnd()), ")");
  }
  std::string slice(SourceLocation Begin, SourceLocation End) const {
    return Lexer::getSourceText(CharSourceRange::getCharRange(Begin, End), SM,
                                Context.getLangOpts())
        .str();
  }
  /// Collects what device code must spell otherwise: std::min and std::max, and
  /// products that must not be fused with sums.
  void collect(const Stmt *S) {
    if (const auto *Call = dyn_cast<CallExpr>(S);
        Call && L.MinMax.contains(Call))
      replace(Call->getCallee()->getBeginLoc(),
              behind(Call->getCallee()->getEndLoc()),
              LevelizeText::minMaxName(Call));
    if (const auto *Product = dyn_cast<BinaryOperator>(S);
        Product && Text.D.Rounding.isRounded(Product))
      collectProduct(Product);
    for (const Stmt *Child : S->children())
      if (Child)
        collect(Child);
  }

  const FunctionDecl *F, *Written;
  LevelizeText &Text;
  const HostLoop &L;
  const ASTContext &Context;
  const SourceManager &SM;
  /// Replaces what stands between two places.
  struct Splice {
    SourceLocation Begin, End;
    std::string New;
  };
  std::vector<Splice> Splices;
};

} // namespace

std::string renderCopies(LevelizeText &Text) {
  std::string Result;
  std::vector<const FunctionDecl *> Done;
  for (const FunctionDecl *F : Text.L.Copied) {
    if (llvm::is_contained(Done, getWrittenDefinition(F)))
      continue;
    Done.push_back(getWrittenDefinition(F));
    Result += CopyWriter(F, Text).write();
  }
  return Result;
}

} // namespace cudaopt
