// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the statements around an operation in the text of its function and of
/// the functions that call it.
//===----------------------------------------------------------------------===//

#include "StatementOverlay.h"

#include "cudaopt/IR/DeviceCalls.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using cudaopt::ir::CallPathId;

namespace cudaopt {

/// Returns the function that \p Call runs, its definition if there is one.
static const FunctionDecl *findCallee(const Stmt *Call) {
  const FunctionDecl *Callee = nullptr;
  if (const auto *Plain = dyn_cast_or_null<CallExpr>(Call))
    Callee = Plain->getDirectCallee();
  else if (const auto *Construct = dyn_cast_or_null<CXXConstructExpr>(Call))
    Callee = Construct->getConstructor();
  const FunctionDecl *Definition = nullptr;
  return Callee && Callee->hasBody(Definition) ? Definition : Callee;
}

SourceLocation locationOf(const Stmt *S) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  return E ? E->getExprLoc() : S ? S->getBeginLoc() : SourceLocation();
}

StatementOverlay::StatementOverlay(const ir::Function &F) : F(F) {
  Functions.resize(F.numPaths());
  InLibrary.resize(F.numPaths());
  Functions[0] = F.decl();
  for (CallPathId Path = 1; Path < F.numPaths(); ++Path) {
    Functions[Path] = findCallee(F.callOf(Path));
    InLibrary[Path] = InLibrary[F.callerOf(Path)] || !Functions[Path] ||
                      ir::isLibraryFunction(F.context(), Functions[Path]);
  }
  // The end of the kernel counts as a barrier.
  HasBarrier.insert({0, F.decl()->getBody()});
  for (const std::unique_ptr<ir::Block> &B : F.blocks())
    for (const ir::Operation &O : B->Operations)
      if (isBarrier(O))
        markBarrier(O.Where);
}

bool StatementOverlay::isBarrier(const ir::Operation &O) const {
  return O.What == ir::Operation::Barrier && O.Extent >= ir::Scope::Block &&
         !InLibrary[O.Where.Path];
}

/// Returns the functions from the kernel to \p Where, each with the call that
/// leads on, or the node itself in the last one. Levels inside of library
/// functions are cut off.
SmallVector<StatementOverlay::Level, 4>
StatementOverlay::levelsOf(const ir::Anchor &Where) const {
  SmallVector<Level, 4> Levels = {{Where.Path, Where.Node}};
  for (CallPathId Path = Where.Path; Path; Path = F.callerOf(Path)) {
    if (InLibrary[Path]) // What is inside of a library function does not count.
      Levels.clear();
    Levels.push_back({F.callerOf(Path), F.callOf(Path)});
  }
  std::reverse(Levels.begin(), Levels.end());
  return Levels;
}

SmallVector<const Stmt *, 16>
StatementOverlay::ancestorsOf(const Level &L) const {
  SmallVector<const Stmt *, 16> Found;
  const FunctionDecl *Function = Functions[L.Path];
  if (!Function || !Function->getBody() || !L.Node)
    return Found;
  std::unique_ptr<ParentMap> &Map = Parents[Function];
  if (!Map) {
    Map = std::make_unique<ParentMap>(Function->getBody());
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        Map->addStmt(Init->getInit());
  }
  if (L.Node != Function->getBody() && !Map->hasParent(L.Node) &&
      !isa<CXXConstructorDecl>(Function))
    return Found;
  for (const Stmt *S = L.Node; S; S = Map->getParent(S))
    Found.push_back(S);
  std::reverse(Found.begin(), Found.end());
  return Found;
}

/// Marks all statements around a barrier, in the functions that lead to it,
/// too.
void StatementOverlay::markBarrier(const ir::Anchor &Where) {
  for (const Level &L : levelsOf(Where))
    for (const Stmt *S : ancestorsOf(L))
      HasBarrier.insert({L.Path, S});
}

/// Returns true for statements that only contain others: nothing is executed at
/// their beginning.
static bool isTransparent(const Stmt *S) {
  return isa<CompoundStmt, SwitchCase, LabelStmt, AttributedStmt>(S);
}

/// Returns true for statements that do nothing but evaluate expressions.
static bool isSimple(const Stmt *S) {
  return isa<Expr, DeclStmt, ReturnStmt, AsmStmt>(S);
}

/// Goes down from the kernel's body to the operation, one function of the call
/// path after the other. The first statement without a barrier inside is the
/// place; the statements passed on the way have barriers inside and are
/// collected in Around. Inside of a simple statement (a full expression) with a
/// barrier, the order of evaluation is open, so the expression itself becomes
/// the place.
std::optional<TextPlace> StatementOverlay::find(const ir::Anchor &Where) const {
  TextPlace Place;
  const auto Levels = levelsOf(Where);
  Place.Path = Levels.back().Path;
  Place.LibraryCall = dyn_cast_or_null<Expr>(Levels.back().Node);
  const FunctionDecl *Callee = findCallee(Place.LibraryCall);
  if (!Callee || !ir::isLibraryFunction(F.context(), Callee))
    Place.LibraryCall = nullptr;
  for (const Level &L : Levels) {
    const Stmt *Simple = nullptr; // A simple statement with a barrier inside.
    const auto Ancestors = ancestorsOf(L);
    if (Ancestors.empty())
      return std::nullopt;
    for (const Stmt *S : Ancestors) {
      if (!HasBarrier.contains({L.Path, S})) {
        Place.At = {L.Path, Simple ? Simple : S};
        Place.IsBesideBarrier = Simple != nullptr;
        return Place;
      }
      if (isTransparent(S)) {
        Simple = nullptr;
      } else if (!Simple) {
        Place.Around.push_back({L.Path, S});
        Simple = isSimple(S) ? S : nullptr;
      }
    }
    if (&L != &Levels.back())
      continue;
    // The operation is the barrier itself, or contains one.
    Place.At = {L.Path, Simple ? Simple : Ancestors.back()};
    Place.IsBesideBarrier = true;
  }
  return Place;
}

bool StatementOverlay::isInSequence(const PathStatement &S) const {
  if (S.Path || isa<AttributedStmt, LabelStmt, SwitchCase>(S.Statement))
    return false;
  const auto Ancestors = ancestorsOf({0, S.Statement});
  return Ancestors.size() > 1 &&
         isa<CompoundStmt>(Ancestors[Ancestors.size() - 2]) &&
         llvm::none_of(llvm::drop_end(Ancestors), isSimple);
}

/// Finds the innermost statement that contains both. If that is an expression,
/// its operands may be evaluated in any order.
bool StatementOverlay::areSequenced(const ir::Anchor &A,
                                    const ir::Anchor &B) const {
  const auto OfA = levelsOf(A), OfB = levelsOf(B);
  for (auto [X, Y] : llvm::zip(OfA, OfB)) {
    if (X.Path != Y.Path)
      // Different calls; the expressions that make them were compared one level
      // above.
      return true;
    if (X.Node == Y.Node) {
      if (&X == &OfA.back() || &Y == &OfB.back())
        return false;
      continue;
    }
    const auto P = ancestorsOf(X), Q = ancestorsOf(Y);
    const auto Parting = std::mismatch(P.begin(), P.end(), Q.begin(), Q.end());
    return Parting.first != P.begin() && !isa<Expr>(*std::prev(Parting.first));
  }
  return false;
}

} // namespace cudaopt
