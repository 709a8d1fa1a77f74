// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the variables that are dead behind a barrier, which the pass poison
/// overwrites to test the live ranges.
//===----------------------------------------------------------------------===//

#include "ReuseProblem.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudaopt;
using namespace clang;

/// Returns true if \p Place lies behind the declaration of \p Var in the same
/// block, so that the name of \p Var can be used there.
static bool isVisible(const VarDecl *Var, SourceLocation Place) {
  ASTContext &Context = Var->getASTContext();
  const DynTypedNodeList Statement = Context.getParents(*Var);
  if (Statement.empty() || !Statement[0].get<DeclStmt>())
    return false;
  const DynTypedNodeList Parents = Context.getParents(Statement[0]);
  const auto *Block =
      Parents.empty() ? nullptr : Parents[0].get<CompoundStmt>();
  return Block && Context.getSourceManager().isPointWithin(
                      Place, Var->getLocation(), Block->getRBracLoc());
}

/// Returns the barrier of \p P whose statement begins at \p Loc, if another
/// barrier could be written in front of it.
static std::optional<StepId> findBarrier(const SharedProgram &P,
                                         SourceLocation Loc) {
  for (auto [Id, S] : llvm::enumerate(P.Steps))
    if (S.What == Step::Kind::Barrier && S.MayFollowBarrier &&
        S.Statement->getBeginLoc() == Loc)
      return Id;
  return std::nullopt;
}

/// Returns true if \p V is dead from the \p Barrier to all next ones. The
/// operands of the barrier itself must not use it either: the poison is written
/// in front of the barrier, and they would read it.
static bool isDeadAt(const ReuseInstance &I, StepId Barrier, VariableId V) {
  return !I.Ranges.Pinned.test(V) &&
         llvm::none_of(I.Program.Steps[Barrier].Uses,
                       [&](const SharedUse &U) { return U.Variable == V; }) &&
         llvm::none_of(I.Ranges.Intervals, [&](const LiveInterval &Next) {
           return Next.Begin == Barrier && Next.Busy[V].any();
         });
}

std::vector<DeadVariable> ReuseProblem::deadVariables() const {
  std::vector<DeadVariable> Dead;
  for (const Step &S : Instances.front().Program.Steps) {
    if (S.What != Step::Kind::Barrier || !S.MayFollowBarrier ||
        !S.Statement->getBeginLoc().isFileID())
      continue;
    const SourceLocation Place = S.Statement->getBeginLoc();
    for (auto [V, Variable] : llvm::enumerate(Variables))
      if (isVisible(Variable.Decl, Place) &&
          llvm::all_of(Instances, [&](const ReuseInstance &I) {
            const std::optional<StepId> At = findBarrier(I.Program, Place);
            return At && I.Ids[V] && isDeadAt(I, *At, *I.Ids[V]);
          }))
        Dead.push_back({S.Statement, Variable.Name});
  }
  return Dead;
}
