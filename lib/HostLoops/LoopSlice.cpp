// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes slices. The closure is flow-insensitive: if a variable is needed
/// anywhere, all its definitions belong to the slice, with their guards. That
/// may make the slice larger than necessary, but never too small.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/LoopSlice.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cudaopt {
namespace {

/// Expressions, and the declarations in the heads of loops.
using Parts = llvm::SmallVector<const Stmt *, 4>;

/// Builds the slice of one loop. Dependences are collected between private
/// variables; control dependence by treating the conditions around a statement
/// as further values that it needs.
class SliceBuilder {
public:
  explicit SliceBuilder(const HostLoop &L) : L(L) {}

  /// Walks the body once, which yields the roots of the slice and all
  /// definitions, and then adds definitions of needed variables until nothing
  /// changes.
  LoopSlice build() {
    walk(L.Body);
    bool Grows = true;
    while (Grows) {
      Grows = false;
      for (Definition &Each : Definitions)
        if (!Each.IsTaken && Result.Needed.contains(Each.Variable)) {
          Each.IsTaken = Grows = true;
          need(Each.Values);
        }
    }
    return std::move(Result);
  }

private:
  /// A definition of a variable: its value depends on Values, which include the
  /// guards around it.
  struct Definition {
    const VarDecl *Variable;
    Parts Values;
    bool IsTaken = false;
  };

  void walk(const Stmt *S);
  /// Walks \p S, whose execution is controlled by the expressions \p Deciding.
  void walkUnder(const Stmt *S, llvm::ArrayRef<const Stmt *> Deciding) {
    const size_t NumOutside = Guards.size();
    for (const Stmt *Each : Deciding)
      if (Each)
        Guards.push_back(Each);
    walk(S);
    Guards.truncate(NumOutside);
  }
  void walkAssignment(const Expr *E);
  void define(const VarDecl *V, Parts Values) {
    Values.append(Guards.begin(), Guards.end());
    Definitions.push_back({V, std::move(Values)});
  }
  void need(const Parts &Values) {
    for (const Stmt *Each : Values)
      need(Each);
  }
  /// Adds the variables and elements that \p S reads to the slice.
  void need(const Stmt *S);

  const HostLoop &L;
  LoopSlice Result;
  Parts Guards; ///< The conditions around the statement that is being walked.
  std::vector<Definition> Definitions;
};

} // namespace

/// Returns the private variable that \p Target is, or is an element of, and
/// adds the subscripts to \p Subscripts; null for other targets.
static const VarDecl *getTarget(const HostLoop &L, const Expr *Target,
                                Parts &Subscripts) {
  Target = Target->IgnoreParenImpCasts();
  while (const auto *Element = dyn_cast<ArraySubscriptExpr>(Target)) {
    Subscripts.push_back(Element->getIdx());
    Target = Element->getBase()->IgnoreParenImpCasts();
  }
  const auto *Use = dyn_cast<DeclRefExpr>(Target);
  const auto *V = Use ? dyn_cast<VarDecl>(Use->getDecl()) : nullptr;
  return V && L.isPrivate(V) ? V : nullptr;
}

/// Returns the target of an assignment or increment; null for other statements.
static const Expr *getAssignedTarget(const Stmt *S) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(S))
    return Binary->isAssignmentOp() ? Binary->getLHS() : nullptr;
  if (const auto *Unary = dyn_cast<UnaryOperator>(S))
    return Unary->isIncrementDecrementOp() ? Unary->getSubExpr() : nullptr;
  return nullptr;
}

void SliceBuilder::need(const Stmt *S) {
  if (const HostAccess *A = L.findConflict(S)) {
    Result.IsSelfIndexing = true;
    Result.Reads.insert(A->Ref);
  }
  if (const auto *Use = dyn_cast<DeclRefExpr>(S))
    if (const auto *V = dyn_cast<VarDecl>(Use->getDecl()))
      if (L.isPrivate(V))
        Result.Needed.insert(V);
  // A declaration in the head of a loop is needed as a whole, since the slice
  // keeps heads as they are written.
  if (const auto *Declaration = dyn_cast<DeclStmt>(S))
    for (const Decl *Each : Declaration->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each))
        Result.Needed.insert(V);
  for (const Stmt *Child : S->children())
    if (Child)
      need(Child);
}

void SliceBuilder::walkAssignment(const Expr *E) {
  Parts Values;
  const VarDecl *V = getTarget(L, getAssignedTarget(E), Values);
  if (!V)
    return;
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    Values.push_back(Binary->getRHS());
  define(V, std::move(Values));
}

/// Walks \p S: its accesses to conflict arrays are roots of the slice, with
/// their subscripts and guards; its assignments become definitions. A break or
/// continue decides whether later accesses happen at all, so that its guards
/// are needed, too.
void SliceBuilder::walk(const Stmt *S) {
  if (const Expr *Update = L.findGuardedUpdate(S))
    S = Update;
  if (const HostAccess *A = L.findConflict(S)) {
    for (const Expr *Each : A->Subscripts)
      if (Each)
        need(Each);
    need(Guards);
  }
  if (isa<BreakStmt, ContinueStmt>(S))
    need(Guards);
  if (getAssignedTarget(S))
    walkAssignment(cast<Expr>(S));
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declaration->decls())
      if (const auto *V = dyn_cast<VarDecl>(D); V && V->getInit())
        define(V, {V->getInit()});
  }
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    walk(If->getCond());
    walkUnder(If->getThen(), {If->getCond()});
    if (If->getElse())
      walkUnder(If->getElse(), {If->getCond()});
  } else if (const auto *For = dyn_cast<ForStmt>(S)) {
    if (For->getInit())
      walk(For->getInit());
    const Stmt *Head[] = {For->getInit(), For->getCond(), For->getInc()};
    for (const Stmt *Part : {Head[1], Head[2], For->getBody()})
      if (Part)
        walkUnder(Part, Head);
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    walkUnder(While->getCond(), {While->getCond()});
    walkUnder(While->getBody(), {While->getCond()});
  } else if (const auto *Do = dyn_cast<DoStmt>(S)) {
    walkUnder(Do->getCond(), {Do->getCond()});
    walkUnder(Do->getBody(), {Do->getCond()});
  } else if (const auto *Choice = dyn_cast<ConditionalOperator>(S)) {
    walk(Choice->getCond());
    walkUnder(Choice->getTrueExpr(), {Choice->getCond()});
    walkUnder(Choice->getFalseExpr(), {Choice->getCond()});
  } else if (const auto *Logical = dyn_cast<BinaryOperator>(S);
             Logical && Logical->isLogicalOp()) {
    walk(Logical->getLHS());
    walkUnder(Logical->getRHS(), {Logical->getLHS()});
  } else {
    for (const Stmt *Child : S->children())
      if (Child)
        walk(Child);
  }
}

bool LoopSlice::contains(const HostLoop &L, const Stmt *S) const {
  if (L.findConflict(S) || isa<BreakStmt, ContinueStmt>(S))
    return true;
  Parts Subscripts;
  if (const Expr *Target = getAssignedTarget(S))
    if (const VarDecl *V = getTarget(L, Target, Subscripts);
        V && Needed.contains(V))
      return true;
  if (const auto *Declaration = dyn_cast<DeclStmt>(S))
    for (const Decl *D : Declaration->decls())
      if (const auto *V = dyn_cast<VarDecl>(D); V && Needed.contains(V))
        return true;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && contains(L, Child);
  });
}

namespace {

/// Lists the stores to conflict arrays, and the slice's reads of them, in the
/// order of evaluation (the order of the text, but right sides before targets).
class EventList {
public:
  EventList(const HostLoop &L, const LoopSlice &Slice) : L(L), Slice(Slice) {}

  struct Event {
    const HostAccess *Access;
    bool IsStore;
    llvm::SmallVector<const Stmt *, 4> Loops; ///< The loops around it.
  };
  std::vector<Event> Events;

  void walk(const Stmt *S) {
    if (const Expr *Update = L.findGuardedUpdate(S))
      S = Update;
    const bool IsLoop = isa<ForStmt, WhileStmt, DoStmt>(S);
    if (IsLoop)
      Loops.push_back(S);
    const Expr *Target = getAssignedTarget(S);
    const auto *Binary = dyn_cast<BinaryOperator>(S);
    if (Target && Binary) { // The value comes first.
      walk(Binary->getRHS());
      walk(Target);
    } else {
      for (const Stmt *Child : S->children())
        if (Child)
          walk(Child);
    }
    if (const HostAccess *A = L.findConflict(S);
        A && Slice.Reads.contains(A->Ref))
      Events.push_back({A, false, Loops});
    if (Target)
      if (const HostAccess *A = L.findConflict(Target->IgnoreParens()))
        Events.push_back({A, true, Loops});
    if (IsLoop)
      Loops.pop_back();
  }

private:
  const HostLoop &L;
  const LoopSlice &Slice;
  llvm::SmallVector<const Stmt *, 4> Loops;
};

} // namespace

/// Returns true if elements of the types may occupy the same memory under the
/// strict aliasing rules: same type but for the sign, or one of them is a byte.
static bool mayOverlap(QualType A, QualType B, const ASTContext &Context) {
  auto isByte = [&](QualType T) { return Context.getTypeSize(T) == 8; };
  auto unsign = [&](QualType T) {
    T = T.getCanonicalType().getUnqualifiedType();
    return T->isSignedIntegerType() && !T->isEnumeralType()
               ? Context.getCorrespondingUnsignedType(T)
               : T;
  };
  return isByte(A) || isByte(B) || Context.hasSameType(unsign(A), unsign(B));
}

const HostAccess *findOwnWrite(const HostLoop &L, const LoopSlice &Slice,
                               const ASTContext &Context) {
  EventList List(L, Slice);
  List.walk(L.Body);
  for (size_t Read = 0; Read != List.Events.size(); ++Read)
    for (size_t Store = 0; Store != List.Events.size(); ++Store) {
      const auto &Reader = List.Events[Read], &Writer = List.Events[Store];
      if (Reader.IsStore || !Writer.IsStore)
        continue;
      // In a common inner loop, a store that comes later in the text may still
      // come before the read of the next iteration.
      const bool SharesLoop = !Reader.Loops.empty() && !Writer.Loops.empty() &&
                              Reader.Loops.front() == Writer.Loops.front();
      if ((Store < Read || SharesLoop) &&
          mayOverlap(L.Arrays[Reader.Access->Array].Element,
                     L.Arrays[Writer.Access->Array].Element, Context))
        return Reader.Access;
    }
  return nullptr;
}

LoopSlice computeSlice(const HostLoop &L) { return SliceBuilder(L).build(); }

} // namespace cudaopt
