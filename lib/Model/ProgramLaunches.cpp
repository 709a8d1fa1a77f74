// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cudaopt/Model/ProgramLaunches.h"
#include "BlockShape.h"
#include "cudaopt/Model/OwnDeclarations.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Mangle.h"

using namespace clang;

namespace cudaopt {

namespace {

/// Finds the functions that a file names and does not define, kernels or not:
/// a kernel may be declared as a plain function, to take its address.
class MentionFinder : public DynamicRecursiveASTVisitor {
public:
  MentionFinder() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl());
    if (Function && !Function->isDependentContext() &&
        Function->isExternallyVisible())
      Found.insert(Function->getCanonicalDecl());
    return true;
  }
  llvm::SetVector<const FunctionDecl *> Found;
};

} // namespace

void ProgramLaunches::add(const ProgramLaunches &Other) {
  for (const auto &[Name, Theirs] : Other.Kernels) {
    OfKernel &Mine = Kernels[Name];
    Mine.Shapes.insert(Mine.Shapes.end(), Theirs.Shapes.begin(),
                       Theirs.Shapes.end());
    Mine.IsOpen |= Theirs.IsOpen;
  }
}

ProgramLaunches scanLaunches(ASTContext &Context) {
  MentionFinder Mentions;
  for (Decl *D : listOwnDeclarations(Context))
    Mentions.TraverseDecl(D);
  const LaunchTable Launches(Context);
  ASTNameGenerator Names(Context);
  ProgramLaunches Result;
  for (const FunctionDecl *Function : Mentions.Found) {
    const bool IsKernel = Function->hasAttr<CUDAGlobalAttr>();
    if (!IsKernel && (Function->isDefined() || isOfSystem(Function)))
      continue;
    ProgramLaunches::OfKernel &Into = Result.Kernels[Names.getName(Function)];
    if (IsKernel)
      Launches.addTo(Into, Function);
    else
      Into.IsOpen = true;
  }
  return Result;
}

} // namespace cudaopt
