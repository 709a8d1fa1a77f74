// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the loop in its function, and what its expressions access.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/LoopView.h"
#include "cudaopt/IR/Graph.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace cudaopt;
using namespace llvm;

const clang::Expr *cudaopt::stripTemporaries(const clang::Expr *E) {
  while (true) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Temporary = dyn_cast<clang::MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Full = dyn_cast<clang::FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Bind = dyn_cast<clang::CXXBindTemporaryExpr>(E))
      E = Bind->getSubExpr();
    else
      return E;
  }
}

const clang::Expr *cudaopt::getAccessKey(const clang::Stmt *S) {
  const auto *E = dyn_cast_or_null<clang::Expr>(S);
  while (E) {
    const auto *Cast = dyn_cast<clang::ImplicitCastExpr>(E);
    if (Cast && Cast->getCastKind() == clang::CK_NoOp)
      E = Cast->getSubExpr();
    else if (const auto *Paren = dyn_cast<clang::ParenExpr>(E))
      E = Paren->getSubExpr();
    else
      break;
  }
  return E;
}

static const clang::Expr *getCondition(const clang::Stmt *Loop) {
  if (const auto *Range = dyn_cast<clang::CXXForRangeStmt>(Loop))
    return Range->getCond();
  return cast<clang::ForStmt>(Loop)->getCond();
}

LoopView::LoopView(std::shared_ptr<const ir::Function> Around,
                   const ir::Loop &Loop)
    : F(std::move(Around)), Loop(&Loop),
      // The tree does not change the graph that it reads.
      Dominance(
          std::make_shared<ir::Dominators>(const_cast<ir::Function &>(*F))) {
  Blocks.insert_range(Loop.Blocks);
  collect();
  findEscapes();
  if (const clang::Expr *Condition = getCondition(Loop.Statement))
    findHead(Condition);
}

std::shared_ptr<LoopView> LoopView::find(std::shared_ptr<const ir::Function> F,
                                         const clang::Stmt *Loop) {
  for (const ir::Loop &Each : F->loops())
    if (Each.Statement == Loop)
      return std::shared_ptr<LoopView>(new LoopView(std::move(F), Each));
  return nullptr;
}

bool LoopView::isInEachIteration(const ir::Block &B) const {
  return all_of(Loop->Header->Predecessors, [&](const ir::Block *Latch) {
    return !contains(*Latch) || Dominance->dominates(&B, Latch);
  });
}

void LoopView::collect() {
  collectArguments();
  const auto Add = [&](const LoopAccess &A) {
    const clang::Expr *Key = nullptr;
    if (A.where().Path == 0)
      Key = getAccessKey(A.where().Node);
    else if (A.Operation)
      Key = argumentOf(*A.Operation);
    if (Key)
      At[Key].push_back(A);
  };
  for (const std::unique_ptr<ir::Block> &B : F->blocks()) {
    for (const ir::Operation &O : B->Operations)
      if (O.Result)
        Definitions[O.Result] = &O;
    // What leads to the loop is part of its head.
    for (const ir::VariableUse &U : B->Uses)
      Add({B.get(), nullptr, &U});
    for (const ir::Operation &O : B->Operations)
      if (O.What != ir::Operation::Opaque && O.Address)
        Add({B.get(), &O, nullptr});
  }
}

ArrayRef<LoopAccess> LoopView::accessesAt(const clang::Expr *E) const {
  const auto Found = At.find(getAccessKey(E));
  return Found == At.end() ? ArrayRef<LoopAccess>() : Found->second;
}

void LoopView::claim(const clang::Stmt *S, DenseSet<const clang::Expr *> &As) {
  if (const clang::Expr *Key = getAccessKey(S))
    As.insert(Key);
  for (const clang::Stmt *Child : S->children())
    if (Child)
      claim(Child, As);
}

bool LoopView::isClaimed(const ir::Operation &O) const {
  if (O.What == ir::Operation::Opaque)
    return false;
  const bool IsCallees = O.Where.Path != 0;
  // What it fills is gone at the end of the expression.
  if (O.What == ir::Operation::Store &&
      all_of(F->rootsOf(O.Address), [&](ir::ObjectId Root) {
        return F->object(Root).What == ir::Object::Temporary;
      }))
    return true;
  if (const clang::Expr *Key =
          IsCallees ? argumentOf(O) : getAccessKey(O.Where.Node))
    return Claims.contains(Key) ||
           (O.What == ir::Operation::Load && ReadClaims.contains(Key));
  // What has no text reads the place that a reference leads to.
  return IsCallees ? !isEffect(O)
                   : O.What == ir::Operation::Load && isInvariant(O.Result);
}

const ir::Operation *LoopView::findUnclaimed() const {
  for (const ir::Block *B : Loop->Blocks)
    for (const ir::Operation &O : B->Operations)
      if (!isClaimed(O))
        return &O;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const ir::Block &LoopView::blockOf(const ir::Operation &O) const {
  return *F->blocks()[value(O.Result).Block];
}

/// True if \p O may write what \p Load reads.
bool LoopView::mayWrite(const ir::Operation &O,
                        const ir::Operation &Load) const {
  if (O.What == ir::Operation::Load)
    return false;
  if (O.What != ir::Operation::Store && O.What != ir::Operation::Copy)
    return true;
  // Variables that nothing else leads to are apart from all others.
  const SmallVector<ir::ObjectId, 2> Read = F->rootsOf(Load.Address);
  return any_of(F->rootsOf(O.Address), [&](ir::ObjectId Root) {
    const ir::Object::Kind Kind = F->object(Root).What;
    return (Kind != ir::Object::Local && Kind != ir::Object::Temporary) ||
           Escaped.contains(Root) || is_contained(Read, Root);
  });
}

/// True if \p From is executed before \p To, and nothing between them writes
/// what they read. In the loop, that is isInvariant().
bool LoopView::isUnchangedFrom(const ir::Operation &From,
                               const ir::Operation &To) const {
  const ir::Block &First = blockOf(From), &Last = blockOf(To);
  if (!Dominance->dominates(&First, &Last) ||
      (&First == &Last && &From > &To)) // They are in one array.
    return false;
  const bool IsInLoop = contains(Last);
  if (IsInLoop && !isInvariant(To.Result))
    return false;
  if (IsInLoop && contains(First))
    return isInvariant(From.Result);
  const auto stays = [&](const ir::Operation *Begin, const ir::Operation *End) {
    return std::none_of(
        Begin, End, [&](const ir::Operation &O) { return mayWrite(O, To); });
  };
  const auto begin = [](const ir::Block &B) { return B.Operations.data(); };
  const auto end = [](const ir::Block &B) {
    return B.Operations.data() + B.Operations.size();
  };
  if (&First == &Last)
    return stays(&From, &To);
  if (!stays(&From, end(First)) || (!IsInLoop && !stays(begin(Last), &To)))
    return false;
  SmallPtrSet<const ir::Block *, 16> Seen = {&First};
  SmallVector<const ir::Block *, 8> Ahead(Last.Predecessors.begin(),
                                          Last.Predecessors.end());
  while (!Ahead.empty()) {
    const ir::Block *B = Ahead.pop_back_val();
    if (!Seen.insert(B).second)
      continue;
    if (!(IsInLoop && contains(*B)) && !stays(begin(*B), end(*B)))
      return false;
    append_range(Ahead, B->Predecessors);
  }
  return true;
}

bool LoopView::isSame(ir::ValueId A, ir::ValueId B) const {
  if (A == B)
    return true;
  if (!A || !B)
    return false;
  const ir::Value &X = value(A), &Y = value(B);
  if (X.What != Y.What || X.Ty != Y.Ty)
    return false;
  if (X.What == ir::Value::Result) {
    const ir::Operation *L = Definitions.lookup(A), *R = Definitions.lookup(B);
    return L && R && L->What == ir::Operation::Load && R->What == L->What &&
           !L->IsVolatile && !R->IsVolatile && L->Why == R->Why &&
           isSame(L->Address, R->Address) &&
           (isUnchangedFrom(*L, *R) || isUnchangedFrom(*R, *L));
  }
  // Equal values that need no reading have equal ids.
  const bool IsLeaf = X.Operands.empty() || X.What == ir::Value::Phi;
  return !IsLeaf && X.Opcode == Y.Opcode && X.Decl == Y.Decl &&
         X.Operands.size() == Y.Operands.size() &&
         all_of_zip(X.Operands, Y.Operands,
                    [&](ir::ValueId L, ir::ValueId R) { return isSame(L, R); });
}

bool LoopView::isInvariant(ir::ValueId Id) const {
  const ir::Value &V = value(Id);
  const bool IsDefined =
      V.What == ir::Value::Phi || V.What == ir::Value::Result;
  if (!IsDefined)
    return all_of(V.Operands,
                  [&](ir::ValueId Each) { return isInvariant(Each); });
  const ir::Block *Home = F->blocks()[V.Block].get();
  if (!contains(*Home))
    return true;
  if (V.What == ir::Value::Result) {
    const ir::Operation *O = Definitions.lookup(Id);
    return O && O->What == ir::Operation::Load && !O->IsVolatile &&
           isInvariant(O->Address) &&
           none_of(accessesTo(placeOf({Home, O, nullptr})),
                   [](const LoopAccess &A) { return A.isStore(); });
  }
  // Where ways join behind a choice that is the same each time.
  return Home != Loop->Header &&
         none_of(F->loops(),
                 [&](const ir::Loop &L) { return L.Header == Home; }) &&
         all_of(V.Operands,
                [&](ir::ValueId Each) { return isInvariant(Each); }) &&
         all_of(Loop->Blocks, [&](const ir::Block *B) {
           return B == Exiting || B->Id >= Home->Id || !B->Condition ||
                  isInvariant(B->Condition);
         });
}

bool LoopView::isBehind(ir::ValueId First, ir::ValueId End) const {
  const ir::Value &V = value(End);
  return First && V.What == ir::Value::Offset && isSame(V.Operands[0], First) &&
         isInvariant(End);
}

std::optional<APSInt> LoopView::distance(ir::ValueId From,
                                         ir::ValueId To) const {
  const ir::Value *V = &value(To);
  if (V->What == ir::Value::Offset)
    return V->Operands[0] == From &&
                   value(V->Operands[1]).What == ir::Value::Literal
               ? std::optional(value(V->Operands[1]).Integer)
               : std::nullopt;
  // A narrow number is promoted, and what comes back is cut off.
  if (V->What == ir::Value::Convert && V->Ty == value(From).Ty)
    V = &value(V->Operands[0]);
  if (V->What != ir::Value::Binary || !V->Ty.isIntegral())
    return std::nullopt;
  ir::ValueId Left = V->Operands[0], Right = V->Operands[1];
  if (V->binary() == clang::BO_Add && value(Left).What == ir::Value::Literal)
    std::swap(Left, Right);
  const bool IsFrom =
      Left == From || (value(Left).What == ir::Value::Convert &&
                       value(Left).Operands[0] == From &&
                       value(Left).Ty.Bits >= value(From).Ty.Bits);
  if (!IsFrom || value(Right).What != ir::Value::Literal)
    return std::nullopt;
  APSInt Step = value(Right).Integer.extend(value(Right).Ty.Bits + 1);
  Step.setIsSigned(true);
  if (V->binary() == clang::BO_Add)
    return Step;
  return V->binary() == clang::BO_Sub ? std::optional(-Step) : std::nullopt;
}
