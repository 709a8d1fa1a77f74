// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers instructions. A value that only renames another one (a cast that
/// keeps the bits, an element of an aggregate) shares that one's registers and
/// costs no operation.
//===----------------------------------------------------------------------===//

#include "Casts.h"
#include "Lowering.h"
#include "Reconvergence.h"
#include "RequestMerger.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <bit>

using namespace llvm;

namespace cudaopt::simt {

KernelLowering::KernelLowering(Function &F, const DeviceVariables &Variables,
                               const LowerOptions &Options)
    : F(F), DL(F.getParent()->getDataLayout()), Variables(Variables),
      Options(Options) {
  P.Name = F.getName().str();
  P.Sites.emplace_back();
}

Expected<Program> KernelLowering::run() {
  placeShared();
  if (Options.Optimize)
    Issued = findMergedRequests(F, SharedAddresses);
  lowerParameters();
  ReversePostOrderTraversal<const Function *> Order(&F);
  SmallPtrSet<const BasicBlock *, 32> Reachable(Order.begin(), Order.end());
  for (const BasicBlock &BB : F)
    if (Reachable.contains(&BB))
      Numbers.try_emplace(&BB, Numbers.size());
  P.Blocks.resize(Numbers.size());

  Reconvergence Meeting(F);
  for (auto &[BB, Number] : Numbers)
    if (const BasicBlock *Point = Meeting.pointOf(*BB))
      P.Blocks[Number].Reconvergence = static_cast<int>(Numbers.lookup(Point));
  // In reverse post-order, definitions come before uses, so that a value can
  // share the registers of another one. Phi nodes get registers of their own.
  for (const BasicBlock *BB : Order) {
    lowerBlock(*BB);
    if (hasFailed())
      return createStringError(Failure);
  }
  return std::move(P);
}

//===----------------------------------------------------------------------===//
// Refusals and source positions
//===----------------------------------------------------------------------===//

void KernelLowering::refuse(const Twine &What) {
  fail(What + " is not modelled");
}

void KernelLowering::fail(const Twine &Message) {
  if (hasFailed())
    return;
  std::string Where = P.Sites[Site].Line ? P.textOf(P.Sites[Site])
                                         : "kernel '" + sourceName(F) + "'";
  Failure = (Where + ": " + Message).str();
}

/// Returns the innermost position of an inlining chain that is in the user's
/// code; the outermost one if none is.
static const DILocation *placeOfUser(const DILocation *Loc,
                                     const LowerOptions &Options) {
  const DILocation *Outermost = nullptr;
  for (; Loc; Loc = Loc->getInlinedAt()) {
    if (!Loc->getLine())
      continue;
    Outermost = Loc;
    if (!Options.IsSystemFile || !Options.IsSystemFile(Loc->getFilename()))
      return Loc;
  }
  return Outermost;
}

/// Returns the index of a position in Program::Sites, which it is added to.
uint32_t KernelLowering::siteOf(const DILocation *Loc) {
  Loc = placeOfUser(Loc, Options);
  if (!Loc)
    return 0;
  auto [File, IsNewFile] =
      FileNumbers.try_emplace(Loc->getFilename(), P.Files.size());
  if (IsNewFile)
    P.Files.push_back(Loc->getFilename().str());
  SourceRef Where = {File->second, Loc->getLine(), Loc->getColumn()};
  auto [Known, IsNewSite] = SiteNumbers.try_emplace(Where, P.Sites.size());
  if (IsNewSite)
    P.Sites.push_back(Where);
  return Known->second;
}

void KernelLowering::setSite(const Instruction &I) {
  Site = siteOf(I.getDebugLoc().get());
}

//===----------------------------------------------------------------------===//
// Types and registers
//===----------------------------------------------------------------------===//

unsigned KernelLowering::registersOf(Type *T) {
  if (auto *S = dyn_cast<StructType>(T)) {
    unsigned Count = 0;
    for (Type *Element : S->elements())
      Count += registersOf(Element);
    return Count;
  }
  if (auto *A = dyn_cast<ArrayType>(T))
    return static_cast<unsigned>(A->getNumElements()) *
           registersOf(A->getElementType());
  if (auto *V = dyn_cast<FixedVectorType>(T))
    return V->getNumElements();
  return T->isVoidTy() ? 0 : 1;
}

unsigned KernelLowering::scalarBits(Type *T) {
  T = T->getScalarType();
  uint64_t Bits = T->isPointerTy()
                      ? DL.getPointerSizeInBits(T->getPointerAddressSpace())
                      : T->getPrimitiveSizeInBits().getFixedValue();
  if (T->isPointerTy() && Bits != 64)
    refuse("a pointer of " + Twine(Bits) + " bits");
  if (Bits == 0 || Bits > 64) {
    std::string Text;
    raw_string_ostream(Text) << *T;
    refuse("a value of type '" + Text + "'");
    return 64;
  }
  return static_cast<unsigned>(Bits);
}

unsigned KernelLowering::offsetIn(Type *T, ArrayRef<unsigned> Path) {
  unsigned Offset = 0;
  for (unsigned Index : Path) {
    auto *S = dyn_cast<StructType>(T);
    for (unsigned I = 0; S && I < Index; ++I)
      Offset += registersOf(S->getElementType(I));
    T = S ? S->getElementType(Index) : cast<ArrayType>(T)->getElementType();
    if (!S)
      Offset += Index * registersOf(T);
  }
  return Offset;
}

Register KernelLowering::fresh(unsigned Count) {
  auto First = static_cast<Register>(P.NumRegisters);
  P.NumRegisters += Count;
  return First;
}

Register KernelLowering::constant(uint64_t Value) {
  auto [Known, IsNew] = Constants.try_emplace(Value, NoRegister);
  if (IsNew) {
    Known->second = fresh();
    P.Constants.emplace_back(Known->second, Value);
  }
  return Known->second;
}

Register KernelLowering::registerOf(const Value *V) {
  auto Known = Registers.find(V);
  if (Known != Registers.end())
    return Known->second;
  const auto *C = dyn_cast<Constant>(V);
  Register First = C ? lowerConstant(C) : fresh(registersOf(V->getType()));
  Registers[V] = First;
  return First;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isConversion(Opcode Code) {
  return Code >= Opcode::Truncate && Code <= Opcode::FTruncate;
}

/// The registers of a value are consecutive, so that element E of an operand is
/// E registers behind the first one.
void KernelLowering::elementwise(const Instruction &I, Opcode Code,
                                 ArrayRef<const Value *> Operands,
                                 uint8_t Variant, int64_t Immediate) {
  Type *T = I.getType(), *From = Operands.front()->getType();
  if (T->getScalarType()->isBFloatTy() || From->getScalarType()->isBFloatTy())
    return refuse("arithmetic in bfloat16");
  unsigned SourceBits = scalarBits(From);
  bool GivesOneBit = Code == Opcode::Compare || Code == Opcode::FCompare ||
                     Code == Opcode::FClass;
  unsigned Bits = GivesOneBit ? SourceBits : scalarBits(T);
  Register D = registerOf(&I);
  std::array<Register, 3> Sources = {NoRegister, NoRegister, NoRegister};
  for (auto [Index, Operand] : enumerate(Operands))
    Sources[Index] = registerOf(Operand);
  for (unsigned E = 0, N = registersOf(T); E < N; ++E) {
    Operation &O = emit(Code, Bits, D + E, Sources[0], Sources[1], Sources[2]);
    if (isConversion(Code))
      O.SourceBits = static_cast<uint8_t>(SourceBits);
    O.Variant = Variant;
    O.Immediate = Immediate;
    for (unsigned Index = 0; Index < Operands.size(); ++Index)
      ++Sources[Index];
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void KernelLowering::lowerBlock(const BasicBlock &BB) {
  Current = &P.Blocks[Numbers.lookup(&BB)];
  BlockHasEnded = false;
  for (const Instruction &I : BB) {
    if (I.isDebugOrPseudoInst())
      continue;
    setSite(I);
    lower(I);
    if (BlockHasEnded || hasFailed())
      return;
  }
}

/// All phi nodes of the target are assigned on the edge; those whose value
/// comes from their own register need no copy.
unsigned KernelLowering::addEdge(const BasicBlock &From, const BasicBlock &To) {
  Edge E;
  E.To = Numbers.lookup(&To);
  for (const PHINode &Phi : To.phis()) {
    Register D = registerOf(&Phi);
    Register S = registerOf(Phi.getIncomingValueForBlock(&From));
    for (unsigned I = 0, N = registersOf(Phi.getType()); I < N && D != S; ++I)
      E.Copies.emplace_back(D + I, S + I);
  }
  Current->Edges.push_back(std::move(E));
  return static_cast<unsigned>(Current->Edges.size()) - 1;
}

/// An unreachable instruction is lowered to a trap, which reports if it is
/// reached.
void KernelLowering::lowerTerminator(const Instruction &I) {
  const BasicBlock &BB = *I.getParent();
  if (isa<ReturnInst>(I)) {
    emit(Opcode::Return, 32);
  } else if (isa<UnreachableInst>(I)) {
    emit(Opcode::Trap, 32);
  } else if (const auto *Br = dyn_cast<BranchInst>(&I)) {
    // getSuccessor(0) is the true successor, unlike the first of successors().
    for (unsigned I = 0; I != Br->getNumSuccessors(); ++I)
      addEdge(BB, *Br->getSuccessor(I));
    if (Br->isConditional())
      emit(Opcode::CondBranch, 1, NoRegister, registerOf(Br->getCondition()));
    else
      emit(Opcode::Branch, 32);
  } else if (const auto *Switch = dyn_cast<SwitchInst>(&I)) {
    addEdge(BB, *Switch->getDefaultDest());
    SmallVector<std::pair<Register, int64_t>, 0> Cases;
    for (const auto &Case : Switch->cases())
      Cases.emplace_back(
          addEdge(BB, *Case.getCaseSuccessor()),
          static_cast<int64_t>(Case.getCaseValue()->getZExtValue()));
    const Value *Condition = Switch->getCondition();
    emit(Opcode::Switch, scalarBits(Condition->getType()), NoRegister,
         registerOf(Condition))
        .Extra = std::move(Cases);
  } else {
    refuse("the instruction '" + Twine(I.getOpcodeName()) + "'");
  }
}

/// Lowers any instruction.
void KernelLowering::lower(const Instruction &I) {
  if (isa<PHINode>(I)) {
    registerOf(&I);
  } else if (I.isTerminator()) {
    lowerTerminator(I);
  } else if (const auto *Call = dyn_cast<CallBase>(&I)) {
    Call->isInlineAsm() ? lowerAsm(*this, *Call) : lowerCall(*this, *Call);
  } else if (const auto *Bits = dyn_cast<BitCastInst>(&I)) {
    lowerBitCast(*Bits);
  } else if (const auto *Space = dyn_cast<AddrSpaceCastInst>(&I)) {
    lowerAddressSpaceCast(*Space);
  } else if (const auto *Cast = dyn_cast<CastInst>(&I)) {
    lowerCast(*Cast);
  } else if (const auto *Element = dyn_cast<GetElementPtrInst>(&I)) {
    lowerAddress(*Element);
  } else if (const auto *Choice = dyn_cast<SelectInst>(&I)) {
    lowerSelect(*Choice);
  } else if (isa<FreezeInst>(I)) {
    define(&I, registerOf(I.getOperand(0)));
  } else if (const auto *Extract = dyn_cast<ExtractElementInst>(&I)) {
    lowerExtractElement(*Extract);
  } else if (const auto *Insert = dyn_cast<InsertElementInst>(&I)) {
    lowerInsertElement(*Insert);
  } else if (const auto *Mix = dyn_cast<ShuffleVectorInst>(&I)) {
    lowerShuffleVector(*Mix);
  } else if (const auto *Part = dyn_cast<ExtractValueInst>(&I)) {
    lowerExtractValue(*Part);
  } else if (const auto *Whole = dyn_cast<InsertValueInst>(&I)) {
    lowerInsertValue(*Whole);
  } else if (const auto *Local = dyn_cast<AllocaInst>(&I)) {
    lowerAlloca(*Local);
  } else if (const auto *Rmw = dyn_cast<AtomicRMWInst>(&I)) {
    lowerAtomic(*Rmw);
  } else if (const auto *Cas = dyn_cast<AtomicCmpXchgInst>(&I)) {
    lowerAtomic(*Cas);
  } else if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    load(Load->getType(), registerOf(Load),
         registerOf(Load->getPointerOperand()),
         {spaceOf(Load->getPointerOperandType()), Load->getAlign().value(),
          Load->isVolatile() || Load->isAtomic()});
    markIssued(I);
  } else if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    store(Store->getValueOperand()->getType(),
          registerOf(Store->getValueOperand()),
          registerOf(Store->getPointerOperand()),
          {spaceOf(Store->getPointerOperandType()), Store->getAlign().value(),
           Store->isVolatile() || Store->isAtomic()});
    markIssued(I);
  } else if (isa<FenceInst>(I)) {
    emit(Opcode::Fence, 32);
  } else if (!lowerArithmetic(I)) {
    refuse("the instruction '" + Twine(I.getOpcodeName()) + "'");
  }
}

//===----------------------------------------------------------------------===//
// Arithmetic, conversions, vectors and aggregates
//===----------------------------------------------------------------------===//

/// Returns the operation for an instruction of Instructions.def; std::nullopt
/// for others.
static std::optional<Opcode> arithmeticOf(unsigned LLVMOpcode) {
  switch (LLVMOpcode) {
#define INSTRUCTION(Name, Code)                                                \
  case Instruction::Name:                                                      \
    return Opcode::Code;
#include "Instructions.def"
  default:
    return std::nullopt;
  }
}

bool isRounding(Opcode Code) {
  switch (Code) {
  case Opcode::FAdd:
  case Opcode::FSub:
  case Opcode::FMul:
  case Opcode::FDiv:
  case Opcode::Fma:
  case Opcode::FSqrt:
  case Opcode::FRcp:
  case Opcode::FRound:
  case Opcode::FToS:
  case Opcode::FToU:
  case Opcode::SToF:
  case Opcode::UToF:
  case Opcode::FTruncate:
    return true;
  default:
    return false;
  }
}

/// Returns the variant of an operation: the predicate of a comparison, or the
/// rounding mode that LLVM prescribes for the instruction.
static uint8_t variantOf(const Instruction &I, Opcode Code) {
  if (const auto *Compare = dyn_cast<CmpInst>(&I))
    return static_cast<uint8_t>(Compare->getPredicate());
  if (!isRounding(Code))
    return 0;
  bool IsToInteger = Code == Opcode::FToS || Code == Opcode::FToU;
  return static_cast<uint8_t>(IsToInteger ? RoundingMode::TowardZero
                                          : RoundingMode::NearestTiesToEven);
}

bool KernelLowering::lowerArithmetic(const Instruction &I) {
  std::optional<Opcode> Code = arithmeticOf(I.getOpcode());
  if (!Code)
    return false;
  SmallVector<const Value *, 2> Operands(I.operands());
  elementwise(I, *Code, Operands, variantOf(I, *Code));
  return true;
}

void KernelLowering::lowerSelect(const SelectInst &I) {
  Register D = registerOf(&I), Condition = registerOf(I.getCondition());
  Register A = registerOf(I.getTrueValue()), B = registerOf(I.getFalseValue());
  bool PerElement = I.getCondition()->getType()->isVectorTy();
  bool IsAggregate = I.getType()->isAggregateType();
  unsigned Bits = IsAggregate ? 64 : scalarBits(I.getType());
  for (unsigned E = 0, N = registersOf(I.getType()); E < N; ++E)
    emit(Opcode::Select, Bits, D + E, PerElement ? Condition + E : Condition,
         A + E, B + E);
}

/// A constant index selects a register. A variable one takes a chain of
/// selections.
void KernelLowering::lowerExtractElement(const ExtractElementInst &I) {
  Register Vector = registerOf(I.getVectorOperand());
  const Value *Index = I.getIndexOperand();
  unsigned Count = registersOf(I.getVectorOperandType());
  if (const auto *C = dyn_cast<ConstantInt>(Index))
    return define(&I, Vector + static_cast<Register>(
                                   C->getValue().getLimitedValue(Count - 1)));
  unsigned IndexBits = scalarBits(Index->getType());
  Register Found = Vector;
  for (unsigned E = 1; E < Count; ++E)
    Found =
        op(Opcode::Select, scalarBits(I.getType()),
           compare(CmpInst::ICMP_EQ, IndexBits, registerOf(Index), constant(E)),
           Vector + E, Found);
  define(&I, Found);
}

void KernelLowering::lowerInsertElement(const InsertElementInst &I) {
  Register D = registerOf(&I), Vector = registerOf(I.getOperand(0));
  Register New = registerOf(I.getOperand(1));
  const Value *Index = I.getOperand(2);
  unsigned Bits = scalarBits(I.getType());
  const auto *C = dyn_cast<ConstantInt>(Index);
  for (unsigned E = 0, N = registersOf(I.getType()); E < N; ++E) {
    if (C) {
      emit(Opcode::Move, Bits, D + E, C->getValue() == E ? New : Vector + E);
      continue;
    }
    Register Hit = compare(CmpInst::ICMP_EQ, scalarBits(Index->getType()),
                           registerOf(Index), constant(E));
    emit(Opcode::Select, Bits, D + E, Hit, New, Vector + E);
  }
}

void KernelLowering::lowerShuffleVector(const ShuffleVectorInst &I) {
  Register D = registerOf(&I);
  Register A = registerOf(I.getOperand(0)), B = registerOf(I.getOperand(1));
  auto Count = static_cast<int>(registersOf(I.getOperand(0)->getType()));
  for (int Index : I.getShuffleMask()) {
    Register Source = Index < 0       ? constant(0)
                      : Index < Count ? A + Index
                                      : B + Index - Count;
    emit(Opcode::Move, scalarBits(I.getType()), D++, Source);
  }
}

void KernelLowering::lowerExtractValue(const ExtractValueInst &I) {
  const Value *Whole = I.getAggregateOperand();
  define(&I, registerOf(Whole) + static_cast<Register>(offsetIn(
                                     Whole->getType(), I.getIndices())));
}

void KernelLowering::lowerInsertValue(const InsertValueInst &I) {
  Register D = registerOf(&I), Whole = registerOf(I.getAggregateOperand());
  const Value *Part = I.getInsertedValueOperand();
  Register New = registerOf(Part);
  unsigned Begin = offsetIn(I.getType(), I.getIndices());
  unsigned End = Begin + registersOf(Part->getType());
  for (unsigned E = 0, N = registersOf(I.getType()); E < N; ++E)
    emit(Opcode::Move, 64, D + E,
         E >= Begin && E < End ? New + (E - Begin) : Whole + E);
}

} // namespace cudaopt::simt
