// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Translates functions of LLVM IR to WarpCode: orders the blocks, gives values
/// slots, and translates instructions. What a run cannot compute
/// (floating-point numbers, vectors, loads) becomes an unknown value.
//===----------------------------------------------------------------------===//

#include "WarpCode.h"

#include "LaneCalls.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Operator.h"
#include <map>

using namespace llvm;
using namespace cudaopt::check;

namespace {

/// Translates one function.
class CodeMaker {
public:
  CodeMaker(const Function &F, const SymbolTable &Symbols,
            const PlacesOfCode &Places,
            const DenseMap<const GlobalVariable *, unsigned> &Variables)
      : F(F), Symbols(Symbols), Places(Places), Variables(Variables),
        Layout(F.getDataLayout()), Dominators(const_cast<Function &>(F)),
        PostDominators(const_cast<Function &>(F)), Loops(Dominators) {}

  WarpCode make();

private:
  void placeBlocks();
  void placeLoop(const Loop &L, ArrayRef<const BasicBlock *> Order, int Parent);
  LaneSlot slotOf(const Value *V);
  LaneSlot operandOf(const Value *V, const BasicBlock *At);
  LaneSlot constantOf(const llvm::Constant *C);
  LaneSlot slotOfNumber(uint64_t Number);
  LaneSlot resultOf(const Value *V, const Loop *Left);

  void makeBlock(const BasicBlock &BB);
  void makeTerminator(const BasicBlock &BB, LaneBlock &Block);
  LaneEdge makeEdge(const BasicBlock &From, const BasicBlock &To);
  LaneOperation makeOperation(const Instruction &I);
  void makeCall(const CallBase &Call, LaneOperation &Op);
  void makeAddress(const GEPOperator &GEP, LaneOperation &Op);
  void makeLoad(const LoadInst &Load, LaneOperation &Op);
  void addAccesses(const Instruction &I, LaneOperation &Op);
  unsigned findReconvergence(const BasicBlock &BB) const;

  const Function &F;
  const SymbolTable &Symbols;
  const PlacesOfCode &Places;
  const DenseMap<const GlobalVariable *, unsigned> &Variables;
  const DataLayout &Layout;
  DominatorTree Dominators;
  PostDominatorTree PostDominators;
  LoopInfo Loops;

  WarpCode Code;
  DenseMap<const BasicBlock *, unsigned> Numbers;
  std::vector<const BasicBlock *> BlockAt; ///< In the new order; null: latch.
  DenseMap<const Loop *, unsigned> LoopNumbers;
  DenseMap<const Value *, LaneSlot> Slots;
  std::map<uint64_t, LaneSlot> Constants;
  std::map<std::pair<const Value *, const Loop *>, LaneSlot> Results;
  /// The slots in which phi nodes of headers have their next values.
  DenseMap<const PHINode *, unsigned> Waiting;
};

} // namespace

/// Returns true if runs compute values of type \p T: integers of at most 64
/// bits, and pointers.
static bool isNumber(const Type *T) {
  return T->isPointerTy() ||
         (T->isIntegerTy() && T->getIntegerBitWidth() <= 64);
}

static uint8_t bitsOf(const Type *T) {
  return T->isIntegerTy() ? T->getIntegerBitWidth() : 64;
}

//===----------------------------------------------------------------------===//
// The order of blocks
//===----------------------------------------------------------------------===//

/// Appends the blocks of \p L in the reverse post-order \p Order, those of an
/// inner loop together, and then the latch of \p L.
void CodeMaker::placeLoop(const Loop &L, ArrayRef<const BasicBlock *> Order,
                          int Parent) {
  const unsigned Id = Code.Loops.size();
  LoopNumbers[&L] = Id;
  Code.Loops.emplace_back().Parent = Parent;
  Code.Loops[Id].Header = BlockAt.size();
  for (const BasicBlock *BB : Order) {
    if (!L.contains(BB) || Numbers.contains(BB))
      continue;
    if (const Loop *Inner = Loops.getLoopFor(BB);
        Inner != &L && Inner->getParentLoop() == &L) {
      placeLoop(*Inner, Order, Id);
      continue;
    }
    Numbers[BB] = BlockAt.size();
    BlockAt.push_back(BB);
  }
  Code.Loops[Id].Latch = BlockAt.size();
  BlockAt.push_back(nullptr);
}

/// Puts the blocks in reverse post-order, but with loops contiguous: in a plain
/// reverse post-order, blocks behind a loop may stand between those in it.
void CodeMaker::placeBlocks() {
  ReversePostOrderTraversal<const Function *> Order(&F);
  const std::vector<const BasicBlock *> Blocks(Order.begin(), Order.end());
  for (const BasicBlock *BB : Blocks) {
    if (Numbers.contains(BB))
      continue;
    if (const Loop *L = Loops.getLoopFor(BB)) {
      placeLoop(*L->getOutermostLoop(), Blocks, -1);
      continue;
    }
    Numbers[BB] = BlockAt.size();
    BlockAt.push_back(BB);
  }
}

/// Returns the block where all paths from \p BB meet again
/// (LaneBlock::Reconvergence).
unsigned CodeMaker::findReconvergence(const BasicBlock &BB) const {
  const auto *Node = PostDominators.getNode(&BB);
  const auto *Next = Node ? Node->getIDom() : nullptr;
  const BasicBlock *To = Next ? Next->getBlock() : nullptr;
  if (!To)
    return BlockAt.size();
  // Threads that go on with the next iteration meet in the latch.
  if (const Loop *L = Loops.getLoopFor(To);
      L && L->getHeader() == To && L->contains(&BB))
    return Code.Loops[LoopNumbers.lookup(L)].Latch;
  return Numbers.lookup(To);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

LaneSlot CodeMaker::slotOf(const Value *V) {
  auto [Known, IsNew] = Slots.try_emplace(V, Code.NumSlots);
  if (IsNew)
    ++Code.NumSlots;
  return Known->second;
}

LaneSlot CodeMaker::slotOfNumber(uint64_t Number) {
  auto [Known, IsNew] = Constants.try_emplace(Number, Code.NumSlots);
  if (IsNew)
    Code.Constants.push_back({Code.NumSlots++, Number});
  return Known->second;
}

/// Returns the slot of a constant; a constant address of a shared variable is
/// one of the numbers that runs give to it.
LaneSlot CodeMaker::constantOf(const Constant *C) {
  if (const auto *Number = dyn_cast<ConstantInt>(C))
    return slotOfNumber(Number->getZExtValue());
  if (isa<ConstantPointerNull>(C))
    return slotOfNumber(0);
  if (!C->getType()->isPointerTy())
    return NoSlot;
  APInt Offset(Layout.getIndexTypeSizeInBits(C->getType()), 0);
  const Value *Base = C->stripAndAccumulateConstantOffsets(
      Layout, Offset, /*AllowNonInbounds=*/true);
  auto Variable = Variables.find(dyn_cast<GlobalVariable>(Base));
  if (Variable == Variables.end())
    return NoSlot;
  return slotOfNumber(addressOf(Variable->second) +
                      uint64_t(Offset.getSExtValue()));
}

/// Returns the slot of the value that \p V, which is defined in the loop
/// \p Left, has when a thread leaves that loop. If it is defined in an inner
/// loop, the value is taken over loop by loop.
LaneSlot CodeMaker::resultOf(const Value *V, const Loop *Left) {
  auto [Known, IsNew] = Results.try_emplace({V, Left}, 0);
  if (!IsNew)
    return Known->second;
  const LaneSlot Slot = Code.NumSlots++;
  Known->second = Slot;
  LaneSlot From = slotOf(V);
  const Loop *Inner = Loops.getLoopFor(cast<Instruction>(V)->getParent());
  while (Inner != Left && Inner->getParentLoop() != Left)
    Inner = Inner->getParentLoop();
  if (Inner != Left)
    From = resultOf(V, Inner);
  Code.Loops[LoopNumbers.lookup(Left)].Results.push_back({From, Slot});
  return Slot;
}

/// Returns the slot of \p V for a use in block \p At. If the use is behind a
/// loop in which V is defined, the slot is that of the loop's result, since
/// threads leave a loop in different iterations.
LaneSlot CodeMaker::operandOf(const Value *V, const BasicBlock *At) {
  if (!isNumber(V->getType()))
    return NoSlot;
  if (const auto *C = dyn_cast<Constant>(V))
    return constantOf(C);
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return isa<Argument>(V) ? slotOf(V) : NoSlot;
  const Loop *Left = nullptr;
  for (const Loop *L = Loops.getLoopFor(I->getParent()); L && !L->contains(At);
       L = L->getParentLoop())
    Left = L;
  return Left ? resultOf(V, Left) : slotOf(V);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Adds the accesses of shared variables that \p I makes.
void CodeMaker::addAccesses(const Instruction &I, LaneOperation &Op) {
  auto Known = Places.find(&I);
  if (Known == Places.end())
    return;
  Op.By = &I;
  for (auto [Place, Address] : Known->second)
    Op.Accesses.push_back(
        {Place, Address ? operandOf(Address->get(), I.getParent()) : NoSlot});
}

/// Translates a GEP to a sum of scaled operands, with the extents of the
/// dimensions that it subscripts.
void CodeMaker::makeAddress(const GEPOperator &GEP, LaneOperation &Op) {
  const auto *At = cast<Instruction>(GEP).getParent();
  SmallMapVector<Value *, APInt, 4> Scales;
  APInt Offset(64, 0);
  if (Layout.getIndexTypeSizeInBits(GEP.getType()) != 64 ||
      !GEP.collectOffset(Layout, 64, Scales, Offset))
    return;
  Op.What = LaneOperation::Address;
  const auto *First = dyn_cast<ConstantInt>(GEP.idx_begin()->get());
  Op.IsOfWhole = First && First->isZero();
  const Type *Of = GEP.getSourceElementType();
  for (const Use &Index : drop_begin(GEP.indices())) {
    // Dynamic memory has no extent.
    if (const auto *Array = dyn_cast<ArrayType>(Of);
        Array && Array->getNumElements())
      Op.Extents.push_back(
          {operandOf(Index.get(), At), Array->getNumElements()});
    Of = GetElementPtrInst::getTypeAtIndex(const_cast<Type *>(Of), Index.get());
  }
  Op.A = operandOf(GEP.getPointerOperand(), At);
  Op.Addend = Offset.getZExtValue();
  for (const auto &[Index, Scale] : Scales) {
    Op.Terms.push_back({operandOf(Index, At), Scale.getSExtValue()});
    // A narrower index is sign-extended, but slots are zero-extended.
    if (bitsOf(Index->getType()) != 64)
      Op.What = LaneOperation::Forget;
  }
}

/// Translates a load. Constant global variables are known, all other memory is
/// not.
void CodeMaker::makeLoad(const LoadInst &Load, LaneOperation &Op) {
  const auto *V =
      dyn_cast<GlobalVariable>(Load.getPointerOperand()->stripPointerCasts());
  if (!V || !V->isConstant() || !V->hasDefinitiveInitializer() ||
      V->getValueType() != Load.getType())
    return;
  if (const auto *Number = dyn_cast<ConstantInt>(V->getInitializer());
      Number && Number->getBitWidth() <= 64) {
    Op.What = LaneOperation::Copy;
    Op.A = slotOfNumber(Number->getZExtValue());
  }
}

void CodeMaker::makeCall(const CallBase &Call, LaneOperation &Op) {
  Op.By = &Call;
  const LaneCall Known = findLaneCall(Call, Symbols);
  Op.What = Known.What;
  Op.Opcode = Known.Opcode;
  for (const Use &Argument : Call.args())
    Op.Arguments.push_back(operandOf(Argument.get(), Call.getParent()));
  if (Op.What == LaneOperation::Call)
    Op.Callee = findCallee(Call);
  if (!Op.Arguments.empty())
    Op.A = Op.Arguments[0];
  if (Op.Arguments.size() > 1)
    Op.B = Op.Arguments[1];
}

/// Translates one instruction. What is not listed has an unknown result, which
/// is what a default LaneOperation says.
LaneOperation CodeMaker::makeOperation(const Instruction &I) {
  LaneOperation Op;
  Op.Bits = bitsOf(I.getType());
  if (isNumber(I.getType()))
    Op.D = slotOf(&I);
  addAccesses(I, Op);
  const auto operand = [&](unsigned Index) {
    return operandOf(I.getOperand(Index), I.getParent());
  };
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    makeCall(*Call, Op);
    return Op;
  }
  if (!Op.D || !isNumber(I.getOperand(0)->getType()))
    return Op;
  if (isa<BinaryOperator>(I)) {
    Op.What = LaneOperation::Binary;
    Op.Opcode = I.getOpcode();
    Op.A = operand(0);
    Op.B = operand(1);
  } else if (const auto *Compare = dyn_cast<ICmpInst>(&I)) {
    Op.What = LaneOperation::Compare;
    Op.Opcode = Compare->getPredicate();
    Op.Bits = bitsOf(Compare->getOperand(0)->getType());
    Op.A = operand(0);
    Op.B = operand(1);
  } else if (isa<SExtInst>(I)) {
    Op.What = LaneOperation::Extend;
    Op.Opcode = bitsOf(I.getOperand(0)->getType());
    Op.A = operand(0);
  } else if (isa<CastInst, FreezeInst>(I)) {
    Op.What = LaneOperation::Copy;
    Op.A = operand(0);
  } else if (isa<SelectInst>(I)) {
    Op.What = LaneOperation::Select;
    Op.A = operand(0);
    Op.B = operand(1);
    Op.C = operand(2);
  } else if (const auto *GEP = dyn_cast<GEPOperator>(&I)) {
    makeAddress(*GEP, Op);
  } else if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    makeLoad(*Load, Op);
  }
  return Op;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Translates an edge. A back edge leads to the latch, and puts the next values
/// of phi nodes in their second slots.
LaneEdge CodeMaker::makeEdge(const BasicBlock &From, const BasicBlock &To) {
  LaneEdge Edge;
  Edge.To = Numbers.lookup(&To);
  const Loop *Of = Loops.getLoopFor(&To);
  const bool IsBack = Of && Of->getHeader() == &To && Of->contains(&From);
  if (IsBack)
    Edge.To = Code.Loops[LoopNumbers.lookup(Of)].Latch;
  else if (Edge.To <= Numbers.lookup(&From))
    Code.IsReducible = false;
  for (const Loop *L = Loops.getLoopFor(&From); L && !L->contains(&To);
       L = L->getParentLoop())
    Edge.Left.push_back(LoopNumbers.lookup(L));
  for (const PHINode &Phi : To.phis())
    if (isNumber(Phi.getType())) {
      const unsigned Slot = IsBack ? Waiting.lookup(&Phi) : slotOf(&Phi);
      Edge.Copies.push_back(
          {Slot, operandOf(Phi.getIncomingValueForBlock(&From), &From)});
    }
  return Edge;
}

/// Translates the end of a block. Behind `unreachable`, or a call that does not
/// return, threads do not go on (LaneBlock::End).
void CodeMaker::makeTerminator(const BasicBlock &BB, LaneBlock &Block) {
  const Instruction &Last = *BB.getTerminator();
  if (const auto *Return = dyn_cast<ReturnInst>(&Last)) {
    Block.Ends = LaneBlock::Return;
    if (const Value *Result = Return->getReturnValue())
      Block.Condition = operandOf(Result, &BB);
    return;
  }
  if (const auto *Branch = dyn_cast<BranchInst>(&Last)) {
    Block.Ends = Branch->isConditional() ? LaneBlock::Branch : LaneBlock::Jump;
    if (Branch->isConditional())
      Block.Condition = operandOf(Branch->getCondition(), &BB);
    for (unsigned I = 0; I != Branch->getNumSuccessors(); ++I)
      Block.Edges.push_back(makeEdge(BB, *Branch->getSuccessor(I)));
    return;
  }
  if (const auto *Switch = dyn_cast<SwitchInst>(&Last)) {
    Block.Ends = LaneBlock::Switch;
    Block.Condition = operandOf(Switch->getCondition(), &BB);
    Block.Edges.push_back(makeEdge(BB, *Switch->getDefaultDest()));
    for (const auto &Case : Switch->cases()) {
      Block.Edges.push_back(makeEdge(BB, *Case.getCaseSuccessor()));
      Block.Cases.push_back(Case.getCaseValue()->getValue().getLimitedValue());
    }
    return;
  }
  if (isa<UnreachableInst>(Last))
    return;
  // Computed gotos, and jumps out of assembly: any successor.
  Block.Ends = LaneBlock::Switch;
  for (const BasicBlock *To : successors(&BB))
    Block.Edges.push_back(makeEdge(BB, *To));
  Block.Cases.resize(std::max<size_t>(Block.Edges.size(), 1) - 1);
  Code.IsReducible = false;
}

/// Returns false for operations without a result and without effects.
static bool isWorthARun(const LaneOperation &Op) {
  return Op.D || Op.What != LaneOperation::Forget || !Op.Accesses.empty();
}

void CodeMaker::makeBlock(const BasicBlock &BB) {
  LaneBlock &Block = Code.Blocks[Numbers.lookup(&BB)];
  Block.From = &BB;
  for (const Instruction &I : BB) {
    if (isa<PHINode>(I) || I.isTerminator() || I.isDebugOrPseudoInst())
      continue;
    LaneOperation Op = makeOperation(I);
    if (isWorthARun(Op))
      Block.Operations.push_back(std::move(Op));
  }
  makeTerminator(BB, Block);
  Block.Reconvergence = findReconvergence(BB);
  if (const Loop *L = Loops.getLoopFor(&BB)) {
    Block.Loop = LoopNumbers.lookup(L);
    Block.IsHeader = L->getHeader() == &BB;
  }
}

/// Second slots for phi nodes are needed before any edge is translated.
WarpCode CodeMaker::make() {
  placeBlocks();
  Code.Blocks.resize(BlockAt.size());
  for (const Argument &A : F.args())
    Code.Arguments.push_back(
        isNumber(A.getType()) && !A.hasByValAttr() ? slotOf(&A) : NoSlot);
  for (auto [L, Id] : LoopNumbers)
    for (const PHINode &Phi : L->getHeader()->phis())
      if (isNumber(Phi.getType())) {
        Waiting[&Phi] = Code.NumSlots++;
        Code.Loops[Id].Phis.push_back({slotOf(&Phi), Waiting[&Phi]});
      }
  for (const BasicBlock *BB : BlockAt)
    if (BB)
      makeBlock(*BB);
  for (unsigned Id = 0; Id != Code.Loops.size(); ++Id) {
    LaneBlock &Latch = Code.Blocks[Code.Loops[Id].Latch];
    Latch.Ends = LaneBlock::Latch;
    Latch.Loop = Id;
  }
  dropUnused(Code);
  return std::move(Code);
}

WarpCode cudaopt::check::prepare(
    const Function &F, const SymbolTable &Symbols, const PlacesOfCode &Places,
    const DenseMap<const GlobalVariable *, unsigned> &Variables) {
  return CodeMaker(F, Symbols, Places, Variables).make();
}
