// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The template parameters around a host loop: its struct is a template with
/// the same ones.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZETEMPLATE_H
#define CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZETEMPLATE_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace cudaopt {

/// The named parameters of the function's template, and of its class's.
class LevelizeTemplate {
public:
  LevelizeTemplate(const clang::FunctionDecl *F,
                   const clang::ASTContext &Context);

  bool isTemplate() const { return !Parameters.empty(); }
  /// Returns "template <class T, int N>" and a line break; empty if there is no
  /// template.
  std::string header() const;
  std::vector<llvm::StringRef> names() const;
  /// Returns "<T, N>"; empty if there is no template.
  std::string arguments() const;
  /// Returns \p Type without sugar, except for the names of the parameters.
  clang::QualType spell(clang::QualType Type) const;
  /// Returns true if \p S depends on the value of a parameter.
  static bool isDependent(const clang::Stmt *E);

private:
  void addList(const clang::TemplateParameterList *Written);
  void addNames(const clang::TemplateParameterList *Other,
                const clang::TemplateParameterList *Written);

  const clang::ASTContext &Context;
  std::vector<const clang::NamedDecl *> Parameters; ///< Those that have names.
  /// Maps the type parameters of all declarations to those that the struct has.
  llvm::DenseMap<const clang::Decl *, const clang::TemplateTypeParmDecl *>
      Types;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZETEMPLATE_H
