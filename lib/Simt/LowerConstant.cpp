// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers constants, parameters and shared variables, and the address
/// computations and accesses that use them.
//===----------------------------------------------------------------------===//

#include "ConstantBits.h"
#include "Lowering.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include <bit>

using namespace llvm;

namespace cudaopt::simt {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

void KernelLowering::flatten(const Constant *C,
                             SmallVectorImpl<ScalarConstant> &Scalars) {
  Type *T = C->getType();
  if (T->isAggregateType() || T->isVectorTy()) {
    uint64_t Count = isa<StructType>(T)  ? T->getStructNumElements()
                     : isa<ArrayType>(T) ? T->getArrayNumElements()
                                         : registersOf(T);
    for (unsigned I = 0; I < Count; ++I) {
      const Constant *Element = C->getAggregateElement(I);
      if (!Element)
        return refuse("a constant expression of a vector");
      flatten(Element, Scalars);
    }
    return;
  }
  if (isa<UndefValue>(C))
    return Scalars.push_back({0, scalarBits(T)});
  Scalars.push_back(evaluate(C));
}

/// The constant is evaluated twice, the second time with the shared variables
/// at other addresses. It is the address of a byte of a variable if it moves by
/// as much as the variable does.
KernelLowering::ScalarConstant KernelLowering::evaluate(const Constant *C) {
  ScalarConstant Result;
  uint64_t Shift = 0;
  auto AddressOf = [&](const GlobalValue &V, std::string &Reason) {
    std::optional<uint64_t> Address = addressOf(V, Reason);
    if (!SharedAddresses.contains(&V))
      return Address;
    if (!is_contained(Result.Shared, &V))
      Result.Shared.push_back(&V);
    return std::optional(*Address + Shift);
  };
  std::string Why;
  std::optional<uint64_t> Value = bitsOf(C, DL, AddressOf, Why);
  if (!Value)
    fail(Why);
  Result.Value = Value.value_or(0);
  if (Result.Shared.empty())
    return Result;
  Shift = 1 << 16;
  std::optional<uint64_t> Shifted = bitsOf(C, DL, AddressOf, Why);
  Result.IsAddress = Result.Shared.size() == 1 &&
                     scalarBits(C->getType()) >= 32 && Shifted &&
                     *Shifted - Result.Value == Shift;
  return Result;
}

/// Constants that are plain numbers share registers. Undefined ones and those
/// made of addresses have registers of their own, so that a run can replace
/// them by terms.
Register KernelLowering::lowerConstant(const Constant *C) {
  SmallVector<ScalarConstant, 4> Scalars;
  flatten(C, Scalars);
  if (Scalars.size() == 1 && !Scalars.front().UndefinedBits &&
      Scalars.front().Shared.empty())
    return constant(Scalars.front().Value);
  Register First = fresh(static_cast<unsigned>(Scalars.size()));
  for (auto [Index, Scalar] : enumerate(Scalars)) {
    Register R = First + static_cast<Register>(Index);
    if (Scalar.UndefinedBits)
      P.Undefined.emplace_back(R, Scalar.UndefinedBits);
    else
      P.Constants.emplace_back(R, Scalar.Value);
    for (const GlobalValue *V : Scalar.Shared)
      P.SharedConstants.push_back(
          {R, SharedIndices.lookup(V), !Scalar.IsAddress});
  }
  return First;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

std::optional<uint64_t> KernelLowering::addressOf(const GlobalValue &V,
                                                  std::string &Why) const {
  auto Shared = SharedAddresses.find(&V);
  if (Shared != SharedAddresses.end())
    return Shared->second;
  auto Refused = Variables.Refused.find(&V);
  if (Refused != Variables.Refused.end()) {
    Why = Refused->second;
    return std::nullopt;
  }
  return Variables.addressOf(V, Why);
}

/// Returns true if \p C is an operand of an instruction of \p F, or part of a
/// constant that is.
static bool isUsedIn(const Constant &C, const Function &F,
                     SmallPtrSetImpl<const Constant *> &Seen) {
  for (const User *U : C.users()) {
    if (const auto *I = dyn_cast<Instruction>(U)) {
      if (I->getFunction() == &F)
        return true;
    } else if (const auto *Outer = dyn_cast<Constant>(U)) {
      if (Seen.insert(Outer).second && isUsedIn(*Outer, F, Seen))
        return true;
    }
  }
  return false;
}

/// Returns the alignment that every compiler gives the variable.
static uint32_t promisedAlignment(const GlobalVariable &V,
                                  const DataLayout &DL) {
  return static_cast<uint32_t>(
      DL.getValueOrABITypeAlignment(V.getAlign(), V.getValueType()).value());
}

/// The layout must be the one that Program::makeSharedMemory reproduces: static
/// variables in the order of the module, then the dynamic one.
void KernelLowering::placeShared() {
  SharedMemory Memory;
  SmallVector<const GlobalVariable *, 2> Dynamic;
  // Compilers place one variable behind the other, aligned as its declaration
  // says. CUDA aligns dynamic shared memory to at least 16 bytes.
  uint32_t DynamicAlignment = 16;
  for (const GlobalVariable &V : F.getParent()->globals()) {
    SmallPtrSet<const Constant *, 8> Seen;
    if (V.getAddressSpace() != 3 || !isUsedIn(V, F, Seen))
      continue;
    const uint32_t Alignment = promisedAlignment(V, DL);
    if (V.isDeclaration()) {
      Dynamic.push_back(&V);
      DynamicAlignment = std::max(DynamicAlignment, Alignment);
      continue;
    }
    auto Size = static_cast<uint32_t>(DL.getTypeAllocSize(V.getValueType()));
    unsigned Index = Memory.place(sourceName(V), Size, Alignment);
    SharedAddresses[&V] = Memory.arrays()[Index].Address;
    SharedIndices[&V] = static_cast<unsigned>(P.Shared.size());
    P.Shared.push_back({sourceName(V), Size, Alignment, /*IsDynamic=*/false,
                        Memory.arrays()[Index].Address, V.getName().str(),
                        promisedAlignment(V, DL)});
  }
  if (Dynamic.empty())
    return;
  std::string Name = sourceName(*Dynamic.front());
  unsigned Index = Memory.place(Name, 0, DynamicAlignment);
  SharedAddr Address = Memory.arrays()[Index].Address;
  for (const GlobalVariable *V : Dynamic) {
    SharedAddresses[V] = Address;
    SharedIndices[V] = static_cast<unsigned>(P.Shared.size());
  }
  // All dynamic variables are the same memory, with a key that no variable has.
  P.Shared.push_back({std::move(Name), 0, DynamicAlignment, /*IsDynamic=*/true,
                      Address, "dynamic shared memory", DynamicAlignment});
}

/// Appends the scalars of a value of type \p T at \p Offset of a parameter.
static void addFields(std::vector<Parameter::Field> &Fields, Type *T,
                      uint64_t Offset, const DataLayout &DL) {
  if (auto *S = dyn_cast<StructType>(T)) {
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      addFields(Fields, S->getElementType(I),
                Offset + DL.getStructLayout(S)->getElementOffset(I), DL);
    return;
  }
  if (T->isArrayTy() || T->isVectorTy()) {
    Type *Element = T->getContainedType(0);
    uint64_t Step = DL.getTypeAllocSize(Element);
    for (uint64_t I = 0,
                  N = DL.getTypeAllocSize(T) / std::max<uint64_t>(Step, 1);
         I < N; ++I)
      addFields(Fields, Element, Offset + I * Step, DL);
    return;
  }
  Fields.push_back({static_cast<uint32_t>(Offset),
                    static_cast<uint32_t>(DL.getTypeStoreSize(T)),
                    T->isPointerTy(), T->isFloatingPointTy()});
}

void KernelLowering::lowerParameters() {
  for (const Argument &A : F.args()) {
    Type *T = A.hasByValAttr() ? A.getParamByValType() : A.getType();
    Parameter Formal;
    Formal.Name = A.getName().str();
    Formal.Value = registerOf(&A);
    Formal.IsByValue = A.hasByValAttr();
    Formal.Size = static_cast<uint32_t>(DL.getTypeAllocSize(T));
    if (Formal.IsByValue) {
      addFields(Formal.Fields, T, 0, DL);
    } else if (T->isSingleValueType() && !T->isVectorTy()) {
      Formal.IsPointer = T->isPointerTy();
      Formal.IsFloat = T->isFloatingPointTy();
      Formal.Bits = static_cast<uint8_t>(scalarBits(T));
    } else {
      refuse("a parameter that is a vector or an aggregate in registers");
    }
    P.Parameters.push_back(std::move(Formal));
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

PointerSpace KernelLowering::spaceOf(Type *Pointer) {
  switch (Pointer->getPointerAddressSpace()) {
  case 0:
    return PointerSpace::Generic;
  case 1:
    return PointerSpace::Global;
  case 3:
    return PointerSpace::Shared;
  case 4:
    return PointerSpace::Const;
  case 5:
    return PointerSpace::Local;
  case 101:
    return PointerSpace::Param;
  default:
    refuse("memory of address space " +
           Twine(Pointer->getPointerAddressSpace()));
    return PointerSpace::Generic;
  }
}

/// Global, constant and parameter addresses are generic already.
Register KernelLowering::toGeneric(Register Address, PointerSpace Space) {
  if (Space == PointerSpace::Shared)
    return op(Opcode::ToGeneric, 64, Address);
  if (Space == PointerSpace::Local)
    return op(Opcode::LocalToGeneric, 64, Address);
  return Address;
}

/// A cast between two spaces goes through the generic address.
void KernelLowering::lowerAddressSpaceCast(const AddrSpaceCastInst &I) {
  if (I.getType()->isVectorTy())
    return refuse("a vector of pointers");
  PointerSpace From = spaceOf(I.getSrcTy()), To = spaceOf(I.getDestTy());
  Register A = registerOf(I.getPointerOperand());
  if (From != To) {
    A = toGeneric(A, From);
    if (To == PointerSpace::Shared)
      A = op(Opcode::ToShared, 64, A);
    else if (To == PointerSpace::Local)
      A = op(Opcode::ToLocal, 64, A);
  }
  define(&I, A);
}

Register KernelLowering::offset(Register A, int64_t Bytes) {
  if (Bytes == 0)
    return A;
  Operation &O = emit(Opcode::Address, 64, fresh(), A);
  O.Immediate = Bytes;
  return O.D;
}

/// An address is a base, a constant, and a sum of indices with factors, as in
/// base + 16 + 4 * i + 256 * j.
void KernelLowering::lowerAddress(const GetElementPtrInst &I) {
  if (I.getType()->isVectorTy())
    return refuse("a vector of pointers");
  SmallMapVector<Value *, APInt, 4> Indices;
  APInt Constant(64, 0);
  if (!cast<GEPOperator>(I).collectOffset(DL, 64, Indices, Constant))
    return refuse("the address '" + Twine(I.getOpcodeName()) + "'");
  Register Base = registerOf(I.getPointerOperand());
  if (Indices.empty())
    return define(&I, offset(Base, Constant.getSExtValue()));
  SmallVector<std::pair<Register, int64_t>, 0> Terms;
  for (auto &[Index, Factor] : Indices) {
    unsigned Bits = scalarBits(Index->getType());
    Register R = registerOf(Index);
    Terms.emplace_back(Bits < 64 ? convert(Opcode::SignExtend, 64, Bits, R) : R,
                       Factor.getSExtValue());
  }
  Operation &O = emit(Opcode::Address, 64, registerOf(&I), Base);
  O.Immediate = Constant.getSExtValue();
  O.Extra = std::move(Terms);
}

/// Only variables of fixed size in the entry block have a place in the frame.
void KernelLowering::lowerAlloca(const AllocaInst &I) {
  std::optional<TypeSize> Size = I.getAllocationSize(DL);
  if (!Size || !I.getParent()->isEntryBlock())
    return refuse("local memory of variable size");
  Operation &O = emit(Opcode::Alloca, 64, registerOf(&I));
  O.Space =
      I.getAddressSpace() == 5 ? PointerSpace::Local : PointerSpace::Generic;
  O.Immediate = static_cast<int64_t>(Size->getFixedValue());
  O.Align = static_cast<uint32_t>(I.getAlign().value());
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void KernelLowering::load(Type *T, Register D, Register Address, Access How) {
  access(T, D, Address, How, /*IsStore=*/false);
}

void KernelLowering::store(Type *T, Register Value, Register Address,
                           Access How) {
  access(T, Value, Address, How, /*IsStore=*/true);
}

/// Members of an aggregate are accessed one by one, each with the alignment
/// that its offset leaves.
void KernelLowering::access(Type *T, Register Value, Register Address,
                            Access How, bool IsStore) {
  if (!T->isAggregateType())
    return scalarPieces(T, Value, Address, How, IsStore);
  auto *S = dyn_cast<StructType>(T);
  uint64_t Count = S ? S->getNumElements() : T->getArrayNumElements();
  for (unsigned I = 0; I < Count; ++I) {
    Type *Element = S ? S->getElementType(I) : T->getArrayElementType();
    uint64_t At = S ? DL.getStructLayout(S)->getElementOffset(I).getFixedValue()
                    : I * DL.getTypeAllocSize(Element).getFixedValue();
    Access Part = How;
    Part.Align = commonAlignment(Align(How.Align), At).value();
    access(Element, Value, offset(Address, static_cast<int64_t>(At)), Part,
           IsStore);
    Value += static_cast<Register>(registersOf(Element));
  }
}

Operation &KernelLowering::emitAccess(bool IsStore, unsigned Bits,
                                      Register Value, Register Address,
                                      const Access &How) {
  Operation &O =
      emit(IsStore ? Opcode::Store : Opcode::Load, Bits,
           IsStore ? NoRegister : Value, Address, IsStore ? Value : NoRegister);
  O.Space = How.Space;
  O.IsVolatile = How.IsVolatile;
  O.Align = static_cast<uint32_t>(How.Align);
  return O;
}

/// A bool takes a byte in memory. A scalar whose alignment is less than its
/// size is accessed in parts.
void KernelLowering::scalarPieces(Type *T, Register Value, Register Address,
                                  Access How, bool IsStore) {
  unsigned Bits = scalarBits(T), Count = registersOf(T);
  if (Bits == 1 && !T->isVectorTy()) {
    Register Wide =
        IsStore ? convert(Opcode::ZeroExtend, 8, 1, Value) : fresh();
    emitAccess(IsStore, 8, Wide, Address, How);
    if (!IsStore)
      emit(Opcode::Truncate, 1, Value, Wide).SourceBits = 8;
    return;
  }
  if (Bits < 8 || !isPowerOf2_32(Bits))
    return refuse("a value of " + Twine(Bits) + " bits in memory");
  unsigned Bytes = Bits / 8;
  // A request has at most 16 bytes per lane and is never wider than its address
  // is known to be aligned. The hardware would fault, so that compilers split a
  // wider access.
  if (How.Align >= Bytes) {
    unsigned Most =
        static_cast<unsigned>(std::min<uint64_t>(How.Align, 16)) / Bytes;
    for (unsigned E = 0; E < Count;) {
      unsigned Width = std::min(Most, std::bit_floor(Count - E));
      Operation &O =
          emitAccess(IsStore, Bits, Value + E, offset(Address, E * Bytes), How);
      O.Count = static_cast<uint8_t>(Width);
      O.IsFloat = T->isFPOrFPVectorTy();
      E += Width;
    }
    return;
  }
  auto PartBits = static_cast<unsigned>(How.Align) * 8;
  for (unsigned E = 0; E < Count; ++E) {
    SmallVector<Register, 8> Parts;
    for (unsigned I = 0; I < Bits / PartBits; ++I) {
      Parts.push_back(IsStore ? element(I, PartBits, Bits, Value + E)
                              : fresh());
      Register Place =
          offset(Address, E * Bytes + I * static_cast<unsigned>(How.Align));
      emitAccess(IsStore, PartBits, Parts.back(), Place, How);
    }
    if (!IsStore)
      emit(Opcode::Move, Bits, Value + E, join(Parts, PartBits));
  }
}

void KernelLowering::lowerAtomic(const AtomicRMWInst &I) {
  if (I.getType()->isVectorTy() || I.getType()->isBFloatTy())
    return refuse("an atomic operation on vectors or bfloat16");
  PointerSpace Space = spaceOf(I.getPointerOperand()->getType());
  Operation &O =
      emit(Opcode::AtomicRmw, scalarBits(I.getType()), registerOf(&I),
           registerOf(I.getPointerOperand()), registerOf(I.getValOperand()));
  O.Variant = static_cast<uint8_t>(I.getOperation());
  O.Space = Space;
  O.IsFloat = I.getType()->isFloatingPointTy();
  O.IsVolatile = true;
  O.IsScoped = I.getSyncScopeID() != SyncScope::System;
  O.Align = static_cast<uint32_t>(I.getAlign().value());
}

void KernelLowering::lowerAtomic(const AtomicCmpXchgInst &I) {
  PointerSpace Space = spaceOf(I.getPointerOperand()->getType());
  Operation &O =
      emit(Opcode::AtomicCas, scalarBits(I.getCompareOperand()->getType()),
           registerOf(&I), registerOf(I.getPointerOperand()),
           registerOf(I.getCompareOperand()), registerOf(I.getNewValOperand()));
  O.Space = Space;
  O.IsVolatile = true;
  O.IsScoped = I.getSyncScopeID() != SyncScope::System;
  O.Align = static_cast<uint32_t>(I.getAlign().value());
}

} // namespace cudaopt::simt
