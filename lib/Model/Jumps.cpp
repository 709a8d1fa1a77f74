// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds statements that the structured walk of a kernel's text does not
/// follow: gotos, labels, and breaks in the head of a loop.
//===----------------------------------------------------------------------===//

#include "Jumps.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// Returns the body that \p S repeats; null if it is no loop.
static const Stmt *bodyOfLoop(const Stmt *S) {
  if (const auto *For = dyn_cast<ForStmt>(S))
    return For->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return While->getBody();
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return Do->getBody();
  const auto *Range = dyn_cast<CXXForRangeStmt>(S);
  return Range ? Range->getBody() : nullptr;
}

/// Returns true if \p S has a break or continue that may belong to a statement
/// around it. A statement in the head of a loop, `({ break; })`, belongs to the
/// loop around.
static bool leavesStatement(const Stmt *S, bool InLoop = false,
                            bool InSwitch = false) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (isa<BreakStmt>(S))
    return !InLoop && !InSwitch;
  if (isa<ContinueStmt>(S))
    return !InLoop;
  const Stmt *Repeated = bodyOfLoop(S);
  const auto *Switch = dyn_cast<SwitchStmt>(S);
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return leavesStatement(Child, InLoop || (Child && Child == Repeated),
                           InSwitch || (Switch && Child == Switch->getBody()));
  });
}

/// Returns true if \p S is a loop or switch with a break or continue in its
/// head.
static bool hasBreakInHead(const Stmt *S) {
  const auto *Switch = dyn_cast<SwitchStmt>(S);
  const Stmt *Body = Switch ? Switch->getBody() : bodyOfLoop(S);
  return Body && llvm::any_of(S->children(), [&](const Stmt *Part) {
           return Part != Body && leavesStatement(Part);
         });
}

static bool isJump(const Stmt *S) {
  const auto *Assembly = dyn_cast<GCCAsmStmt>(S);
  return isa<LabelStmt, GotoStmt, IndirectGotoStmt>(S) ||
         (Assembly && Assembly->isAsmGoto());
}

const Stmt *findBreakInHead(const Stmt *S) {
  for (const Stmt *Each : nodesIn<Stmt>(S))
    if (hasBreakInHead(Each))
      return Each;
  return nullptr;
}

const Stmt *findJump(const Stmt *S) {
  for (const Stmt *Each : nodesIn<Stmt>(S))
    if (isJump(Each) || hasBreakInHead(Each))
      return Each;
  return nullptr;
}

} // namespace cudaopt
