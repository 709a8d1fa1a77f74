// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The parameters of the templates around a loop: its struct has them, too.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZETEMPLATE_H
#define CUDAOPT_LIB_REWRITE_LEVELIZETEMPLATE_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace cudaopt {

class LevelizeTemplate {
public:
  LevelizeTemplate(const clang::FunctionDecl *F,
                   const clang::ASTContext &Context);

  bool isTemplate() const { return !Parameters.empty(); }
  /// "template <class T, int N>" and a line break; empty for no template.
  std::string header() const;
  std::vector<llvm::StringRef> names() const;
  /// "<T, N>"
  std::string arguments() const;
  /// \p Type without sugar but with the names of the parameters.
  clang::QualType spell(clang::QualType Type) const;
  /// True if \p E depends on a parameter.
  static bool isDependent(const clang::Stmt *E);

private:
  void addList(const clang::TemplateParameterList *Written);
  void addNames(const clang::TemplateParameterList *Other,
                const clang::TemplateParameterList *Written);

  const clang::ASTContext &Context;
  std::vector<const clang::NamedDecl *> Parameters; ///< Those with names.
  /// Parameters of all declarations, to those that the struct has.
  llvm::DenseMap<const clang::Decl *, const clang::TemplateTypeParmDecl *>
      Types;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZETEMPLATE_H
