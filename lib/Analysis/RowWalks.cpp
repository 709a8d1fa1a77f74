// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds row walks in the IR of a kernel, and the text that names their
/// elements.
//===----------------------------------------------------------------------===//

#include "cudaopt/Analysis/RowWalks.h"
#include "cudaopt/Analysis/GridBarriers.h"
#include "cudaopt/HostLoops/LoopView.h"
#include "cudaopt/IR/Build.h"
#include "cudaopt/IR/Uniformity.h"
#include "cudaopt/Source/SourceText.h"
#include "cudaopt/Source/StatementParts.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using llvm::SmallVector;

namespace cudaopt {

/// How many operations between a counter and an address are looked through.
static constexpr unsigned MaxDepth = 12;

namespace {

/// Finds the walk of one loop.
class WalkFinder {
public:
  WalkFinder(const std::shared_ptr<const ir::Function> &F, const ir::Loop &Loop,
             const BlockUniformity &Uniform)
      : F(*F), Loop(Loop), Uniform(Uniform),
        Statement(cast<ForStmt>(Loop.Statement)),
        View(LoopView::find(F, Loop.Statement)) {}

  std::optional<RowWalk> find(llvm::function_ref<bool(const Expr &)> IsWanted);

private:
  /// A load, and where it is executed.
  struct FoundLoad {
    const ir::Operation *Operation;
    const ir::Block *In;
  };

  void collect(llvm::function_ref<bool(const Expr &)> IsWanted);
  bool refuse(Reason Why, const Stmt *At, llvm::StringRef Detail = "");
  bool readHead();
  bool checkEffects();
  bool checkLoad(const FoundLoad &L);
  bool checkStore(const ir::Operation &Store);
  std::optional<int64_t> findStride(ir::ValueId V, bool &MayWrap,
                                    unsigned Depth = 0) const;
  bool isLinear(ir::ValueId V) const;
  bool computeLinear(ir::ValueId V) const;
  bool isFixed(ir::ValueId V) const;
  bool isOfLaunch(ir::ValueId V) const;
  bool contains(const ir::Block *B) const {
    return llvm::is_contained(Loop.Blocks, B);
  }
  bool areApart(const ir::Operation &Store, const ir::Operation &Load) const;
  bool isUnchanged(const VarDecl &Var) const;
  bool isStable(const Expr *E, bool HasCounter) const;
  bool isStablePointer(const Expr *E, bool HasCounter) const;
  bool isStablePlace(const Expr *E, bool HasCounter) const;

  const ir::Function &F;
  const ir::Loop &Loop;
  const BlockUniformity &Uniform;
  const ForStmt *Statement;
  const std::shared_ptr<LoopView> View;
  RowWalk Walk;
  std::vector<FoundLoad> Loads;
  // Answers that have been given: values share operands.
  mutable llvm::DenseMap<ir::ValueId, bool> Fixed, Linear, OfLaunch;
};

} // namespace

bool WalkFinder::refuse(Reason Why, const Stmt *At, llvm::StringRef Detail) {
  if (!Walk.Refused)
    Walk.Refused = {Why, Detail.str(),
                    At ? At->getBeginLoc() : Statement->getBeginLoc()};
  return false;
}

/// Returns true if \p V is computed before the loop. Unlike
/// LoopView::isInvariant(), this takes no load of the loop for invariant: a
/// store to another place may change what it reads.
bool WalkFinder::isFixed(ir::ValueId V) const {
  if (const auto Known = Fixed.find(V); Known != Fixed.end())
    return Known->second;
  const ir::Value &It = F.value(V);
  const bool IsDefined =
      It.What == ir::Value::Phi || It.What == ir::Value::Result;
  const bool Is = IsDefined
                      ? !contains(F.blocks()[It.Block].get())
                      : It.What != ir::Value::Undefined &&
                            llvm::all_of(It.Operands, [this](ir::ValueId Each) {
                              return isFixed(Each);
                            });
  return Fixed[V] = Is;
}

/// Returns by how much \p V grows when the loop's counter grows by one;
/// std::nullopt if that is not the same in all iterations. Sets \p MayWrap if
/// it holds only as long as a number without sign does not overflow.
std::optional<int64_t> WalkFinder::findStride(ir::ValueId V, bool &MayWrap,
                                              unsigned Depth) const {
  if (V == View->head().Counter)
    return 1;
  if (isFixed(V))
    return 0;
  if (Depth == MaxDepth)
    return std::nullopt;
  const ir::Value &It = F.value(V);
  const auto strideOf = [&](unsigned I) {
    return findStride(It.Operands[I], MayWrap, Depth + 1);
  };
  // Behind this, a carry out of the highest bit would be seen.
  const auto widens = [&](ir::ValueId From) {
    const ir::Type &Ty = F.value(From).Ty;
    MayWrap |= !Ty.IsSigned && Ty.Bits < 64;
    return It.Ty.isIntegral() && It.Ty.Bits >= Ty.Bits;
  };
  switch (It.What) {
  case ir::Value::Convert:
    return F.value(It.Operands[0]).Ty.What == ir::Type::Integer &&
                   widens(It.Operands[0])
               ? strideOf(0)
               : std::nullopt;
  case ir::Value::Offset:
  case ir::Value::Binary:
    break;
  default:
    return std::nullopt;
  }
  const std::optional<int64_t> Left = strideOf(0), Right = strideOf(1);
  if (!Left || !Right)
    return std::nullopt;
  if (It.What == ir::Value::Offset || It.binary() == BO_Add)
    return *Left + *Right;
  if (It.binary() == BO_Sub)
    return *Left - *Right;
  const auto scale = [&](int64_t Stride,
                         ir::ValueId By) -> std::optional<int64_t> {
    const ir::Value &Factor = F.value(By);
    if (Factor.What != ir::Value::Literal || !Factor.Ty.isIntegral() ||
        Factor.Integer.getSignificantBits() > 16)
      return std::nullopt;
    return Stride * Factor.Integer.getExtValue();
  };
  if (It.binary() == BO_Mul)
    return *Right == 0 ? scale(*Left, It.Operands[1])
                       : scale(*Right, It.Operands[0]);
  return std::nullopt;
}

/// Returns true if \p V grows by the same amount in each iteration.
bool WalkFinder::isLinear(ir::ValueId V) const {
  if (V == View->head().Counter || isFixed(V))
    return true;
  const auto Known = Linear.find(V);
  return Known != Linear.end() ? Known->second : Linear[V] = computeLinear(V);
}

bool WalkFinder::computeLinear(ir::ValueId V) const {
  const ir::Value &It = F.value(V);
  const auto isPartLinear = [&](ir::ValueId Part) { return isLinear(Part); };
  if (It.What == ir::Value::Convert) {
    const ir::Type &From = F.value(It.Operands[0]).Ty;
    return From.What == ir::Type::Integer && It.Ty.isIntegral() &&
           It.Ty.Bits >= From.Bits && (From.IsSigned || From.Bits == 64) &&
           isLinear(It.Operands[0]);
  }
  if (It.What == ir::Value::Offset)
    return llvm::all_of(It.Operands, isPartLinear);
  if (It.What != ir::Value::Binary)
    return false;
  if (It.binary() == BO_Add || It.binary() == BO_Sub)
    return llvm::all_of(It.Operands, isPartLinear);
  // A product without sign may wrap around several times.
  return It.binary() == BO_Mul && It.Ty.IsSigned &&
         llvm::all_of(It.Operands, isPartLinear) &&
         llvm::any_of(It.Operands,
                      [this](ir::ValueId Part) { return isFixed(Part); });
}

/// Returns true for numbers that can be copied bit by bit under the name of
/// their type: no enumerators, and no bool, whose bytes have two values only.
static bool isNumber(QualType T) {
  return T->isArithmeticType() && !T->isBooleanType() &&
         isa<BuiltinType>(T.getCanonicalType().getUnqualifiedType());
}

/// Finds the loads that go on by their own width from iteration to iteration:
/// those that are wanted, and those of the same elements.
void WalkFinder::collect(llvm::function_ref<bool(const Expr &)> IsWanted) {
  const auto forEachLoad = [&](auto Visit) {
    for (const ir::Block *B : Loop.Blocks)
      for (const ir::Operation &O : B->Operations)
        if (const Expr *Element = getAccessKey(O.Where.Node))
          if (O.What == ir::Operation::Load && O.Where.Path == 0 &&
              Element->isLValue() && isNumber(Element->getType()))
            Visit(O, *B, *Element);
  };
  llvm::SmallSet<ir::ValueId, 4> Wanted;
  llvm::DenseMap<ir::ValueId, unsigned> Rows;
  forEachLoad([&](const ir::Operation &O, const ir::Block &, const Expr &E) {
    if (IsWanted(E))
      Wanted.insert(O.Address);
  });
  forEachLoad([&](const ir::Operation &O, const ir::Block &B, const Expr &E) {
    if (!Wanted.contains(O.Address))
      return;
    RowLoad Load = {&E, 0, unsigned(O.Width)};
    const std::optional<int64_t> Stride = findStride(O.Address, Load.MayWrap);
    if (!Stride || uint64_t(*Stride) != O.Width)
      return;
    Load.Row = Rows.try_emplace(O.Address, Rows.size()).first->second;
    Loads.push_back({&O, &B});
    Walk.Loads.push_back(Load);
    Walk.NumRows = Rows.size();
  });
}

/// Returns true if \p Step changes \p Counter, and does nothing else.
static bool isStepOf(const Expr *Step, const VarDecl *Counter) {
  const Expr *Target = nullptr;
  Step = Step->IgnoreParenImpCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Step))
    Target = Unary->getSubExpr();
  else if (const auto *Assigned = dyn_cast<BinaryOperator>(Step);
           Assigned && Assigned->isAssignmentOp())
    Target = Assigned->getLHS();
  const auto *Ref =
      Target ? dyn_cast<DeclRefExpr>(Target->IgnoreParens()) : nullptr;
  return Ref && Ref->getDecl() == Counter;
}

/// Reads `c = First`, `c < End` and `++c`.
bool WalkFinder::readHead() {
  const LoopHead &Head = View->head();
  const auto *Condition =
      dyn_cast_or_null<BinaryOperator>(Statement->getCond());
  const Stmt *Init = Statement->getInit();
  if (const auto *Declared = dyn_cast_or_null<DeclStmt>(Init)) {
    Walk.Counter = Declared->isSingleDecl()
                       ? dyn_cast<VarDecl>(Declared->getSingleDecl())
                       : nullptr;
    Walk.First = Walk.Counter ? Walk.Counter->getInit() : nullptr;
  } else if (const auto *Assigned = dyn_cast_or_null<BinaryOperator>(Init)) {
    const auto *Ref =
        dyn_cast<DeclRefExpr>(Assigned->getLHS()->IgnoreParenImpCasts());
    if (Assigned->getOpcode() == BO_Assign && Ref)
      Walk.Counter = dyn_cast<VarDecl>(Ref->getDecl());
    Walk.First = Assigned->getRHS();
  }
  if (!Walk.Counter || !Walk.First || !Condition || !Statement->getInc() ||
      !isNumber(Walk.Counter->getType()) ||
      Walk.Counter->getType().isVolatileQualified() ||
      (Walk.Counter->hasInit() &&
       Walk.Counter->getInitStyle() == VarDecl::ListInit) ||
      !isStepOf(Statement->getInc(), Walk.Counter) ||
      Statement->getConditionVariable() ||
      (Head.Compare != BO_LT && Head.Compare != BO_LE) ||
      !View->isValue(Walk.Counter) || !View->isCounterOf(Walk.Counter))
    return refuse(Reason::WalkForm, Statement,
                  "the loop is none of the form for (i = first; i < end; ++i)");
  const ir::Type &Type = F.value(Head.Counter).Ty;
  if (Type.What != ir::Type::Integer || Type.Bits < 32 || !Head.Step ||
      *Head.Step != 1 || !Head.First || Head.Compared.Bits < Type.Bits)
    return refuse(Reason::WalkForm, Statement,
                  "the loop does not count by one");
  for (const ir::ValueId Limit : {Head.First, Head.Bound})
    if (Uniform.of(Limit, *Loop.Header) != Uniformity::Uniform ||
        !isOfLaunch(Limit))
      return refuse(Reason::WalkLength, Statement);
  Walk.IncludesEnd = Head.Compare == BO_LE;
  Walk.End = Head.IsBoundFirst ? Condition->getLHS() : Condition->getRHS();
  return (isFixed(Head.Bound) && isStable(Walk.End, /*HasCounter=*/false)) ||
         refuse(Reason::WalkForm, Walk.End, "its end may change");
}

/// Returns true if \p V depends on the launch and the thread only. In a loop
/// around this one, the threads of a warp may be in different iterations.
bool WalkFinder::isOfLaunch(ir::ValueId V) const {
  if (const auto Known = OfLaunch.find(V); Known != OfLaunch.end())
    return Known->second;
  const ir::Value &It = F.value(V);
  const bool Is = It.What != ir::Value::Phi && It.What != ir::Value::Result &&
                  llvm::all_of(It.Operands, [this](ir::ValueId Each) {
                    return isOfLaunch(Each);
                  });
  return OfLaunch[V] = Is;
}

/// Returns true if \p Var is declared in front of the loop, and stays as it is.
bool WalkFinder::isUnchanged(const VarDecl &Var) const {
  const SourceManager &SM = F.context().getSourceManager();
  return !SM.isPointWithin(Var.getLocation(), Statement->getBeginLoc(),
                           Statement->getEndLoc()) &&
         View->isValue(&Var) &&
         llvm::none_of(View->accessesTo(View->placeOf(&Var)),
                       [](const LoopAccess &A) { return A.isStore(); });
}

/// Returns true if the integer \p E of the text, evaluated in front of the
/// loop, is what it is in the loop. \p HasCounter says that the text gets
/// another name for the counter.
bool WalkFinder::isStable(const Expr *E, bool HasCounter) const {
  bool Stays = !whyNotRepeatable(E, F.context());
  forEachNode(E, [&](const DynTypedNode &N) {
    const auto *Ref = N.get<DeclRefExpr>();
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && Var->hasLocalStorage() && !(HasCounter && Var == Walk.Counter))
      Stays &= isUnchanged(*Var);
  });
  return Stays;
}

/// The same of a pointer, which is a variable, a sum of one and a number, or
/// leads to a part of an array.
bool WalkFinder::isStablePointer(const Expr *E, bool HasCounter) const {
  const Expr *Inner = E->IgnoreParenImpCasts();
  if (Inner->getType()->isArrayType())
    return isStablePlace(Inner, HasCounter);
  if (const auto *Sum = dyn_cast<BinaryOperator>(Inner))
    return Sum->getOpcode() == BO_Add &&
           isStablePointer(Sum->getLHS(), HasCounter) &&
           isStable(Sum->getRHS(), HasCounter);
  const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->getType()->isPointerType() && Var->hasLocalStorage() &&
         isUnchanged(*Var);
}

/// The same of the address of an element.
bool WalkFinder::isStablePlace(const Expr *E, bool HasCounter) const {
  const Expr *Inner = E->IgnoreParens();
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner))
    return isStablePointer(Subscript->getBase(), HasCounter) &&
           isStable(Subscript->getIdx(), HasCounter);
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
    return Unary->getOpcode() == UO_Deref &&
           isStablePointer(Unary->getSubExpr(), HasCounter);
  const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->getType()->isArrayType() && !Var->hasLocalStorage();
}

/// Returns what \p O does, in the user's words.
static std::string describe(const ir::Operation &O) {
  if (!O.Why.empty())
    return O.Why;
  if (O.What == ir::Operation::Copy)
    return "it copies a struct";
  if (O.What == ir::Operation::Atomic)
    return "an atomic operation";
  return O.IsVolatile ? "a volatile access" : "it waits, or exchanges values";
}

bool WalkFinder::checkEffects() {
  // There will be two copies of the body.
  const VarDecl *Lasting = nullptr;
  forEachNode(Statement->getBody(), [&](const DynTypedNode &N) {
    const auto *Var = N.get<VarDecl>();
    if (Var && !Var->hasLocalStorage())
      Lasting = Var;
  });
  if (Lasting)
    return refuse(Reason::WalkEffect, Statement,
                  "'" + Lasting->getNameAsString() + "' outlives an iteration");
  for (const ir::Block *B : Loop.Blocks) {
    for (const ir::Operation &O : B->Operations)
      if (O.IsVolatile ||
          (O.What != ir::Operation::Load && O.What != ir::Operation::Store))
        return refuse(Reason::WalkEffect,
                      O.Where.Path == 0 ? O.Where.Node : nullptr, describe(O));
    for (const ir::Block *Next : B->Successors)
      if (B != Loop.Header && !contains(Next))
        return refuse(Reason::WalkEffect, B->Where.Node,
                      "it may be left in the middle");
  }
  if (Loop.Header->Terminator != ir::Block::Branch ||
      contains(Loop.Header->Successors[1]))
    return refuse(Reason::WalkForm, Statement, "it has several ends");
  return true;
}

/// Returns true if \p Store cannot change what \p Load reads.
bool WalkFinder::areApart(const ir::Operation &Store,
                          const ir::Operation &Load) const {
  const auto isRestricted = [](const ir::Object &O) {
    return O.What == ir::Object::Pointee && O.Decl &&
           O.Decl->getType().isRestrictQualified();
  };
  const auto apart = [&](ir::ObjectId A, ir::ObjectId B) {
    if (A == B || A == 0 || B == 0)
      return false;
    const ir::Object &X = F.object(A), &Y = F.object(B);
    if (X.What != ir::Object::Pointee && Y.What != ir::Object::Pointee)
      return X.What != ir::Object::DynamicShared ||
             Y.What != ir::Object::DynamicShared;
    if (X.What == ir::Object::Pointee && Y.What == ir::Object::Pointee)
      return isRestricted(X) || isRestricted(Y);
    // An argument leads to nothing that the kernel itself has made.
    const ir::Object &Other = X.What == ir::Object::Pointee ? Y : X;
    return Other.What != ir::Object::Global;
  };
  const SmallVector<ir::ObjectId, 2> Read = F.rootsOf(Load.Address);
  return llvm::all_of(F.rootsOf(Store.Address), [&](ir::ObjectId A) {
    return llvm::all_of(Read, [&](ir::ObjectId B) { return apart(A, B); });
  });
}

bool WalkFinder::checkStore(const ir::Operation &Store) {
  if (llvm::all_of(Loads, [&](const FoundLoad &L) {
        return areApart(Store, *L.Operation);
      }))
    return true;
  const Expr *Place = getAccessKey(Store.Where.Node);
  if (const auto *Assigned = dyn_cast_or_null<BinaryOperator>(Place))
    Place = Assigned->getLHS()->IgnoreParens();
  if (Store.Where.Path != 0 || !Place || !Place->isLValue() ||
      !Place->getType()->isArithmeticType() || !isLinear(Store.Address) ||
      !isStablePlace(Place, /*HasCounter=*/true))
    return refuse(Reason::WalkStore,
                  Store.Where.Path == 0 ? Store.Where.Node : nullptr);
  Walk.Stores.push_back(Place);
  return true;
}

bool WalkFinder::checkLoad(const FoundLoad &L) {
  const Stmt *At = L.Operation->Where.Node;
  for (const ir::ObjectId Root : F.rootsOf(L.Operation->Address)) {
    const ir::Object::Kind What = F.object(Root).What;
    if (What != ir::Object::Pointee && What != ir::Object::Global)
      return refuse(Reason::WalkForm, At,
                    "its pointer is no argument and no variable of the device");
  }
  if (!cudaopt::contains(Statement->getBody(), At))
    return refuse(Reason::WalkForm, At, "it is read in the loop's head");
  // What another load reads in any case, this one may read, too.
  if (llvm::none_of(Loads, [&](const FoundLoad &Same) {
        return Same.Operation->Address == L.Operation->Address &&
               View->isInEachIteration(*Same.In);
      }))
    return refuse(Reason::WalkSkips, At);
  return isStablePlace(getAccessKey(At), /*HasCounter=*/true) ||
         refuse(Reason::WalkForm, At,
                "its subscript is computed in the loop, or from memory");
}

std::optional<RowWalk>
WalkFinder::find(llvm::function_ref<bool(const Expr &)> IsWanted) {
  if (!View || !View->head().Counter)
    return std::nullopt;
  Walk.Loop = Statement;
  collect(IsWanted);
  if (Loads.empty())
    return std::nullopt;
  if (!readHead() || !checkEffects() ||
      !llvm::all_of(Loads, [this](const FoundLoad &L) { return checkLoad(L); }))
    return Walk;
  for (const ir::Block *B : Loop.Blocks)
    for (const ir::Operation &O : B->Operations)
      if (O.What == ir::Operation::Store && !checkStore(O))
        return Walk;
  return Walk;
}

std::vector<RowWalk>
findRowWalks(const FunctionDecl *Function,
             const std::array<uint32_t, 3> &Threads,
             llvm::function_ref<bool(const Expr &)> IsWanted) {
  ir::BuildOptions Options;
  Options.KeepsText = true;
  const std::shared_ptr<const ir::Function> F =
      ir::build(Function, Function->getASTContext(), Options);
  if (!F)
    return {};
  const BlockUniformity Uniform(*F, Threads);
  const std::string Waits = findGridBarrier(*F);
  std::vector<RowWalk> Walks;
  for (const ir::Loop &Each : llvm::reverse(F->loops()))
    if (Each.Path == 0 && isa_and_nonnull<ForStmt>(Each.Statement))
      if (auto Found = WalkFinder(F, Each, Uniform).find(IsWanted)) {
        if (!Found->Refused && !Waits.empty())
          Found->Refused = {Reason::WalkEffect,
                            Waits + ": other blocks may wait for this one",
                            Each.Statement->getBeginLoc()};
        Walks.push_back(std::move(*Found));
      }
  return Walks;
}

} // namespace cudaopt
