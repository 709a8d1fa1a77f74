// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds what the user marked: declarations and statements with
/// `[[clang::annotate("cudaopt::...")]]`, as the macros of
/// cudaopt/annotations.h make them.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/Annotations.h"
#include "Collector.h"
#include "cudaopt/IR/Match.h"

#include "clang/AST/Attr.h"

using namespace clang::ast_matchers;

/// Clang has no matcher for attributed statements.
static const internal::VariadicDynCastAllOfMatcher<clang::Stmt,
                                                   clang::AttributedStmt>
    attributedStmt;

static bool isMark(const clang::Attr *A) {
  const auto *Mark = llvm::dyn_cast<clang::AnnotateAttr>(A);
  return Mark && Mark->getAnnotation().starts_with("cudaopt::");
}

std::vector<const clang::Decl *>
cudaopt::ir::findMarkedDeclarations(clang::ASTContext &Context) {
  return collect<clang::Decl>(
      decl(hasAttr(clang::attr::Annotate)).bind(Found), Context,
      [](const clang::Decl &D) {
        // Instances have the marks of their template, which is what was marked.
        const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(&D);
        return !D.isImplicit() &&
               !(Function && Function->isTemplateInstantiation()) &&
               llvm::any_of(D.attrs(), isMark);
      });
}

std::vector<const clang::AttributedStmt *>
cudaopt::ir::findMarkedStatements(clang::ASTContext &Context) {
  return collect<clang::AttributedStmt>(attributedStmt().bind(Found), Context,
                                        [](const clang::AttributedStmt &S) {
                                          return llvm::any_of(S.getAttrs(),
                                                              isMark);
                                        });
}

std::optional<cudaopt::Annotation>
cudaopt::readAnnotation(const clang::AnnotateAttr *Mark) {
  llvm::StringRef Text = Mark->getAnnotation();
  if (!Text.consume_front("cudaopt::"))
    return std::nullopt;
  auto [Name, Value] = Text.split('=');
  return Annotation{Name, Value};
}
