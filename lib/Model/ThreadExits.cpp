// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadExits.h"
#include "CallTable.h"
#include "cudaopt/IR/DeviceCalls.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudaopt {

class ThreadExitFinder : public DynamicRecursiveASTVisitor {
public:
  ThreadExitFinder(const ASTContext &Context, ThreadExits::Text &Found)
      : Context(Context), Found(Found) {
    ShouldVisitImplicitCode = true;
  }

  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool VisitAsmStmt(AsmStmt *Asm) override {
    note(ir::findEnding(Asm, Context));
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    note(ir::findEnding(Call, Context));
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    if (const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl()))
      add(Function);
    return true;
  }
  bool VisitMemberExpr(MemberExpr *Member) override {
    if (const auto *Function = dyn_cast<FunctionDecl>(Member->getMemberDecl()))
      add(Function);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) override {
    note(ir::findEnding(Construct, Context));
    add(Construct->getConstructor());
    return true;
  }
  bool VisitVarDecl(VarDecl *Var) override {
    addRecord(Var->getType());
    if (const auto *Cleanup = Var->getAttr<CleanupAttr>())
      add(Cleanup->getFunctionDecl());
    return true;
  }
  // A library may call the operators of an object that it gets.
  bool VisitExpr(Expr *E) override {
    if (E->isPRValue())
      addRecord(E->getType());
    return true;
  }

private:
  void note(ir::Ending What) { Found.MayEnd |= What != ir::Ending::None; }
  void add(const FunctionDecl *Function) {
    const FunctionDecl *Definition = nullptr;
    if (!isLibraryFunction(Context, Function) && Function->hasBody(Definition))
      Found.Named.insert(Definition);
  }
  void addRecord(QualType Type) {
    const auto *Record =
        Type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
    if (!Record || !Record->hasDefinition() || !Records.insert(Record).second ||
        Context.getSourceManager().isInSystemHeader(Record->getLocation()))
      return;
    for (const Decl *Member : Record->decls()) {
      if (const auto *Method = dyn_cast<CXXMethodDecl>(Member))
        add(Method);
      else if (const auto *Template = dyn_cast<FunctionTemplateDecl>(Member))
        for (const FunctionDecl *Each : Template->specializations())
          add(Each);
      else if (const auto *Field = dyn_cast<FieldDecl>(Member))
        addRecord(Field->getType());
    }
    for (const CXXBaseSpecifier &Base : Record->bases())
      addRecord(Base.getType());
  }

  const ASTContext &Context;
  ThreadExits::Text &Found;
  llvm::DenseSet<const CXXRecordDecl *> Records;
};

const ThreadExits::Text &
ThreadExits::textOf(const FunctionDecl *Function) const {
  std::unique_ptr<Text> &Known = Texts[Function];
  if (Known)
    return *Known;
  Known = std::make_unique<Text>();
  Text &Result = *Known;
  ThreadExitFinder Finder(Context, Result);
  Finder.TraverseStmt(Function->getBody());
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
    for (const CXXCtorInitializer *Init : Constructor->inits())
      Finder.TraverseStmt(Init->getInit());
  return Result;
}

bool ThreadExits::mayEnd(const Stmt *S) const {
  if (!S)
    return false;
  Text Own;
  ThreadExitFinder(Context, Own).TraverseStmt(const_cast<Stmt *>(S));
  Functions Reached = std::move(Own.Named);
  bool Result = Own.MayEnd;
  for (size_t I = 0; !Result && I != Reached.size(); ++I) {
    const Text &Next = textOf(Reached[I]);
    Result = Next.MayEnd;
    Reached.insert_range(Next.Named);
  }
  return Result;
}

} // namespace cudaopt
