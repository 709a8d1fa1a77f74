// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Exits.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {
namespace {

class ExitFinder : public DynamicRecursiveASTVisitor {
public:
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool TraverseForStmt(ForStmt *S) override {
    return traverseLoop(S->getBody());
  }
  bool TraverseWhileStmt(WhileStmt *S) override {
    return traverseLoop(S->getBody());
  }
  bool TraverseDoStmt(DoStmt *S) override { return traverseLoop(S->getBody()); }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *S) override {
    return traverseLoop(S->getBody());
  }
  bool TraverseSwitchStmt(SwitchStmt *S) override {
    llvm::SaveAndRestore<unsigned> Inside(SwitchDepth, SwitchDepth + 1);
    return TraverseStmt(S->getBody());
  }
  bool VisitReturnStmt(ReturnStmt *) override { return Found.HasReturn = true; }
  bool VisitBreakStmt(BreakStmt *) override {
    Found.HasBreak |= !LoopDepth && !SwitchDepth;
    return true;
  }
  bool VisitContinueStmt(ContinueStmt *) override {
    Found.HasContinue |= !LoopDepth;
    return true;
  }
  Exits Found;

private:
  bool traverseLoop(Stmt *Body) {
    llvm::SaveAndRestore<unsigned> Inside(LoopDepth, LoopDepth + 1);
    return TraverseStmt(Body);
  }
  unsigned LoopDepth = 0, SwitchDepth = 0;
};

class JumpFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitLabelStmt(LabelStmt *S) override { return note(S); }
  bool VisitGotoStmt(GotoStmt *S) override { return note(S); }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *S) override { return note(S); }
  const Stmt *Found = nullptr;

private:
  bool note(const Stmt *S) {
    Found = S;
    return false;
  }
};

} // namespace

Exits findExits(const Stmt *S) {
  ExitFinder Finder;
  Finder.TraverseStmt(const_cast<Stmt *>(S));
  return Finder.Found;
}

const Stmt *findJump(const Stmt *S) {
  JumpFinder Finder;
  Finder.TraverseStmt(const_cast<Stmt *>(S));
  return Finder.Found;
}

} // namespace cudaopt
