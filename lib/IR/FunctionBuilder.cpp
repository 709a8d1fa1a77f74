// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds functions of the IR. Values are hash-consed as they are made; blocks
/// are put in order when the function is finished: unreachable ones are
/// dropped, jumps are merged, endless loops get virtual edges to the exit, and
/// loops are found.
//===----------------------------------------------------------------------===//

#include "cudaopt/IR/FunctionBuilder.h"
#include "cudaopt/IR/Graph.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace cudaopt::ir;
using namespace llvm;

FunctionBuilder::FunctionBuilder(const clang::FunctionDecl *Decl,
                                 const clang::ASTContext &Context)
    : F(new Function) {
  F->Decl = Decl;
  F->Context = &Context;
  F->Values.emplace_back();
  F->Objects.emplace_back();
  F->Paths.emplace_back();
  Exit = addBlock();
  Exit->Terminator = Block::End;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static size_t hashOf(const Value &V) {
  return hash_combine(V.What, V.Ty.What, V.Ty.IsSigned, V.Ty.Bits, V.Ty.IsBrain,
                      V.Opcode, V.Register, V.Object, V.Unique, V.Decl,
                      V.Integer, hash_combine_range(V.Operands));
}

/// Values are equal if all but the place of their definition is. The width and
/// the sign of literals are compared first, since APSInt compares only numbers
/// of one type.
static bool areEqual(const Value &A, const Value &B) {
  return A.What == B.What && A.Ty == B.Ty && A.Opcode == B.Opcode &&
         A.Register == B.Register && A.Object == B.Object &&
         A.Unique == B.Unique && A.Decl == B.Decl &&
         A.Integer.getBitWidth() == B.Integer.getBitWidth() &&
         A.Integer.isSigned() == B.Integer.isSigned() &&
         A.Integer == B.Integer && A.Operands == B.Operands;
}

/// Looks \p V up by its hash; values with the same hash are compared one by
/// one.
ValueId FunctionBuilder::cons(Value V) {
  SmallVector<ValueId, 1> &Known = Consed[hashOf(V)];
  for (ValueId Id : Known)
    if (areEqual(F->Values[Id], V))
      return Id;
  F->Values.push_back(std::move(V));
  Known.push_back(F->Values.size() - 1);
  return F->Values.size() - 1;
}

ValueId FunctionBuilder::literal(APSInt Integer, Type T) {
  Value V(Value::Literal, T);
  V.Integer = Integer.extOrTrunc(T.Bits);
  V.Integer.setIsSigned(T.IsSigned);
  return cons(std::move(V));
}

ValueId FunctionBuilder::literal(uint64_t Number, Type T) {
  return literal(APSInt(APInt(64, Number), !T.IsSigned), T);
}

ValueId FunctionBuilder::literal(const APFloat &Number) {
  const APInt Bits = Number.bitcastToAPInt();
  Value V(Value::Literal, {Type::Float, true, Bits.getBitWidth(),
                           &Number.getSemantics() == &APFloat::BFloat()});
  V.Integer = APSInt(Bits);
  return cons(std::move(V));
}

ValueId FunctionBuilder::special(SpecialRegister R) {
  Value V(Value::Special, Type::integer(false, 32));
  V.Register = R;
  return cons(std::move(V));
}

ValueId FunctionBuilder::argument(const clang::Decl *D, Type T) {
  Value V(Value::Argument, T);
  V.Decl = D;
  return cons(std::move(V));
}

ValueId FunctionBuilder::address(ObjectId O) {
  Value V(Value::Address, Type::pointer());
  V.Object = O;
  return cons(std::move(V));
}

ValueId FunctionBuilder::offset(ValueId Pointer, ValueId Bytes) {
  if (value(Bytes).isLiteral(0))
    return Pointer;
  // A constant offset from a constant offset is one offset, so that equal
  // addresses are equal values:
  // Both offsets of a member of a member are literals.
  if (value(Pointer).What == Value::Offset) {
    const ValueId Inner = value(Pointer).Operands[1];
    if (value(Inner).What == Value::Literal &&
        value(Bytes).What == Value::Literal) {
      const APInt A = value(Inner).Integer, B = value(Bytes).Integer;
      return offset(value(Pointer).Operands[0],
                    literal(APSInt(A + B, false), Type::integer(true, 64)));
    }
  }
  Value V(Value::Offset, Type::pointer());
  V.Operands = {Pointer, Bytes};
  return cons(std::move(V));
}

ValueId FunctionBuilder::pure(const clang::FunctionDecl *Callee, Type T,
                              ArrayRef<ValueId> Operands) {
  Value V(Value::Pure, T);
  V.Decl = Callee;
  V.Operands.assign(Operands.begin(), Operands.end());
  return cons(std::move(V));
}

ValueId FunctionBuilder::undefined(Type T) {
  Value V(Value::Undefined, T);
  V.Unique = ++NextUnique;
  return cons(std::move(V));
}

ValueId FunctionBuilder::phi(Block *B, Type T) {
  Value V(Value::Phi, T);
  V.Unique = ++NextUnique;
  const ValueId Id = cons(std::move(V));
  B->Phis.push_back(Id);
  return Id;
}

ValueId FunctionBuilder::result(Type T) {
  Value V(Value::Result, T);
  V.Unique = ++NextUnique;
  return cons(std::move(V));
}

ValueId FunctionBuilder::withOperands(const Value &V,
                                      ArrayRef<ValueId> Operands) {
  switch (V.What) {
  case Value::Offset:
    return offset(Operands[0], Operands[1]);
  case Value::Unary:
    return unary(V.unary(), Operands[0]);
  case Value::Binary:
    return binary(V.binary(), V.Ty, Operands[0], Operands[1]);
  case Value::Select:
    return select(Operands[0], Operands[1], Operands[2]);
  case Value::Convert:
    return convert(Operands[0], V.Ty);
  case Value::SharedAddress:
    return sharedAddress(Operands[0]);
  case Value::SharedPointer:
    return sharedPointer(Operands[0]);
  default:
    break;
  }
  Value Copy = V;
  Copy.Operands.assign(Operands.begin(), Operands.end());
  return cons(std::move(Copy));
}

//===----------------------------------------------------------------------===//
// Objects, operations, control
//===----------------------------------------------------------------------===//

ObjectId FunctionBuilder::addObject(Object O) {
  // No name of C++ has a dot, so the new name cannot be that of a variable.
  if (unsigned &Ordinal = NameCounts[O.Name]; ++Ordinal > 1)
    O.Name += "." + std::to_string(Ordinal);
  F->Objects.push_back(std::move(O));
  return F->Objects.size() - 1;
}

CallPathId FunctionBuilder::addPath(const clang::Stmt *Call,
                                    CallPathId Parent) {
  F->Paths.push_back({Call, Parent});
  return F->Paths.size() - 1;
}

void FunctionBuilder::record(const clang::Stmt *S, CallPathId Path,
                             Evaluation E) {
  const auto [Known, IsNew] = F->Evaluations.try_emplace({S, Path}, E);
  if (!IsNew)
    Known->second = {};
}

Block *FunctionBuilder::addBlock() {
  Block &B = *Pending.emplace_back(std::make_unique<Block>());
  B.Parent = F.get();
  return &B;
}

Operation &FunctionBuilder::append(Block *B, Operation O) {
  return B->Operations.emplace_back(std::move(O));
}

void FunctionBuilder::connect(Block *From, Block *To) {
  From->Successors.push_back(To);
  To->Predecessors.push_back(From);
}

void FunctionBuilder::jump(Block *From, Block *To) {
  From->Terminator = Block::Jump;
  connect(From, To);
}

/// A branch with one target is a jump: its condition does not matter.
void FunctionBuilder::branch(Block *From, ValueId Condition, Block *IfTrue,
                             Block *IfFalse, Anchor Where) {
  if (IfTrue == IfFalse)
    return jump(From, IfTrue);
  From->Terminator = Block::Branch;
  From->Condition = Condition;
  From->Where = Where;
  connect(From, IfTrue);
  connect(From, IfFalse);
}

void FunctionBuilder::switchOver(
    Block *From, ValueId Condition,
    ArrayRef<std::pair<Block *, std::optional<Block::CaseRange>>> Targets,
    Anchor Where) {
  From->Terminator = Block::Switch;
  From->Condition = Condition;
  From->Where = Where;
  for (const auto &[To, Case] : Targets) {
    connect(From, To);
    From->Cases.push_back(Case);
  }
}

void FunctionBuilder::mayLeave(Block *From, Block *Next) {
  From->Terminator = Block::MayLeave;
  connect(From, Next);
  connect(From, Exit);
}

void FunctionBuilder::leave(Block *From, ValueId Returned, Anchor Where) {
  From->Terminator = Block::Leave;
  From->Condition = Returned;
  From->Where = Where;
  connect(From, Exit);
}

//===----------------------------------------------------------------------===//
// The finished function
//===----------------------------------------------------------------------===//

/// Merges each block that is reached by a single jump into the block that
/// jumps. A block that ends in a barrier keeps its jump (invariant 3 of
/// Function.h).
void FunctionBuilder::mergeJumps(Block *Entry) {
  for (Block *B : depth_first(Entry)) {
    while (B->Terminator == Block::Jump) {
      Block *Next = B->Successors[0];
      const bool EndsByBarrier =
          !B->Operations.empty() &&
          B->Operations.back().What == Operation::Barrier;
      if (EndsByBarrier || Next == Exit || Next == B || !Next->Phis.empty() ||
          Next->Predecessors.size() != 1)
        break;
      for (Operation &O : Next->Operations)
        append(B, std::move(O));
      Next->Operations.clear();
      append_range(B->Uses, Next->Uses);
      Next->Uses.clear();
      B->Terminator = Next->Terminator;
      B->Condition = Next->Condition;
      B->Cases = std::move(Next->Cases);
      B->Where = Next->Where;
      B->ClosedLoop = Next->ClosedLoop;
      B->TestedLoop = Next->TestedLoop;
      MergedInto[Next] = B;
      B->Successors = std::exchange(Next->Successors, {});
      Next->Predecessors.clear();
      for (Block *After : B->Successors)
        std::replace(After->Predecessors.begin(), After->Predecessors.end(),
                     Next, B);
    }
  }
}

/// Returns the blocks that \p Entry reaches, in reverse post-order. The search
/// visits the successors of a block from last to first, so that the first one
/// comes first in the result where both orders are possible, as in the source:
/// the body of a loop stands before the code behind the loop.
static std::vector<Block *> findOrder(Block *Entry) {
  std::vector<Block *> Order;
  SmallPtrSet<Block *, 16> Seen = {Entry};
  std::vector<std::pair<Block *, size_t>> Stack = {
      {Entry, Entry->Successors.size()}};
  while (!Stack.empty()) {
    auto &[B, Left] = Stack.back();
    if (Left == 0) {
      Order.push_back(B);
      Stack.pop_back();
    } else if (Block *Next = B->Successors[--Left]; Seen.insert(Next).second) {
      Stack.push_back({Next, Next->Successors.size()});
    }
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

/// Adds virtual edges to the exit until each block reaches it: one for each
/// endless loop. Post-dominators exist only if all blocks reach the exit.
void FunctionBuilder::connectEndlessLoops(Block *Entry) {
  SmallPtrSet<Block *, 16> Ends;
  for (Block *B : inverse_depth_first(Exit))
    Ends.insert(B);
  // In post-order, the first that does not end is the deepest in the graph.
  for (Block *B : post_order(Entry)) {
    if (Ends.contains(B))
      continue;
    B->HasVirtualExit = true;
    connect(B, Exit);
    for (Block *Before : inverse_depth_first(B))
      Ends.insert(Before);
  }
}

/// Removes edges from blocks that are not in \p Order, which are unreachable,
/// and the operands that phis have for them.
void FunctionBuilder::dropPredecessors(ArrayRef<Block *> Order) {
  const SmallPtrSet<const Block *, 16> Kept(Order.begin(), Order.end());
  for (Block *B : Order)
    for (size_t I = B->Predecessors.size(); I-- > 0;) {
      if (Kept.contains(B->Predecessors[I]))
        continue;
      B->Predecessors.erase(B->Predecessors.begin() + I);
      for (ValueId Phi : B->Phis)
        F->Values[Phi].Operands.erase(F->Values[Phi].Operands.begin() + I);
    }
}

/// Gives the blocks their ids by \p Order and moves them into the function,
/// and tells each phi and result the block that defines it.
void FunctionBuilder::number(ArrayRef<Block *> Order) {
  for (auto [Id, B] : enumerate(Order)) {
    B->Id = Id;
    F->Blocks.emplace_back();
  }
  for (std::unique_ptr<Block> &B : Pending)
    if (is_contained(Order, B.get()))
      F->Blocks[B->Id] = std::move(B);
  for (const std::unique_ptr<Block> &B : F->Blocks) {
    for (ValueId Phi : B->Phis)
      F->Values[Phi].Block = B->Id;
    for (const Operation &O : B->Operations)
      if (O.Result)
        F->Values[O.Result].Block = B->Id;
  }
}

/// Finds the natural loops: an edge to a block that dominates its source is a
/// back edge, and the loop of its target are the blocks that reach it
/// backwards. Back edges to one header make one loop.
void FunctionBuilder::findLoops() {
  const Dominators Dominance(*F);
  DenseMap<Block *, unsigned> LoopOf; // By header.
  for (const std::unique_ptr<Block> &Latch : F->Blocks)
    for (Block *Header : Latch->Successors) {
      if (!Dominance.dominates(Header, Latch.get()))
        continue;
      auto [Known, IsNew] = LoopOf.try_emplace(Header, F->Loops.size());
      if (IsNew)
        F->Loops.push_back({Header, {Header}, nullptr, 0, std::nullopt});
      Loop &L = F->Loops[Known->second];
      if (Latch->ClosedLoop.Node) {
        L.Statement = Latch->ClosedLoop.Node;
        L.Path = Latch->ClosedLoop.Path;
      }
      std::vector<Block *> Ahead = {Latch.get()};
      while (!Ahead.empty()) {
        Block *B = Ahead.back();
        Ahead.pop_back();
        if (is_contained(L.Blocks, B))
          continue;
        L.Blocks.push_back(B);
        append_range(Ahead, B->Predecessors);
      }
    }
  // Headers of outer loops come first in the order of blocks, so that the last
  // loop before this one that contains its header is the innermost.
  sort(F->Loops, [](const Loop &A, const Loop &B) {
    return A.Header->Id < B.Header->Id;
  });
  for (auto [Index, L] : enumerate(F->Loops))
    for (unsigned Outer = 0; Outer < Index; ++Outer)
      if (is_contained(F->Loops[Outer].Blocks, L.Header))
        L.Parent = Outer;
}

/// Replaces merged blocks in the recorded evaluations, and drops evaluations
/// that are ambiguous or in unreachable blocks.
void FunctionBuilder::placeEvaluations(ArrayRef<Block *> Order) {
  const SmallPtrSet<const Block *, 16> Kept(Order.begin(), Order.end());
  Function::EvaluationMap Placed;
  for (auto [Where, Each] : F->Evaluations) {
    for (auto Into = MergedInto.find(Each.At); Into != MergedInto.end();
         Into = MergedInto.find(Each.At))
      Each.At = Into->second;
    if (Kept.contains(Each.At))
      Placed[Where] = Each;
  }
  F->Evaluations = std::move(Placed);
}

/// Edges from unreachable blocks are dropped first, since they keep blocks from
/// being merged. Endless loops are connected before the order is computed, so
/// that the exit is reachable. The exit comes last, wherever the order would
/// have it.
std::unique_ptr<Function> FunctionBuilder::finish(Block *Entry) {
  dropPredecessors(findOrder(Entry));
  mergeJumps(Entry);
  connectEndlessLoops(Entry);
  std::vector<Block *> Order = findOrder(Entry);
  erase(Order, Exit);
  Order.push_back(Exit);
  placeEvaluations(Order);
  number(Order);
  findLoops();
  return std::move(F);
}
