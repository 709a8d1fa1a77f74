// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Computes the places of values by iterating over all instructions of a module
/// until no set of places grows any more.
//===----------------------------------------------------------------------===//

#include "SharedFlow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace cudaopt::check;

/// The most offsets of one object that a set of places holds; more become
/// AnyOffset, so that sets stay finite and the fixed point is reached.
static constexpr unsigned MaxOffsets = 16;
static constexpr unsigned SharedSpace = 3;

const Function *cudaopt::check::findCallee(const CallBase &Call) {
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  // A call whose type differs from that of the function is not understood.
  return Callee && Callee->getFunctionType() == Call.getFunctionType()
             ? Callee
             : nullptr;
}

void cudaopt::check::addCallees(const Function &F, FunctionSet &To) {
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const Function *Callee = findCallee(*Call);
          SharedFlow::isFollowed(Callee))
        To.insert(Callee);
}

unsigned SharedFlow::addObject(const Value *Of, bool IsShared) {
  const unsigned Id = Objects.size();
  Objects.push_back({Of, IsShared, {}});
  if (Of)
    ByValue[Of] = Id;
  return Id;
}

/// Makes the objects: shared variables, local variables, and constants that
/// hold addresses.
void SharedFlow::addObjects(const Module &M) {
  addObject(nullptr, false);
  for (const GlobalVariable &V : M.globals())
    if (V.getAddressSpace() == SharedSpace)
      addObject(&V, true);
  for (const GlobalVariable &V : M.globals())
    if (V.getAddressSpace() != SharedSpace && V.hasInitializer())
      if (Places Held = placesOf(V.getInitializer()); !Held.empty()) {
        const unsigned Id = addObject(&V, false);
        Objects[Id].Contents[{Place::AnyOffset, 0, false}] = Held;
      }
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (isa<AllocaInst>(I))
        addObject(&I, false);
}

SharedFlow::SharedFlow(const Module &M, const SymbolTable &Symbols)
    : Layout(M.getDataLayout()), Symbols(Symbols) {
  addObjects(M);
  for (const Function &F : M) {
    // A launch, or a call through a pointer, may pass any address.
    if (F.getCallingConv() == CallingConv::PTX_Kernel || F.hasAddressTaken())
      for (const Argument &A : F.args())
        set(&A, {{Unknown}});
    // An object that is passed by value is a local variable of the callee.
    for (const Argument &A : F.args())
      if (A.hasByValAttr())
        addObject(&A, false);
  }
  // Sets only grow, and are finite: iterate to the least fixed point.
  do {
    HasChanged = false;
    for (const Function &F : M)
      for (const Instruction &I : instructions(F))
        visit(I);
  } while (HasChanged);
}

//===----------------------------------------------------------------------===//
// Places of values
//===----------------------------------------------------------------------===//

/// Returns what \p U may be computed from, with unknown offsets.
Places SharedFlow::ofOperands(const User &U) const {
  Places Result;
  for (const Use &Operand : U.operands())
    for (const Place &P : placesOf(Operand.get()))
      Result.insert({P.Object, Place::AnyOffset});
  return Result;
}

/// Variables point to themselves. Constant expressions are evaluated here; the
/// places of instructions and arguments are those found so far.
Places SharedFlow::placesOf(const Value *V) const {
  if (isa<BasicBlock, MetadataAsValue, InlineAsm>(V))
    return {};
  if (auto It = ByValue.find(V); It != ByValue.end())
    return {{It->second, Objects[It->second].IsShared ? Place::AnyOffset : 0}};
  if (isa<GlobalVariable>(V))
    return {{Unknown}};
  if (isa<GlobalValue, ConstantData>(V))
    return {};
  if (const auto *GEP = dyn_cast<GEPOperator>(V); GEP && isa<Constant>(V))
    return shift(*GEP);
  if (const auto *C = dyn_cast<ConstantExpr>(V); C && C->isCast())
    return placesOf(C->getOperand(0));
  if (const auto *C = dyn_cast<Constant>(V))
    return ofOperands(*C);
  return Values.lookup(V);
}

/// Adds \p From to \p Into, and returns whether that has grown.
bool SharedFlow::merge(Places &Into, const Places &From) {
  bool IsNew = false;
  for (const Place &P : From) {
    if (Into.contains({P.Object, Place::AnyOffset}) || !Into.insert(P).second)
      continue;
    IsNew = true;
    const auto Same = [&](const Place &Q) { return Q.Object == P.Object; };
    if (P.Offset == Place::AnyOffset || count_if(Into, Same) > MaxOffsets) {
      std::erase_if(Into, Same);
      Into.insert({P.Object, Place::AnyOffset});
    }
  }
  return IsNew;
}

void SharedFlow::set(const Value *V, const Places &What) {
  if (!What.empty())
    HasChanged |= merge(Values[V], What);
}

int64_t SharedFlow::sizeOf(const Type *Type) const {
  return Layout.getTypeStoreSize(const_cast<llvm::Type *>(Type))
      .getFixedValue();
}

/// Returns the places of an address computation: those of the base, moved by
/// the offset if that is constant.
Places SharedFlow::shift(const GEPOperator &GEP) const {
  APInt Offset(Layout.getIndexSizeInBits(GEP.getPointerAddressSpace()), 0);
  const bool IsConstant = GEP.accumulateConstantOffset(Layout, Offset);
  Places Result;
  for (Place P : placesOf(GEP.getPointerOperand())) {
    if (P.Offset != Place::AnyOffset)
      P.Offset =
          IsConstant ? P.Offset + Offset.getSExtValue() : Place::AnyOffset;
    Result.insert(P);
  }
  // An index that was computed from an address makes the result depend on it.
  for (const Use &Index : GEP.indices())
    for (const Place &P : placesOf(Index.get()))
      Result.insert({P.Object, Place::AnyOffset});
  return Result;
}

/// Returns true if [A, A + SizeA) and [B, B + SizeB) have a byte in common.
static bool overlaps(int64_t A, int64_t SizeA, int64_t B, int64_t SizeB) {
  return A == Place::AnyOffset || B == Place::AnyOffset ||
         (A < B + SizeB && B < A + SizeA);
}

/// Returns true if a value of \p Type can hold a whole address.
static bool hasRoom(const Type *Type) {
  return Type->isPointerTy() || Type->isIntegerTy(64) ||
         Type->isAggregateType();
}

/// Returns the places that a load of \p Type from \p Pointer may yield. Shared
/// and unknown memory may hold any address.
Places SharedFlow::load(const Value *Pointer, const Type *Type) const {
  Places Result;
  for (const Place &P : placesOf(Pointer)) {
    const Object &From = Objects[P.Object];
    if (P.Object == Unknown || From.IsShared) {
      if (hasRoom(Type))
        Result.insert({Unknown});
      continue;
    }
    for (const auto &[S, Held] : From.Contents)
      if ((!S.IsOpaque || hasRoom(Type)) &&
          overlaps(S.Offset, S.Size, P.Offset, sizeOf(Type)))
        Result.insert(Held.begin(), Held.end());
  }
  return Result;
}

/// Adds \p What to what \p Pointer points to. Stores to shared and unknown
/// memory are escapes, which FoundUses.cpp reports.
void SharedFlow::store(const Value *Pointer, const Places &What, int64_t Size,
                       bool IsOpaque) {
  if (What.empty())
    return;
  for (const Place &P : placesOf(Pointer)) {
    Object &Into = Objects[P.Object];
    if (P.Object == Unknown || Into.IsShared)
      continue;
    const int64_t Offset = IsOpaque ? Place::AnyOffset : P.Offset;
    HasChanged |= merge(Into.Contents[{Offset, Size, IsOpaque}], What);
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Visits memcpy() or memmove(): addresses in the source are in the destination
/// afterwards, at the same distance if all offsets are known.
void SharedFlow::copyBytes(const MemTransferInst &Copy) {
  const auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  for (const Place &From : placesOf(Copy.getRawSource())) {
    const Object &Source = Objects[From.Object];
    if (From.Object == Unknown || Source.IsShared)
      continue;
    const auto Contents = Source.Contents; // A copy: Into may be Source.
    for (const auto &[S, Held] : Contents) {
      if (Length &&
          !overlaps(S.Offset, S.Size, From.Offset, Length->getSExtValue()))
        continue;
      for (const Place &To : placesOf(Copy.getRawDest())) {
        Object &Into = Objects[To.Object];
        if (To.Object == Unknown || Into.IsShared)
          continue;
        const bool IsKnown = S.Offset != Place::AnyOffset &&
                             From.Offset != Place::AnyOffset &&
                             To.Offset != Place::AnyOffset;
        const int64_t Offset =
            IsKnown ? To.Offset + (S.Offset - From.Offset) : Place::AnyOffset;
        HasChanged |= merge(Into.Contents[{Offset, S.Size, S.IsOpaque}], Held);
      }
    }
  }
}

StringRef SharedFlow::nameOf(const Function &F) const {
  auto It = Symbols.Library.find(F.getName());
  return It == Symbols.Library.end() ? F.getName() : StringRef(It->second);
}

/// Returns true for functions of the toolkit that access what their arguments
/// point to, but store none of the addresses there.
static bool forgetsAddresses(StringRef Name) {
  return Name.starts_with("atomic") || Name == "load_matrix_sync" ||
         Name == "store_matrix_sync" || Name == "memcpy_async" ||
         Name == "__pipeline_memcpy_async";
}

/// Visits a call of code that is not seen. It may return the addresses that it
/// is passed, or that these lead to, and may store them to what they point to.
void SharedFlow::visitOpaque(const CallBase &Call, const Function *Callee) {
  Places Passed, Numbers;
  for (const Use &Argument : Call.args()) {
    const Places Each = placesOf(Argument.get());
    Passed.insert(Each.begin(), Each.end());
    if (Argument->getType()->isPointerTy()) {
      for (const Place &P : Each)
        for (const auto &[S, Held] : Objects[P.Object].Contents)
          Passed.insert(Held.begin(), Held.end());
    } else {
      Numbers.insert(Each.begin(), Each.end());
    }
  }
  const bool IsIntrinsic = Callee && Callee->isIntrinsic();
  Type *Result = Call.getType();
  if (!Result->isVoidTy()) {
    if (Result->isPointerTy() || (!IsIntrinsic && hasRoom(Result)))
      set(&Call, Passed);
    set(&Call, Numbers);
    if (hasRoom(Result) && !IsIntrinsic)
      set(&Call, {{Unknown}});
  }
  if (IsIntrinsic || (Callee && forgetsAddresses(nameOf(*Callee))))
    return;
  for (const Use &Argument : Call.args())
    if (Argument->getType()->isPointerTy())
      store(Argument.get(), Passed, 0, /*IsOpaque=*/true);
}

/// Visits a call. Arguments flow to the parameters of a callee with a body, and
/// its returned value to the result. An object that is passed by value is
/// copied, with the addresses in it.
void SharedFlow::visitCall(const CallBase &Call) {
  if (const auto *Copy = dyn_cast<MemTransferInst>(&Call))
    return copyBytes(*Copy);
  const Function *Callee = findCallee(Call);
  if (!isFollowed(Callee))
    return visitOpaque(Call, Callee);
  for (const Argument &Parameter : Callee->args()) {
    const Value *Argument = Call.getArgOperand(Parameter.getArgNo());
    if (!Parameter.hasByValAttr()) {
      set(&Parameter, placesOf(Argument));
      continue;
    }
    Object &Copy = Objects[ByValue.lookup(&Parameter)];
    for (const Place &P : placesOf(Argument))
      for (const auto &[S, Held] : Objects[P.Object].Contents)
        if (P.Offset == 0 || P.Offset == Place::AnyOffset)
          HasChanged |= merge(Copy.Contents[S], Held);
        else
          HasChanged |= merge(
              Copy.Contents[{Place::AnyOffset, S.Size, S.IsOpaque}], Held);
  }
  set(&Call, Returned.lookup(Callee));
}

/// Visits one instruction: adds to the places of its result, or to what memory
/// holds. Comparisons yield no addresses; arithmetic hands on the objects of
/// its operands with unknown offsets, since the result may be converted back to
/// a pointer.
void SharedFlow::visit(const Instruction &I) {
  if (isa<AllocaInst, CmpInst, FenceInst>(I))
    return;
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return set(Load, load(Load->getPointerOperand(), Load->getType()));
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return store(Store->getPointerOperand(), placesOf(Store->getValueOperand()),
                 sizeOf(Store->getValueOperand()->getType()), false);
  if (const auto *GEP = dyn_cast<GEPOperator>(&I))
    return set(&I, shift(*GEP));
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return set(&I, {{Unknown}});
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call);
  if (const auto *Return = dyn_cast<ReturnInst>(&I)) {
    if (const Value *V = Return->getReturnValue())
      HasChanged |= merge(Returned[I.getFunction()], placesOf(V));
    return;
  }
  if (I.isTerminator())
    return;
  if (isa<CastInst>(I) && I.getOperand(0)->getType()->isPointerTy())
    return set(&I, placesOf(I.getOperand(0)));
  if (isa<PHINode, SelectInst>(I)) {
    for (const Use &Operand : I.operands())
      set(&I, placesOf(Operand.get()));
    return;
  }
  Places Result = ofOperands(I);
  if (isa<IntToPtrInst>(I) && Result.empty())
    Result.insert({Unknown});
  set(&I, Result);
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

std::set<const GlobalVariable *> SharedFlow::sharedOf(const Value *V) const {
  std::set<const GlobalVariable *> Result;
  for (const Place &P : placesOf(V))
    if (Objects[P.Object].IsShared)
      Result.insert(cast<GlobalVariable>(Objects[P.Object].Of));
  return Result;
}

std::set<const GlobalVariable *>
SharedFlow::reachableFrom(const Value *V) const {
  std::set<const GlobalVariable *> Result;
  std::set<unsigned> Seen;
  Places Left = placesOf(V);
  while (!Left.empty()) {
    const Place P = Left.extract(Left.begin()).value();
    if (!Seen.insert(P.Object).second)
      continue;
    if (Objects[P.Object].IsShared)
      Result.insert(cast<GlobalVariable>(Objects[P.Object].Of));
    for (const auto &[S, Held] : Objects[P.Object].Contents)
      Left.insert(Held.begin(), Held.end());
  }
  return Result;
}

bool SharedFlow::isLocal(const Value *V) const {
  const Places Found = placesOf(V);
  return !Found.empty() && all_of(Found, [&](const Place &P) {
    return P.Object != Unknown && !Objects[P.Object].IsShared;
  });
}
