// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Functions of the host that a loop calls, as static members of its struct.
//===----------------------------------------------------------------------===//

#include "LevelizeText.h"

#include "cudaopt/Model/SourceText.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {
namespace {

class CopyWriter {
public:
  CopyWriter(const FunctionDecl *F, const HostLoop &L,
             const ASTContext &Context)
      : F(F), Written(getWrittenDefinition(F)), L(L), Context(Context),
        SM(Context.getSourceManager()) {}

  std::string write() {
    std::string Text = Written == F ? "" : templateHead();
    Text += "static CUDAOPT_HOST_DEVICE " + resultType() + " ";
    collect(F->getBody());
    Text += range(Written->getLocation(), Written->getEndLoc());
    // As far to the right as the struct's other members.
    std::string Indented = "  ";
    for (size_t I = 0; I != Text.size(); ++I) {
      Indented += Text[I];
      if (Text[I] == '\n' && Text.substr(I + 1, 1) != "\n")
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
  /// The text of a range, with what the device has under another name.
  std::string range(SourceLocation Begin, SourceLocation End) {
    std::string Text;
    llvm::sort(Names, [&](const auto &A, const auto &B) {
      return SM.isBeforeInTranslationUnit(A.first.getBegin(),
                                          B.first.getBegin());
    });
    for (const auto &[Range, New] : Names) {
      Text += slice(Begin, Range.getBegin()) + New;
      Begin = Lexer::getLocForEndOfToken(Range.getEnd(), 0, SM,
                                         Context.getLangOpts());
    }
    return Text + slice(Begin, Lexer::getLocForEndOfToken(
                                   End, 0, SM, Context.getLangOpts()));
  }
  std::string slice(SourceLocation Begin, SourceLocation End) const {
    return Lexer::getSourceText(CharSourceRange::getCharRange(Begin, End), SM,
                                Context.getLangOpts())
        .str();
  }
  void collect(const Stmt *S) {
    if (const auto *Call = dyn_cast<CallExpr>(S);
        Call && L.MinMax.contains(Call))
      Names.push_back({Call->getCallee()->getSourceRange(),
                       LevelizeText::minMaxName(Call)});
    for (const Stmt *Child : S->children())
      if (Child)
        collect(Child);
  }

  const FunctionDecl *F, *Written;
  const HostLoop &L;
  const ASTContext &Context;
  const SourceManager &SM;
  std::vector<std::pair<SourceRange, std::string>> Names;
};

} // namespace

std::string renderCopies(const LevelizeText &Text) {
  std::string Result;
  std::vector<const FunctionDecl *> Done;
  for (const FunctionDecl *F : Text.L.Copied) {
    if (llvm::is_contained(Done, getWrittenDefinition(F)))
      continue;
    Done.push_back(getWrittenDefinition(F));
    Result += CopyWriter(F, Text.L, Text.Context).write();
  }
  return Result;
}

} // namespace cudaopt
