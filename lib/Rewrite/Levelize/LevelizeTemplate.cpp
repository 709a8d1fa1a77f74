// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Copies template parameters to the struct of a loop. The text is rendered for
/// one instantiation, and used only if all others give the same text.
//===----------------------------------------------------------------------===//

#include "LevelizeTemplate.h"

#include "cudaopt/Source/SourceText.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace cudaopt {

LevelizeTemplate::LevelizeTemplate(const FunctionDecl *F,
                                   const ASTContext &Context)
    : Context(Context) {
  const FunctionDecl *Written = getWrittenDefinition(F);
  if (Written == F)
    return;
  const auto *Method = dyn_cast<CXXMethodDecl>(Written);
  if (Method) {
    const CXXRecordDecl *Record = Method->getParent();
    const TemplateParameterList *OfClass = nullptr;
    if (const ClassTemplateDecl *Class = Record->getDescribedClassTemplate())
      OfClass = Class->getTemplateParameters();
    else if (const auto *Partial =
                 dyn_cast<ClassTemplatePartialSpecializationDecl>(Record))
      OfClass = Partial->getTemplateParameters();
    // A definition outside of the class may use other names for the parameters.
    const TemplateParameterList *Mine =
        OfClass && Written->getNumTemplateParameterLists()
            ? Written->getTemplateParameterList(0)
            : OfClass;
    if (Mine)
      addList(Mine);
    if (OfClass)
      addNames(OfClass, Mine);
    if (const ClassTemplateDecl *Class = Record->getDescribedClassTemplate())
      for (const auto *Again : Class->redecls())
        addNames(cast<ClassTemplateDecl>(Again)->getTemplateParameters(), Mine);
  }
  if (const FunctionTemplateDecl *Template =
          Written->getDescribedFunctionTemplate()) {
    addList(Template->getTemplateParameters());
    for (const auto *Again : Template->redecls())
      addNames(cast<FunctionTemplateDecl>(Again)->getTemplateParameters(),
               Template->getTemplateParameters());
    if (const FunctionTemplateDecl *Primary = F->getPrimaryTemplate())
      addNames(Primary->getTemplateParameters(),
               Template->getTemplateParameters());
  }
}

/// Makes the named parameters of \p List parameters of the struct.
void LevelizeTemplate::addList(const TemplateParameterList *List) {
  for (const NamedDecl *D : *List)
    if (!D->getName().empty() && !D->isImplicit())
      Parameters.push_back(D);
  addNames(List, List);
}

/// Maps the type parameters of another declaration of the template, \p Other,
/// to those of \p Written, by position.
void LevelizeTemplate::addNames(const TemplateParameterList *Other,
                                const TemplateParameterList *Written) {
  for (unsigned Id = 0; Id != std::min(Other->size(), Written->size()); ++Id) {
    const auto *Mine = dyn_cast<TemplateTypeParmDecl>(Written->getParam(Id));
    if (Mine && !Mine->getName().empty() && !Mine->isImplicit())
      Types[Other->getParam(Id)] = Mine;
  }
}

std::string LevelizeTemplate::header() const {
  if (Parameters.empty())
    return "";
  const SourceManager &SM = Context.getSourceManager();
  std::string Text;
  for (const NamedDecl *D : Parameters) {
    // The range ends before a default argument.
    const CharSourceRange Range =
        CharSourceRange::getTokenRange(D->getBeginLoc(), D->getLocation());
    Text += (Text.empty() ? "template <" : ", ") +
            Lexer::getSourceText(Range, SM, Context.getLangOpts()).str();
  }
  return Text + ">\n";
}

std::vector<StringRef> LevelizeTemplate::names() const {
  std::vector<StringRef> Names;
  for (const NamedDecl *D : Parameters)
    Names.push_back(D->getName());
  return Names;
}

std::string LevelizeTemplate::arguments() const {
  std::string Text;
  for (const NamedDecl *D : Parameters)
    Text += (Text.empty() ? "<" : ", ") + D->getNameAsString() +
            (D->isTemplateParameterPack() ? "..." : "");
  return Text.empty() ? "" : Text + ">";
}

QualType LevelizeTemplate::spell(QualType Type) const {
  if (Types.empty())
    return Type.getCanonicalType();
  while (true) {
    if (const auto *Known =
            dyn_cast<SubstTemplateTypeParmType>(Type.getTypePtr())) {
      auto Found = Types.find(Known->getReplacedParameter());
      if (Found != Types.end() && !Known->getPackIndex())
        return Context.getQualifiedType(Context.getTypeDeclType(Found->second),
                                        Type.getQualifiers());
    }
    if (const auto *Pointer = dyn_cast<PointerType>(Type.getTypePtr()))
      return Context.getQualifiedType(
          Context.getPointerType(spell(Pointer->getPointeeType())),
          Type.getQualifiers());
    const QualType Plain = Type.getSingleStepDesugaredType(Context);
    if (Plain == Type)
      return Type.getCanonicalType();
    Type = Plain;
  }
}

bool LevelizeTemplate::isDependent(const Stmt *S) {
  return isa<SubstNonTypeTemplateParmExpr>(S) ||
         llvm::any_of(S->children(), [](const Stmt *Child) {
           return Child && isDependent(Child);
         });
}

} // namespace cudaopt
