// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds out whether the first iteration of a loop certainly reads through the
/// same pointers that the generated call would read through.
//===----------------------------------------------------------------------===//

#include "LevelizeReach.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

/// Returns how many fields lead up to, and through, the last pointer of \p P: 2
/// for `m.t->k`, 0 if there is none. `this` always leads to an object.
static size_t countToPointee(const HostPath &P) {
  size_t Count = 0;
  QualType Type = P.Root ? P.Root->getType() : QualType();
  for (auto [K, Field] : llvm::enumerate(P.Fields)) {
    if (!Type.isNull() && Type.getNonReferenceType()->isPointerType())
      Count = K + 1;
    Type = Field->getType();
  }
  return Count;
}

namespace {

/// Looks for expressions that certainly dereference the pointers of a path.
class ReachFinder {
public:
  explicit ReachFinder(const HostPath &Wanted)
      : Wanted(Wanted), Count(countToPointee(Wanted)) {}

  /// Returns true if an execution of \p S certainly reads a member behind the
  /// same pointers.
  bool reaches(const Stmt *S) const;

private:
  bool reachesExpression(const Expr *E) const;
  bool isThrough(const Expr *E) const {
    if (!isa<MemberExpr>(E))
      return false;
    std::optional<HostPath> Path = getHostPath(E);
    return Path && Path->Root == Wanted.Root && Path->Fields.size() >= Count &&
           llvm::equal(llvm::ArrayRef(Path->Fields).take_front(Count - 1),
                       llvm::ArrayRef(Wanted.Fields).take_front(Count - 1));
  }
  bool anyReaches(const Stmt *S) const {
    return llvm::any_of(S->children(), [&](const Stmt *Child) {
      return Child && reaches(Child);
    });
  }

  const HostPath &Wanted;
  const size_t Count;
};

} // namespace

/// Returns true if control may leave \p S other than by its end.
static bool mayJump(const Stmt *S) {
  if (isa<BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt, ReturnStmt,
          CXXThrowExpr>(S))
    return true;
  return llvm::any_of(
      S->children(), [](const Stmt *Child) { return Child && mayJump(Child); });
}

/// Only operands that are always evaluated count: not the right side of && and
/// ||, nor the branches of ?:.
bool ReachFinder::reachesExpression(const Expr *E) const {
  if (isThrough(E))
    return true;
  if (isa<UnaryExprOrTypeTraitExpr, LambdaExpr, CXXNoexceptExpr, CXXTypeidExpr>(
          E))
    return false;
  if (const auto *Binary = dyn_cast<BinaryOperator>(E);
      Binary && Binary->isLogicalOp())
    return reaches(Binary->getLHS());
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(E))
    return reaches(Choice->getCond());
  return anyReaches(E);
}

/// Only statements that are always executed count: of a block, those in front
/// of the first possible jump, and of an if or loop, the condition.
bool ReachFinder::reaches(const Stmt *S) const {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S))
    return reachesExpression(E);
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Each : Block->body()) {
      if (reaches(Each))
        return true;
      if (mayJump(Each))
        return false;
    }
    return false;
  }
  if (const auto *If = dyn_cast<IfStmt>(S))
    return reaches(If->getInit()) || reaches(If->getCond());
  if (const auto *For = dyn_cast<ForStmt>(S))
    return reaches(For->getInit()) || reaches(For->getCond());
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(S))
    return reaches(Range->getRangeInit());
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return reaches(While->getCond());
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return reaches(Switch->getCond());
  return isa<DeclStmt, AttributedStmt, LabelStmt>(S) && anyReaches(S);
}

/// Calls \p Tell with each path of \p L that leads through a pointer, until it
/// returns true.
template <class Function>
static bool anyBehindPointer(const HostLoop &L, Function Tell) {
  auto ask = [&](const auto &Each) {
    return countToPointee(Each.Path) && Tell(Each.Path, Each.Loc);
  };
  return llvm::any_of(L.Arrays, ask) || llvm::any_of(L.Scalars, ask);
}

std::optional<Refusal> findUnreached(const HostLoop &L) {
  std::optional<Refusal> Found;
  anyBehindPointer(L, [&](const HostPath &Path, SourceLocation Loc) {
    const ReachFinder Finder(Path);
    if (Finder.reaches(L.Loop) || Finder.reaches(L.Body))
      return false;
    Found = {Reason::LoopUnreached, Path.text(), Loc};
    return true;
  });
  return Found;
}

bool readsBehindPointers(const HostLoop &L) {
  return anyBehindPointer(L,
                          [&](const HostPath &Path, SourceLocation) {
                            return !ReachFinder(Path).reaches(L.Loop);
                          }) ||
         llvm::any_of(L.Arrays, [](const HostArray &A) {
           return A.Extent &&
                  A.Extent->find_first_of("[*>") != std::string::npos;
         });
}

} // namespace cudaopt
