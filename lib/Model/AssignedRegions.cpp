// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AssignedRegions.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

template <class... Kinds> static bool contains(const Stmt *S) {
  return S && (isa<Kinds...>(S) || llvm::any_of(S->children(), [](auto *Child) {
                 return contains<Kinds...>(Child);
               }));
}

namespace {

class RegionFinder {
public:
  llvm::DenseMap<const DeclRefExpr *, llvm::SmallVector<const Stmt *, 2>> Found;

  void visit(const Stmt *S) {
    if (!S)
      return;
    const size_t Around = Open.size();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
      for (auto [Var, Region] : Open)
        if (Var == Ref->getDecl())
          Found[Ref].push_back(Region);
    } else if (isa<SwitchStmt>(S)) {
      // Labels may lead around an assignment.
      llvm::SaveAndRestore<bool> Inside(InSwitch, true);
      visitChildren(S);
    } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
      visitDo(Do);
    } else if (isa<CompoundStmt, ForStmt>(S)) {
      for (const Stmt *Child : S->children())
        visitInRow(Child, S);
    } else {
      visitChildren(S);
    }
    Open.truncate(Around);
  }

private:
  void visitChildren(const Stmt *S) {
    for (const Stmt *Child : S->children())
      visit(Child);
  }
  /// The end of the body leads to the condition, and so does `continue`.
  void visitDo(const DoStmt *Do) {
    if (isa<CompoundStmt>(Do->getBody()) && !contains<ContinueStmt>(Do))
      for (const Stmt *Child : Do->getBody()->children())
        visitInRow(Child, Do->getBody());
    else
      visit(Do->getBody());
    visit(Do->getCond());
  }
  /// Of \p Parent, whose children are executed one after the other.
  void visitInRow(const Stmt *S, const Stmt *Parent) {
    const auto *For = dyn_cast<ForStmt>(Parent);
    const auto *Assignment = dyn_cast_or_null<BinaryOperator>(S);
    if (InSwitch || (For && S != For->getInit()) || !Assignment ||
        Assignment->getOpcode() != BO_Assign)
      return visit(S);
    const auto *Target =
        dyn_cast<DeclRefExpr>(Assignment->getLHS()->IgnoreParens());
    visit(Assignment->getRHS());
    if (Target)
      Open.push_back({Target->getDecl(), S});
    visit(Assignment->getLHS());
  }

  llvm::SmallVector<std::pair<const ValueDecl *, const Stmt *>, 8> Open;
  bool InSwitch = false;
};

} // namespace

namespace cudaopt {

llvm::DenseMap<const DeclRefExpr *, llvm::SmallVector<const Stmt *, 2>>
findAssignedRegions(const Stmt *Body) {
  RegionFinder Finder;
  if (!contains<LabelStmt>(Body))
    Finder.visit(Body);
  return std::move(Finder.Found);
}

} // namespace cudaopt
