// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Collects the uses of shared variables in each step: from the kernel's model
/// where it has the access, from constant addresses, or else as a use of the
/// whole variable. Also handles asynchronous copies, and addresses that are
/// compared.
//===----------------------------------------------------------------------===//

#include "StepUses.h"
#include "LibraryCalls.h"
#include "SharedEscapes.h"

#include "cudaopt/IR/DeviceCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cudaopt {

StepUses::StepUses(const ir::Function &F, const StatementOverlay &Overlay,
                   const BarrierGraph &Graph, const ir::PointsTo &Pointers,
                   const SharedVariables &Shared,
                   const KernelInstance &Instance, SharedProgram &P)
    : F(F), Graph(Graph), Pointers(Pointers), Shared(Shared), P(P),
      Escaped(findVariables(Pointers.escaped(), F, Shared)),
      InClosures(Shared.mentionedInClosures(F.decl())), Own(F, Overlay),
      Modelled(Instance), Counter(Instance) {}

//===----------------------------------------------------------------------===//
// Uses of variables
//===----------------------------------------------------------------------===//

/// Makes an empty use of variable \p Id, with its location.
SharedUse StepUses::makeUse(const Site &Where, VariableId Id) const {
  SharedUse U;
  U.Variable = Id;
  const Stmt *Node =
      Where.Operation ? Where.Operation->Where.Node : Where.At->In->Where.Node;
  U.Loc = locationOf(Where.At->Where->LibraryCall ? Where.At->Where->LibraryCall
                                                  : Node);
  if (U.Loc.isInvalid() && Where.At->Where->At.Statement)
    U.Loc = Where.At->Where->At.Statement->getBeginLoc();
  U.IsPending = IsPending;
  const unsigned Size = P.Variables[Id].numElements();
  U.May.resize(Size);
  U.Must.resize(Size);
  U.Exposed.resize(Size);
  return U;
}

/// Adds a use of the whole variable of which nothing certain is known.
void StepUses::addWhole(const Site &Where, VariableId Id, bool Reads,
                        bool Writes) {
  SharedUse U = makeUse(Where, Id);
  U.Reads = Reads;
  U.Writes = Writes;
  U.May.set();
  if (Reads)
    U.Exposed.set();
  // A use at the same place that is covered by an earlier one adds nothing.
  std::vector<SharedUse> &Uses = P.Steps[Where.Step].Uses;
  for (const SharedUse &Old : Uses)
    if (Old.Variable == Id && Old.Loc == U.Loc && Old.Reads >= Reads &&
        Old.Writes >= Writes && Old.IsPending == IsPending && Old.May.all() &&
        (!Reads || Old.Exposed.all()))
      return;
  Uses.push_back(std::move(U));
}

void StepUses::addWhole(const Site &Where, const TargetSet &Targets) {
  for (unsigned Id : Targets.set_bits())
    addWhole(Where, Id, true, true);
}

/// Adds the use that one reference makes of one array. \p Pieces are its
/// accesses, \p T the IR's view of it, if it is given by a single operation.
void StepUses::addElements(const Site &Where,
                           llvm::ArrayRef<const Access *> Pieces,
                           AccessKind Kind, const Touch *T) {
  AccessList Group;
  for (const Access *A : Pieces)
    if (A->Kind == Kind)
      Group.push_back(A);
  if (Group.empty())
    return;
  const Access &A = *Group.front();
  const bool IsOwn =
      T && Where.IsOrdered && Kind == AccessKind::Read && Where.At->Operation &&
      Own.covers(*Where.At->In, *Where.At->Operation, T->Address, T->Width);
  std::vector<SharedUse> &Uses = P.Steps[Where.Step].Uses;
  auto [Old, IsNew] =
      Known.try_emplace({&A, Where.Operation->Where.Path, Kind}, Uses.size());
  if (!IsNew) {
    SharedUse &Same = Uses[Old->second];
    Same.IsPending |= IsPending;
    if (Same.Reads && !IsOwn)
      Same.Exposed = Same.May;
    return;
  }
  const auto Id = llvm::find_if(
      P.Variables, [&](const SharedVariable &V) { return V.Array == A.Array; });
  if (Id == P.Variables.end())
    return;
  SharedUse U = makeUse(Where, Id - P.Variables.begin());
  U.Loc = A.Ref->getExprLoc();
  U.Reads = Kind != AccessKind::Write;
  U.Writes = Kind != AccessKind::Read;
  // If a function is called several times, each call has its own access, and
  // which of them belongs to this call is not known: the union of all is taken.
  const bool IsOnly = llvm::all_of(Group, [&](const Access *X) {
    return llvm::count_if(Group, [&](const Access *Y) {
             return X->Offset == Y->Offset;
           }) == 1;
  });
  const auto &Outer = Graph.regions()[Where.Step].Loops;
  if (IsOnly) {
    TouchedElements Touched = Counter.find(
        Group, Outer, Graph.isUnconditional(Where.Step, *Where.At->In));
    U.May = std::move(Touched.May);
    if (Kind == AccessKind::Write && T && Where.IsOrdered)
      U.Must = std::move(Touched.Must);
  } else {
    for (const Access *Each : Group)
      U.May |= Counter.find(Each, Outer, false).May;
  }
  if (U.Reads && !IsOwn)
    U.Exposed = U.May;
  Uses.push_back(std::move(U));
}

/// Adds a use of elements at a constant offset, as of a scalar. Returns false
/// if the address is not of that form.
bool StepUses::addKnownElements(const Site &Where, VariableId Id,
                                const Touch &T) {
  const std::optional<ir::Place> At = F.placeOf(T.Address);
  const uint64_t Begin = At ? At->Offset : 0;
  const SharedVariable &Of = P.Variables[Id];
  if (!At || !T.Width || Begin + T.Width > Of.Size || Begin + T.Width < Begin)
    return false;
  SharedUse U = makeUse(Where, Id);
  U.Reads = T.Reads;
  U.Writes = T.Writes;
  const uint64_t End = Begin + T.Width, Size = Of.ElementSize;
  for (uint64_t E = Begin / Size; E * Size < End && E < U.May.size(); ++E)
    U.May.set(E);
  if (U.May.none())
    return false; // The access is behind the last whole element.
  if (T.Reads &&
      !(Where.IsOrdered && !T.Writes &&
        Own.covers(*Where.At->In, *Where.At->Operation, T.Address, T.Width)))
    U.Exposed = U.May;
  if (T.Writes && !T.Reads && Where.IsOrdered &&
      !Graph.isInInnerLoop(Where.Step, *Where.At->In) &&
      Graph.isUnconditional(Where.Step, *Where.At->In))
    for (uint64_t E = llvm::divideCeil(Begin, Size); (E + 1) * Size <= End; ++E)
      U.Must.set(E);
  P.Steps[Where.Step].Uses.push_back(std::move(U));
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Adds a use of each variable to which an unknown address may lead.
void StepUses::addEscaped(const Site &Where, bool Reads, bool Writes) {
  for (unsigned Id : Escaped.set_bits())
    addWhole(Where, Id, Reads, Writes);
}

/// Adds the uses of one memory operand, for each variable that its address may
/// be in: from the model, from a constant address, or of the whole variable.
void StepUses::addTouch(const Site &Where, const Touch &T) {
  const AccessList All = Modelled.find(*Where.Operation);
  const AccessKind Kind = T.Reads
                              ? T.Writes ? AccessKind::Atomic : AccessKind::Read
                              : AccessKind::Write;
  const ir::ObjectSet &Targets = Pointers.of(T.Address);
  if (Targets.test(0))
    addEscaped(Where, T.Reads, T.Writes);
  const TargetSet Reached = findVariables(Targets, F, Shared);
  for (unsigned Id : Reached.set_bits()) {
    AccessList Pieces;
    for (const Access *A : All)
      if (A->Array == P.Variables[Id].Array && A->Kind == Kind)
        Pieces.push_back(A);
    if (!Pieces.empty())
      addElements(Where, Pieces, Kind, &T);
    else if (!addKnownElements(Where, Id, T))
      addWhole(Where, Id, T.Reads, T.Writes);
  }
}

/// Adds the uses of a library call: it does to its arguments what the model
/// says, and may do anything to whatever else they lead to.
void StepUses::addLibraryCall(const Site &Where, const Expr *Call) {
  const ir::CallPathId Path = Where.At->Where->Path;
  auto [It, IsNew] = Calls.try_emplace({Path, Call}, Shared.none());
  if (!IsNew)
    return;
  for (const Expr *Argument : argumentsOf(Call)) {
    const auto Pieces = Modelled.findArgument(Argument, Path);
    for (AccessKind Kind :
         {AccessKind::Atomic, AccessKind::Read, AccessKind::Write})
      addElements(Where, Pieces, Kind, nullptr);
    for (const Access *A : Pieces)
      for (VariableId Id = 0; Id != P.Variables.size(); ++Id)
        if (P.Variables[Id].Array == A->Array)
          It->second.set(Id);
    const std::optional<ir::Evaluation> Given = F.evaluationOf(Argument, Path);
    if (!Pieces.empty() || !Given || !Given->Value)
      continue;
    const TargetSet Targets = findVariables(
        Pointers.reachableFrom(Pointers.of(Given->Value)), F, Shared);
    addWhole(Where, Targets);
    It->second |= Targets;
  }
}

/// Adds the uses of an opaque operation, except those of the variables that are
/// \p Covered by the call around it.
void StepUses::addOpaque(const Site &Where, const TargetSet &Covered) {
  TargetSet Targets =
      findVariables(Pointers.reachedBy(*Where.Operation), F, Shared);
  Targets |= Escaped;
  if (mayRunUserCode(*Where.Operation, Shared.context()))
    Targets |= InClosures;
  Targets.reset(Covered);
  addWhole(Where, Targets);
}

/// Adds the uses of one operation. Inside of a library call, the call's
/// arguments say more than the operations that the IR has spliced in; these add
/// what they reach besides.
void StepUses::addOperation(const Site &Where) {
  const ir::Operation &O = *Where.Operation;
  const Expr *Call = Where.At->Where->LibraryCall;
  const auto *Plain = dyn_cast_or_null<CallExpr>(Call);
  llvm::SaveAndRestore<bool> Pending(
      IsPending, Plain && ir::classifyAsyncCopy(Plain, Shared.context()) ==
                              ir::AsyncCopy::Issue);
  TargetSet Covered = Shared.none();
  if (Call) {
    addLibraryCall(Where, Call);
    Covered = Calls.find({Where.At->Where->Path, Call})->second;
  }
  for (const ir::Touch &T : ir::touchesOf(O)) {
    if (!Call) {
      addTouch(Where,
               {T.Address, T.Reads, T.Writes, T.Rows == 1 ? T.Width : 0});
      continue;
    }
    TargetSet Targets = findVariables(Pointers.of(T.Address), F, Shared);
    if (Pointers.of(T.Address).test(0))
      Targets |= Escaped;
    Targets.reset(Covered);
    for (unsigned Id : Targets.set_bits())
      addWhole(Where, Id, T.Reads, T.Writes);
  }
  if (O.What == ir::Operation::Opaque)
    addOpaque(Where, Covered);
}

//===----------------------------------------------------------------------===//
// Addresses that are told apart
//===----------------------------------------------------------------------===//

/// Objects whose addresses are compared, or whose distance is computed, must
/// not get the same address. A value that does so therefore counts as a use of
/// all these objects, which keeps them live at the same time.
void StepUses::findComparisons() {
  for (ir::ValueId Id = 1; Id < F.numValues(); ++Id) {
    const ir::Value &V = F.value(Id);
    const bool IsCompared =
        V.What == ir::Value::Binary && V.Ty != ir::Type::pointer();
    const bool IsConverted = V.What == ir::Value::Convert &&
                             V.Ty != ir::Type::pointer() &&
                             V.Ty.What != ir::Type::Boolean;
    if (!IsCompared && !IsConverted && V.What != ir::Value::SharedAddress)
      continue;
    TargetSet Found = Shared.none();
    for (ir::ValueId Operand : V.Operands) {
      if (F.value(Operand).Ty != ir::Type::pointer())
        continue;
      Found |= findVariables(Pointers.of(Operand), F, Shared);
      if (Pointers.of(Operand).test(0))
        Found |= Escaped;
    }
    if (Found.any())
      Comparisons[Id] = std::move(Found);
  }
}

/// Adds these uses for \p V, which is computed in this step, and its operands.
void StepUses::addComparisons(const Site &Where, ir::ValueId V) {
  if (Comparisons.empty() || !V)
    return;
  llvm::DenseSet<ir::ValueId> Seen;
  std::vector<ir::ValueId> Ahead = {V};
  while (!Ahead.empty()) {
    const ir::ValueId Id = Ahead.back();
    Ahead.pop_back();
    if (!Seen.insert(Id).second)
      continue;
    if (const auto Known = Comparisons.find(Id); Known != Comparisons.end())
      for (unsigned Variable : Known->second.set_bits())
        addWhole(Where, Variable, true, false);
    llvm::append_range(Ahead, F.value(Id).Operands);
  }
}

void StepUses::collect(StepId S) {
  Known.clear();
  Calls.clear();
  const BarrierGraph::Region &Own = Graph.regions()[S];
  const auto addAll = [&](const BarrierGraph::Region &From) {
    for (const Point *At : From.Points) {
      Site Where{S, At, nullptr, Own.IsPassed && !Own.IsBesideBarrier};
      if (!At->Operation) {
        addComparisons(Where, At->In->Condition);
        continue;
      }
      Where.Operation = &At->In->Operations[*At->Operation];
      addOperation(Where);
      for (ir::ValueId V : {Where.Operation->Address, Where.Operation->Stored})
        addComparisons(Where, V);
      for (ir::ValueId V : Where.Operation->Operands)
        addComparisons(Where, V);
    }
  };
  if (!Own.IsBesideBarrier || P.Steps[S].What == Step::Kind::Barrier)
    return addAll(Own);
  // C++ does not say which parts of the expression are evaluated in front of
  // the barrier: each of its steps gets the uses of all.
  for (StepId Other = 0; Other != P.Steps.size(); ++Other)
    if (const BarrierGraph::Region &Part = Graph.regions()[Other];
        Part.IsBesideBarrier && Part.At == Own.At &&
        P.Steps[Other].What != Step::Kind::Barrier)
      addAll(Part);
}

//===----------------------------------------------------------------------===//
// Copies beside the threads
//===----------------------------------------------------------------------===//

/// Returns the part that \p At, a call or assembly, has in asynchronous copies.
ir::AsyncCopy StepUses::classify(const Point &At) const {
  if (!At.Operation)
    return ir::AsyncCopy::None;
  const ir::Operation &O = At.In->Operations[*At.Operation];
  if (O.IsAsynchronous)
    return ir::AsyncCopy::Issue;
  if (O.What == ir::Operation::Commit)
    return ir::AsyncCopy::Commit;
  if (O.What == ir::Operation::Wait)
    return O.Operands.empty()                    ? ir::AsyncCopy::WaitAll
           : F.value(O.Operands[0]).isLiteral(0) ? ir::AsyncCopy::WaitCommitted
                                                 : ir::AsyncCopy::None;
  const auto *Call = dyn_cast_or_null<CallExpr>(At.Where->LibraryCall);
  return Call ? ir::classifyAsyncCopy(Call, Shared.context())
              : ir::AsyncCopy::None;
}

/// Tracks whether copies have been issued but not committed.
static void follow(bool &IsOpen, ir::AsyncCopy Copy) {
  if (Copy == ir::AsyncCopy::Issue)
    IsOpen = true;
  else if (Copy == ir::AsyncCopy::Commit)
    IsOpen = false;
}

/// A forward may-analysis over the blocks, to a fixed point.
void StepUses::findOpenBatches() {
  IsOpenAtStart.assign(F.blocks().size(), false);
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (const std::unique_ptr<ir::Block> &B : F.blocks()) {
      bool IsOpen = IsOpenAtStart[B->Id];
      for (const Point &At : Graph.pointsOf(*B))
        follow(IsOpen, classify(At));
      for (const ir::Block *Next : B->Successors)
        if (IsOpen && !IsOpenAtStart[Next->Id])
          Changes = IsOpenAtStart[Next->Id] = true;
    }
  }
}

/// Notes whether the step waits for all copies. A wait for the committed copies
/// does so if no copy may be issued but uncommitted.
void StepUses::addCopies(StepId S) {
  const BarrierGraph::Region &Own = Graph.regions()[S];
  ir::AsyncCopy Only = ir::AsyncCopy::None;
  for (const Point *At : Own.Points) {
    const ir::AsyncCopy Copy = classify(*At);
    if (At->In != Own.Points.front()->In ||
        (Copy != ir::AsyncCopy::None && Only != ir::AsyncCopy::None &&
         Copy != Only))
      return;
    Only = Copy != ir::AsyncCopy::None ? Copy : Only;
  }
  if (Only == ir::AsyncCopy::WaitAll) {
    P.Steps[S].WaitsForPending = true;
  } else if (Only == ir::AsyncCopy::WaitCommitted) {
    const ir::Block &B = *Own.Points.front()->In;
    bool IsOpen = IsOpenAtStart[B.Id];
    for (const Point &At : Graph.pointsOf(B)) {
      if (At.Step == S)
        break;
      follow(IsOpen, classify(At));
    }
    P.Steps[S].WaitsForPending = !IsOpen;
  }
}

void StepUses::collect() {
  findOpenBatches();
  findComparisons();
  for (StepId S = 0; S != P.Steps.size(); ++S) {
    collect(S);
    addCopies(S);
  }
}

} // namespace cudaopt
