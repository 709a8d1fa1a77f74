// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the parts of the lowering share: constants, the variables of a module,
/// and the kernel that is being lowered.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_LOWERING_H
#define CUDAOPT_LIB_SIMT_LOWERING_H

#include "cudaopt/Simt/Lower.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace cudaopt::simt {

/// The name of a variable or function as the user wrote it: "s" for a variable
/// of a function, else demangled.
std::string sourceName(const llvm::GlobalValue &V);

inline bool isKernel(const llvm::Function &F) {
  return F.getCallingConv() == llvm::CallingConv::PTX_Kernel &&
         !F.isDeclaration();
}

/// The `__device__` and `__constant__` variables of a module.
struct DeviceVariables {
  llvm::DenseMap<const llvm::GlobalValue *, DeviceMemory::Allocation *> Where;
  /// Those whose initial value is not modelled, and why.
  llvm::DenseMap<const llvm::GlobalValue *, std::string> Refused;
  llvm::StringMap<DeviceMemory::Allocation *> ByName;

  void allocate(const llvm::Module &M, DeviceMemory &Memory);
  std::optional<uint64_t> addressOf(const llvm::GlobalValue &V,
                                    std::string &Why) const;

private:
  void refuseOwners();
};

/// A kernel on its way to a program. The first refusal is kept; what comes
/// after it is lowered to anything and thrown away.
class KernelLowering {
public:
  KernelLowering(llvm::Function &F, const DeviceVariables &Variables,
                 const LowerOptions &Options);
  llvm::Expected<Program> run();

  const llvm::DataLayout &dataLayout() const { return DL; }

  /// Refuses what is lowered now: "\p What is not modelled".
  void refuse(const llvm::Twine &What);
  /// The same with a whole sentence.
  void fail(const llvm::Twine &Message);
  bool hasFailed() const { return !Failure.empty(); }

  Register fresh(unsigned Count = 1);
  /// A register that always holds \p Value.
  Register constant(uint64_t Value);
  /// The first register of a value; an aggregate or vector takes one for each
  /// scalar in it.
  Register registerOf(const llvm::Value *V);
  /// Lets \p V be what is in the registers from \p First on.
  void define(const llvm::Value *V, Register First) { Registers[V] = First; }
  unsigned registersOf(llvm::Type *T);
  /// Bits of a scalar, or of the elements of a vector.
  unsigned scalarBits(llvm::Type *T);

  /// Appends an operation.
  Operation &emit(Opcode Code, unsigned Bits, Register D = NoRegister,
                  Register A = NoRegister, Register B = NoRegister,
                  Register C = NoRegister);
  /// Appends an operation with a result of its own, which it returns.
  Register op(Opcode Code, unsigned Bits, Register A = NoRegister,
              Register B = NoRegister, Register C = NoRegister,
              uint8_t Variant = 0);
  Register convert(Opcode Code, unsigned Bits, unsigned SourceBits, Register A,
                   uint8_t Variant = 0);
  Register compare(llvm::CmpInst::Predicate P, unsigned Bits, Register A,
                   Register B);
  Register element(unsigned Index, unsigned Bits, unsigned WholeBits,
                   Register Whole);
  Register join(llvm::ArrayRef<Register> Parts, unsigned PartBits);
  /// The address \p Bytes behind \p A.
  Register offset(Register A, int64_t Bytes);
  Register toGeneric(Register Address, PointerSpace Space);
  /// The same operation on each element of the vectors \p Operands.
  void elementwise(const llvm::Instruction &I, Opcode Code,
                   llvm::ArrayRef<const llvm::Value *> Operands,
                   uint8_t Variant = 0, int64_t Immediate = 0);

  struct Access {
    PointerSpace Space = PointerSpace::Generic;
    uint64_t Align = 1;
    bool IsVolatile = false;
  };
  /// Loads a value of type \p T into the registers from \p D on, with the
  /// requests that its alignment allows.
  void load(llvm::Type *T, Register D, Register Address, Access How);
  void store(llvm::Type *T, Register Value, Register Address, Access How);
  PointerSpace spaceOf(llvm::Type *Pointer);

  /// Nothing in this block runs after a trap or an exit.
  void endBlock(Opcode Code) {
    emit(Code, 32);
    BlockHasEnded = true;
  }

private:
  void setSite(const llvm::Instruction &I);
  uint32_t siteOf(const llvm::DILocation *Loc);
  Register lowerConstant(const llvm::Constant *C);
  struct ScalarConstant {
    uint64_t Value = 0;
    unsigned UndefinedBits = 0; ///< If not 0, there is no value.
    /// Shared variables whose addresses are in it.
    llvm::SmallVector<const llvm::GlobalValue *, 1> Shared = {};
    bool IsAddress = false; ///< It is a byte of the only one.
  };
  void flatten(const llvm::Constant *C,
               llvm::SmallVectorImpl<ScalarConstant> &Scalars);
  ScalarConstant evaluate(const llvm::Constant *C);
  std::optional<uint64_t> addressOf(const llvm::GlobalValue &V,
                                    std::string &Why) const;
  void placeShared();
  void lowerParameters();
  void lowerBlock(const llvm::BasicBlock &BB);
  void lower(const llvm::Instruction &I);
  /// Notes how the access is issued that was emitted last, for \p I.
  void markIssued(const llvm::Instruction &I) {
    if (auto Found = Issued.find(&I); Found != Issued.end())
      Current->Operations.back().Issued = Found->second;
  }
  bool lowerArithmetic(const llvm::Instruction &I);
  void lowerCast(const llvm::CastInst &I);
  void lowerNarrowFromFloat(const llvm::CastInst &I);
  void lowerBitCast(const llvm::CastInst &I);
  void lowerAddressSpaceCast(const llvm::AddrSpaceCastInst &I);
  void lowerAddress(const llvm::GetElementPtrInst &I);
  void lowerSelect(const llvm::SelectInst &I);
  void lowerExtractElement(const llvm::ExtractElementInst &I);
  void lowerInsertElement(const llvm::InsertElementInst &I);
  void lowerShuffleVector(const llvm::ShuffleVectorInst &I);
  void lowerExtractValue(const llvm::ExtractValueInst &I);
  void lowerInsertValue(const llvm::InsertValueInst &I);
  void lowerAlloca(const llvm::AllocaInst &I);
  void lowerAtomic(const llvm::AtomicRMWInst &I);
  void lowerAtomic(const llvm::AtomicCmpXchgInst &I);
  void lowerTerminator(const llvm::Instruction &I);
  unsigned addEdge(const llvm::BasicBlock &From, const llvm::BasicBlock &To);
  unsigned offsetIn(llvm::Type *T, llvm::ArrayRef<unsigned> Path);
  void scalarPieces(llvm::Type *T, Register Value, Register Address, Access How,
                    bool IsStore);
  void access(llvm::Type *T, Register Value, Register Address, Access How,
              bool IsStore);
  Operation &emitAccess(bool IsStore, unsigned Bits, Register Value,
                        Register Address, const Access &How);

  llvm::Function &F;
  const llvm::DataLayout &DL;
  const DeviceVariables &Variables;
  const LowerOptions &Options;
  Program P;
  std::string Failure;
  llvm::DenseMap<const llvm::Value *, Register> Registers;
  std::map<uint64_t, Register> Constants;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Numbers;
  llvm::DenseMap<const llvm::GlobalValue *, SharedAddr> SharedAddresses;
  /// Indices into Program::Shared.
  llvm::DenseMap<const llvm::GlobalValue *, unsigned> SharedIndices;
  /// Accesses that are issued with others.
  llvm::DenseMap<const llvm::Instruction *, IssuedRequest> Issued;
  llvm::StringMap<uint32_t> FileNumbers;
  std::map<SourceRef, uint32_t> SiteNumbers;
  Block *Current = nullptr;
  uint32_t Site = 0;
  bool BlockHasEnded = false;
};

inline Operation &KernelLowering::emit(Opcode Code, unsigned Bits, Register D,
                                       Register A, Register B, Register C) {
  Operation O;
  O.Code = Code;
  O.Bits = static_cast<uint8_t>(Bits);
  O.D = D;
  O.A = A;
  O.B = B;
  O.C = C;
  O.Site = Site;
  Current->Operations.push_back(std::move(O));
  return Current->Operations.back();
}

inline Register KernelLowering::op(Opcode Code, unsigned Bits, Register A,
                                   Register B, Register C, uint8_t Variant) {
  Operation &O = emit(Code, Bits, fresh(), A, B, C);
  O.Variant = Variant;
  return O.D;
}

inline Register KernelLowering::convert(Opcode Code, unsigned Bits,
                                        unsigned SourceBits, Register A,
                                        uint8_t Variant) {
  Operation &O = emit(Code, Bits, fresh(), A);
  O.SourceBits = static_cast<uint8_t>(SourceBits);
  O.Variant = Variant;
  return O.D;
}

inline Register KernelLowering::compare(llvm::CmpInst::Predicate Predicate,
                                        unsigned Bits, Register A, Register B) {
  return op(llvm::CmpInst::isFPPredicate(Predicate) ? Opcode::FCompare
                                                    : Opcode::Compare,
            Bits, A, B, NoRegister, static_cast<uint8_t>(Predicate));
}

inline Register KernelLowering::element(unsigned Index, unsigned Bits,
                                        unsigned WholeBits, Register Whole) {
  Operation &O = emit(Opcode::Split, Bits, fresh(), Whole);
  O.SourceBits = static_cast<uint8_t>(WholeBits);
  O.Immediate = Index;
  return O.D;
}

inline Register KernelLowering::join(llvm::ArrayRef<Register> Parts,
                                     unsigned PartBits) {
  Operation &O = emit(Opcode::Join,
                      static_cast<unsigned>(Parts.size()) * PartBits, fresh());
  O.SourceBits = static_cast<uint8_t>(PartBits);
  for (auto [Index, Part] : llvm::enumerate(Parts))
    O.Extra.emplace_back(Part, Index * PartBits);
  return O.D;
}

/// True if the variant of \p Code is a rounding mode.
bool isRounding(Opcode Code);

/// Lowers a call that is neither inlined nor inline assembly.
void lowerCall(KernelLowering &K, const llvm::CallBase &Call);
/// Lowers inline assembly.
void lowerAsm(KernelLowering &K, const llvm::CallBase &Call);

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_LOWERING_H
