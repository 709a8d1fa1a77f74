// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Promotes variables to values: turns a function from memory form into pruned
/// SSA form, in which phis exist for live variables only.
///
///   store s32 [@k], 0               (in memory form)
///   %1 = load s32 [@k]
///   store f32 [@s + s64(%1) * 4], ...
///
///   store f32 [@s], ...             (promoted)
///
/// The function is rebuilt block by block in reverse post-order, so that all
/// values are hash-consed and folded again with what the variables are now
/// known to hold. At a join, each live slot gets a phi unless all predecessors
/// bring the same value. Phis that turn out to be trivial (all operands are one
/// value) and branches that became constant are removed in the next round,
/// which build() starts.
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "Members.h"
#include "Slots.h"

#include "cudaopt/IR/Build.h"
#include "cudaopt/IR/FunctionBuilder.h"

using namespace cudaopt::ir;
using namespace llvm;

namespace {

class Promotion {
public:
  Promotion(const Function &Old, const BuildOptions &Options)
      : Old(Old), Options(Options), Promoted(Old),
        New(Old.decl(), Old.context()) {}

  /// Returns the promoted function; null if nothing changed.
  std::unique_ptr<Function> run();

private:
  /// The value of each slot, in terms of New; 0 if the slot is not live.
  using Definitions = std::vector<ValueId>;

  void findReachable();
  bool findTrivialPhis();
  SmallVector<const Block *, 2> successorsOf(const Block &B) const;
  SmallVector<const Block *, 4> predecessorsOf(const Block &B) const;
  void enter(const Block &B);
  void copyOperations(const Block &B);
  void copyOperation(const Operation &O);
  void copyUses(const Block &B);
  bool splitIntoMembers(const Operation &O);
  ValueId loadConstant(const Operation &O);
  void copyTerminator(const Block &B);
  void fillPhis();
  void copyEvaluations();
  ValueId map(ValueId Id);
  ValueId mapLeaf(ValueId Id);
  ObjectId mapObject(ObjectId Id);

  const Function &Old;
  const BuildOptions &Options;
  const Slots Promoted;
  FunctionBuilder New;
  /// The new block for each old one that is reachable.
  DenseMap<const Block *, Block *> Blocks;
  /// The values of the slots at the end of each old block.
  DenseMap<const Block *, Definitions> AtEnd;
  /// The phis made for slots: the old block and the slot, and the phi.
  std::vector<std::pair<std::pair<const Block *, unsigned>, ValueId>> SlotPhis;
  /// Old phis that are trivial, and the one value that each is.
  DenseMap<ValueId, ValueId> Trivial;
  DenseMap<ValueId, ValueId> Mapped;    ///< New values, by old ones.
  DenseMap<ObjectId, ObjectId> Objects; ///< New objects, by old ones.
  Definitions Current;   ///< The values of the slots where code is copied.
  Block *Here = nullptr; ///< The new block that is being filled.
  bool HasChanged = false;
};

} // namespace

/// Returns where control can go from \p B: the successors without the virtual
/// edge, and only the one taken if the condition is constant.
SmallVector<const Block *, 2> Promotion::successorsOf(const Block &B) const {
  SmallVector<const Block *, 2> Result(B.Successors.begin(),
                                       B.Successors.end());
  if (B.HasVirtualExit)
    Result.pop_back();
  const Value &Condition = Old.value(B.Condition);
  if (Condition.What != Value::Literal || !Options.DropsUnreachable)
    return Result;
  if (B.Terminator == Block::Branch)
    return {B.Successors[Condition.Integer.isZero() ? 1 : 0]};
  if (B.Terminator != Block::Switch)
    return Result;
  const Block *Default = nullptr;
  for (auto [To, Case] : zip_equal(B.Successors, B.Cases)) {
    if (!Case)
      Default = To;
    else if (APSInt::compareValues(Case->first, Condition.Integer) <= 0 &&
             APSInt::compareValues(Condition.Integer, Case->second) <= 0)
      return {To};
  }
  return Default ? SmallVector<const Block *, 2>{Default} : Result;
}

/// Makes a new block for each old one that is reachable.
void Promotion::findReachable() {
  std::vector<const Block *> Ahead = {Old.entry()};
  while (!Ahead.empty()) {
    const Block *B = Ahead.back();
    Ahead.pop_back();
    if (Blocks.contains(B))
      continue;
    Blocks[B] = B == Old.exit() ? New.exit() : New.addBlock();
    const auto Next = successorsOf(*B);
    append_range(Ahead, Next);
    HasChanged |= Next.size() + B->HasVirtualExit != B->Successors.size();
  }
}

/// Returns the reachable predecessors from which control can go to \p B.
SmallVector<const Block *, 4> Promotion::predecessorsOf(const Block &B) const {
  SmallVector<const Block *, 4> Result;
  for (const Block *Before : B.Predecessors)
    if (Blocks.contains(Before) && is_contained(successorsOf(*Before), &B))
      Result.push_back(Before);
  return Result;
}

/// Finds old phis whose operands, apart from the phi itself, are one value.
/// Returns true if there is any.
bool Promotion::findTrivialPhis() {
  for (const std::unique_ptr<Block> &B : Old.blocks()) {
    if (B->Phis.empty() || !Blocks.contains(B.get()))
      continue;
    const auto Live = predecessorsOf(*B);
    for (ValueId Phi : B->Phis) {
      ValueId Only = 0;
      bool IsTrivial = true;
      for (auto [Before, Each] :
           zip_equal(B->Predecessors, Old.value(Phi).Operands)) {
        if (!is_contained(Live, Before) || Each == Phi)
          continue;
        IsTrivial &= !Only || Only == Each;
        Only = Each;
      }
      if (IsTrivial && Only)
        Trivial[Phi] = Only;
    }
  }
  return !Trivial.empty();
}

/// Objects are copied when they are first mentioned: those that are no longer
/// used are dropped.
ObjectId Promotion::mapObject(ObjectId Id) {
  if (!Id)
    return 0;
  ObjectId &Known = Objects[Id];
  if (!Known)
    Known = New.addObject(Old.object(Id));
  return Known;
}

/// Maps a value that has no operands to map. Phis and results get here only if
/// their definition has not been copied, so that no path leads from it to the
/// use; they become undefined.
ValueId Promotion::mapLeaf(ValueId Id) {
  const Value &V = Old.value(Id);
  switch (V.What) {
  case Value::Literal:
    return New.withOperands(V, {});
  case Value::Special:
    return New.special(V.Register);
  case Value::Argument:
    return New.argument(V.Decl, V.Ty);
  case Value::Address:
    return New.address(mapObject(V.Object));
  default:
    // Undefined values, and the phis and results that are mentioned above.
    return New.undefined(V.Ty);
  }
}

/// Returns the new value for the old value \p Id.
ValueId Promotion::map(ValueId Id) {
  if (!Id)
    return 0;
  if (const auto Known = Mapped.find(Id); Known != Mapped.end())
    return Known->second;
  if (const auto Same = Trivial.find(Id); Same != Trivial.end()) {
    // If trivial phis are each other's only value, no value ever comes in: the
    // undefined value, entered first, ends the recursion.
    Mapped[Id] = New.undefined(Old.value(Id).Ty);
    return Mapped[Id] = map(Same->second);
  }
  const Value &V = Old.value(Id);
  const bool IsLeaf = V.Operands.empty() || V.What == Value::Phi;
  ValueId Result;
  if (IsLeaf) {
    Result = mapLeaf(Id);
  } else {
    SmallVector<ValueId, 3> Operands;
    for (ValueId Each : V.Operands)
      Operands.push_back(map(Each));
    Result = New.withOperands(V, Operands);
  }
  return Mapped[Id] = Result;
}

/// Begins the copy of \p B: makes its phis, and finds what the slots hold.
/// A predecessor that has not been copied yet (a back edge) brings an unknown
/// value, so that loop headers get a phi for each live slot.
void Promotion::enter(const Block &B) {
  Here = Blocks.lookup(&B);
  for (ValueId Phi : B.Phis)
    if (!Trivial.contains(Phi))
      Mapped[Phi] = New.phi(Here, Old.value(Phi).Ty);
  const auto Before = predecessorsOf(B);
  Current.assign(Promoted.size(), 0);
  for (unsigned Slot : Promoted.liveIn(B).set_bits()) {
    ValueId Same = 0;
    bool IsSame = !Before.empty();
    for (const Block *Each : Before) {
      const auto Known = AtEnd.find(Each);
      const ValueId V = Known == AtEnd.end() ? 0 : Known->second[Slot];
      IsSame &= V && (!Same || Same == V);
      Same = V;
    }
    if (IsSame) {
      Current[Slot] = Same;
    } else if (Before.empty()) {
      Current[Slot] = New.undefined(Promoted.typeOf(Slot));
    } else {
      Current[Slot] = New.phi(Here, Promoted.typeOf(Slot));
      SlotPhis.push_back({{&B, Slot}, Current[Slot]});
    }
  }
}

/// Returns the object from which \p Address is a constant offset; 0 if it is of
/// another form.
static ObjectId findRoot(const FunctionBuilder &B, ValueId Address) {
  const Value *V = &B.value(Address);
  if (V->What == Value::Offset &&
      B.value(V->Operands[1]).What == Value::Literal)
    V = &B.value(V->Operands[0]);
  return V->What == Value::Address ? V->Object : 0;
}

/// Returns whether \p Address is a constant offset from one of the thread's own
/// objects.
static bool isOwn(const FunctionBuilder &B, ValueId Address) {
  const Object::Kind Kind = B.object(findRoot(B, Address)).What;
  return Kind == Object::Local || Kind == Object::Temporary;
}

/// Returns the literal that \p O, whose address is in terms of New, loads from
/// an unchanged variable with a constant initialiser; 0 if it loads something
/// else or is no load.
ValueId Promotion::loadConstant(const Operation &O) {
  const ObjectId Root =
      O.What == Operation::Load && !O.IsVolatile ? findRoot(New, O.Address) : 0;
  if (!Root || !New.object(Root).IsUnchanged)
    return 0;
  const Value &Address = New.value(O.Address);
  const APSInt Offset = Address.What == Value::Offset
                            ? New.value(Address.Operands[1]).Integer
                            : APSInt::get(0);
  const Type Ty = Old.value(O.Result).Ty;
  if (Offset.isNegative())
    return 0;
  const std::optional<clang::APValue> V = readConstant(
      New.object(Root), Offset.getLimitedValue(), Ty, Old.context());
  if (V && V->isInt())
    return New.literal(V->getInt(), Ty);
  return V && V->isFloat() ? New.literal(V->getFloat()) : 0;
}

/// Splits an operation on a whole aggregate (a copy into one of the thread's
/// own objects from another one or from an unchanged object, or a store of
/// zeros) into one load and store for each scalar member, so that members can
/// be promoted in the next round. All loads come first, since source and
/// destination may overlap. Returns false, and does nothing, for other
/// operations.
bool Promotion::splitIntoMembers(const Operation &O) {
  const bool Copies = O.What == Operation::Copy;
  if (O.Of.isNull() || !isOwn(New, O.Address) ||
      (Copies && !isOwn(New, O.Stored) &&
       !New.object(findRoot(New, O.Stored)).IsUnchanged))
    return false;
  const auto Members = membersOf(O.Of, Old.context());
  if (!Members)
    return false;
  std::vector<Operation> Stores;
  for (const Member &M : *Members) {
    const ValueId Bytes = New.literal(M.Offset, Type::integer(true, 64));
    Operation Store;
    Store.What = Operation::Store;
    Store.Width = M.Width;
    Store.Address = New.offset(O.Address, Bytes);
    Store.Where = O.Where;
    if (Copies) {
      Operation Load = Store;
      Load.What = Operation::Load;
      Load.Address = New.offset(O.Stored, Bytes);
      Load.Result = Store.Stored = New.result(M.Ty);
      New.append(Here, std::move(Load));
    } else {
      Store.Stored = New.literal(0, M.Ty);
    }
    Stores.push_back(std::move(Store));
  }
  for (Operation &Each : Stores)
    New.append(Here, std::move(Each));
  return HasChanged = true;
}

/// Copies the operations of \p B. Stores to slots define the slot's value and
/// loads take it; both vanish, unless the store has to stay (Slots::isKept()).
void Promotion::copyOperations(const Block &B) {
  for (const Operation &O : B.Operations) {
    if (const std::optional<unsigned> Slot = Promoted.slotOf(O)) {
      if (O.What == Operation::Store)
        Current[*Slot] = map(O.Stored);
      else if (Current[*Slot])
        Mapped[O.Result] = Current[*Slot];
      if (Options.KeepsText) {
        const Place At = *Old.placeOf(O.Address);
        Here->Uses.push_back({mapObject(At.Object), At.Offset,
                              O.What == Operation::Store, Current[*Slot],
                              O.Where});
      }
      if (O.What == Operation::Store && Promoted.isKept(O)) {
        copyOperation(O);
        continue;
      }
      HasChanged = true;
      continue;
    }
    copyOperation(O);
  }
}

/// Copies one operation. An opaque one mentions in addition the objects that
/// its operands now turn out to point to.
void Promotion::copyOperation(const Operation &O) {
  Operation Copy = O;
  Copy.Address = map(O.Address);
  Copy.Stored = map(O.Stored);
  if (splitIntoMembers(Copy))
    return;
  if (const ValueId Known = loadConstant(Copy)) {
    Mapped[O.Result] = Known;
    HasChanged = true;
    return;
  }
  Copy.Mentions.clear();
  for (ObjectId Each : O.Mentions)
    Copy.Mentions.push_back(mapObject(Each));
  for (ValueId &Each : Copy.Operands) {
    Each = map(Each);
    if (O.What == Operation::Opaque)
      for (ObjectId Root : New.function().rootsOf(Each))
        if (Root && !is_contained(Copy.Mentions, Root))
          Copy.Mentions.push_back(Root);
  }
  for (Touch &T : Copy.Touches)
    for (ValueId *Each : {&T.Address, &T.Bytes, &T.Stride})
      *Each = map(*Each);
  if (O.Result)
    Mapped[O.Result] = Copy.Result = New.result(Old.value(O.Result).Ty);
  New.append(Here, std::move(Copy));
}

/// Copies the records of variables that earlier rounds have promoted.
void Promotion::copyUses(const Block &B) {
  for (VariableUse U : B.Uses) {
    U.Variable = mapObject(U.Variable);
    U.Held = map(U.Held);
    Here->Uses.push_back(U);
  }
}

void Promotion::copyTerminator(const Block &B) {
  Here->ClosedLoop = B.ClosedLoop;
  Here->TestedLoop = B.TestedLoop;
  if (&B == Old.exit())
    return;
  const auto Next = successorsOf(B);
  if (B.Terminator == Block::Leave)
    return New.leave(Here, map(B.Condition), B.Where);
  if (B.Terminator == Block::MayLeave)
    return New.mayLeave(Here, Blocks.lookup(Next[0]));
  if (Next.size() == 1)
    return New.jump(Here, Blocks.lookup(Next[0]));
  if (B.Terminator == Block::Branch)
    return New.branch(Here, map(B.Condition), Blocks.lookup(Next[0]),
                      Blocks.lookup(Next[1]), B.Where);
  SmallVector<std::pair<Block *, std::optional<Block::CaseRange>>, 4> Targets;
  for (auto [To, Case] : zip_equal(Next, B.Cases))
    Targets.push_back({Blocks.lookup(To), Case});
  New.switchOver(Here, map(B.Condition), Targets, B.Where);
}

/// Gives each phi its operands, in the order of its new block's predecessors.
/// This comes last, since values that come in by back edges are not known
/// before.
void Promotion::fillPhis() {
  DenseMap<const Block *, const Block *> OldOf;
  for (auto [From, To] : Blocks)
    OldOf[To] = From;
  const auto Fill = [&](const Block &B, ValueId Phi, auto Find) {
    for (const Block *Before : Blocks.lookup(&B)->Predecessors) {
      const ValueId V = Find(OldOf.lookup(Before));
      New.addOperand(Phi, V ? V : New.undefined(New.value(Phi).Ty));
    }
  };
  for (auto [Where, Phi] : SlotPhis) {
    const unsigned Slot = Where.second;
    Fill(*Where.first, Phi,
         [&](const Block *Before) { return AtEnd.lookup(Before)[Slot]; });
  }
  for (auto [B, Ours] : Blocks)
    for (ValueId Phi : B->Phis) {
      if (Trivial.contains(Phi))
        continue;
      Fill(*B, Mapped.lookup(Phi), [&, B = B, Phi](const Block *Before) {
        const auto At = find(B->Predecessors, Before);
        return map(Old.value(Phi).Operands[At - B->Predecessors.begin()]);
      });
    }
}

void Promotion::copyEvaluations() {
  for (const auto &[Where, Each] : Old.evaluations())
    if (Block *At = Blocks.lookup(Each.At))
      New.record(Where.first, Where.second, {map(Each.Value), At});
}

std::unique_ptr<Function> Promotion::run() {
  findReachable();
  HasChanged |= findTrivialPhis();
  New.copyPaths(Old);
  for (const clang::Stmt *Each : Old.deadLaunches())
    New.addDeadLaunch(Each);
  for (const std::unique_ptr<Block> &B : Old.blocks()) {
    if (!Blocks.contains(B.get())) {
      for (const Operation &O : B->Operations)
        if (O.IsLaunch && !O.Where.Path)
          New.addDeadLaunch(O.Where.Node);
      continue;
    }
    enter(*B);
    copyOperations(*B);
    copyUses(*B);
    copyTerminator(*B);
    AtEnd[B.get()] = Current;
  }
  if (!HasChanged)
    return nullptr;
  fillPhis();
  copyEvaluations();
  return New.finish(Blocks.lookup(Old.entry()));
}

std::unique_ptr<Function> cudaopt::ir::promote(const Function &F,
                                               const BuildOptions &Options) {
  return Promotion(F, Options).run();
}
