// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds statements that the structured walk of a kernel's text does not
/// follow: gotos, labels, and breaks in the head of a loop.
//===----------------------------------------------------------------------===//

#include "Jumps.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Finds a break or continue that belongs to a statement around the one at
/// which the traversal begins.
class ExitFinder : public DynamicRecursiveASTVisitor {
public:
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool TraverseForStmt(ForStmt *S) override {
    return traverseParts(S, S->getBody(), LoopDepth);
  }
  bool TraverseWhileStmt(WhileStmt *S) override {
    return traverseParts(S, S->getBody(), LoopDepth);
  }
  bool TraverseDoStmt(DoStmt *S) override {
    return traverseParts(S, S->getBody(), LoopDepth);
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *S) override {
    return traverseParts(S, S->getBody(), LoopDepth);
  }
  bool TraverseSwitchStmt(SwitchStmt *S) override {
    return traverseParts(S, S->getBody(), SwitchDepth);
  }
  bool VisitBreakStmt(BreakStmt *) override {
    Found |= !LoopDepth && !SwitchDepth;
    return true;
  }
  bool VisitContinueStmt(ContinueStmt *) override {
    Found |= !LoopDepth;
    return true;
  }
  bool Found = false;

private:
  /// Counts \p Depth up in the body only: a statement in the head, `({ break;
  /// })`, belongs to the loop around.
  bool traverseParts(Stmt *S, const Stmt *Body, unsigned &Depth) {
    for (Stmt *Child : S->children()) {
      llvm::SaveAndRestore<unsigned> Inside(Depth, Depth + (Child == Body));
      if (Child && !TraverseStmt(Child))
        return false;
    }
    return true;
  }
  unsigned LoopDepth = 0, SwitchDepth = 0;
};

/// Returns true if \p S has a break or continue that may belong to a statement
/// around it.
bool leavesStatement(const Stmt *S) {
  if (!S)
    return false;
  ExitFinder Finder;
  Finder.TraverseStmt(const_cast<Stmt *>(S));
  return Finder.Found;
}

/// Finds a loop or switch with a break or continue in its head.
class HeadFinder : public DynamicRecursiveASTVisitor {
public:
  bool VisitForStmt(ForStmt *S) override {
    return visitHead(S, {S->getCond(), S->getInc(), S->getInit(),
                         S->getConditionVariableDeclStmt()});
  }
  bool VisitWhileStmt(WhileStmt *S) override {
    return visitHead(S, {S->getCond(), S->getConditionVariableDeclStmt()});
  }
  bool VisitDoStmt(DoStmt *S) override { return visitHead(S, {S->getCond()}); }
  bool VisitSwitchStmt(SwitchStmt *S) override {
    return visitHead(
        S, {S->getCond(), S->getInit(), S->getConditionVariableDeclStmt()});
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) override {
    return visitHead(S, {S->getInit(), S->getRangeStmt()});
  }
  const Stmt *Found = nullptr;

protected:
  bool note(const Stmt *S) {
    Found = S;
    return false;
  }

private:
  bool visitHead(const Stmt *S, std::initializer_list<const Stmt *> Head) {
    return llvm::none_of(Head, leavesStatement) || note(S);
  }
};

/// Finds gotos and labels, too.
class JumpFinder : public HeadFinder {
public:
  bool VisitAsmStmt(AsmStmt *S) override {
    const auto *Statement = dyn_cast<GCCAsmStmt>(S);
    return !Statement || !Statement->isAsmGoto() || note(S);
  }
  bool VisitLabelStmt(LabelStmt *S) override { return note(S); }
  bool VisitGotoStmt(GotoStmt *S) override { return note(S); }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *S) override { return note(S); }
};

} // namespace

const Stmt *findBreakInHead(const Stmt *S) {
  HeadFinder Finder;
  Finder.TraverseStmt(const_cast<Stmt *>(S));
  return Finder.Found;
}

const Stmt *findJump(const Stmt *S) {
  JumpFinder Finder;
  Finder.TraverseStmt(const_cast<Stmt *>(S));
  return Finder.Found;
}

} // namespace cudaopt
