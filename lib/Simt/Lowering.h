// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the parts of the lowering share: the variables of a module, and the
/// kernel that is being lowered. The parts are Lower.cpp (instructions),
/// LowerCall.cpp (calls and intrinsics), LowerConstant.cpp (constants,
/// variables, accesses), LowerAsm.cpp and AsmLowering.h (inline assembly).
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

/// Returns the name of a variable or function as the user wrote it: "s" for a
/// variable of a function, else the demangled name.
std::string sourceName(const llvm::GlobalValue &V);

inline bool isKernel(const llvm::Function &F) {
  return F.getCallingConv() == llvm::CallingConv::PTX_Kernel &&
         !F.isDeclaration();
}

/// The `__device__` and `__constant__` variables of a module.
struct DeviceVariables {
  llvm::DenseMap<const llvm::GlobalValue *, DeviceMemory::Allocation *> Where;
  /// The variables whose initial value is not modelled, with the reason.
  llvm::DenseMap<const llvm::GlobalValue *, std::string> Refused;
  llvm::StringMap<DeviceMemory::Allocation *> ByName;

  /// Allocates and initialises the variables of \p M.
  void allocate(const llvm::Module &M, DeviceMemory &Memory);
  std::optional<uint64_t> addressOf(const llvm::GlobalValue &V,
                                    std::string &Why) const;

private:
  /// Refuses variables that lead to refused ones.
  void refuseOwners();
};

/// A kernel that is being lowered to a program. The first refusal is kept; what
/// is lowered after it is meaningless and thrown away, so that lowering
/// functions need no error returns.
class KernelLowering {
public:
  KernelLowering(llvm::Function &F, const DeviceVariables &Variables,
                 const LowerOptions &Options);
  /// Lowers the kernel; called once.
  llvm::Expected<Program> run();

  const llvm::DataLayout &dataLayout() const { return DL; }

  /// Refuses the kernel because of the instruction that is being lowered: "\p
  /// What is not modelled".
  void refuse(const llvm::Twine &What);
  /// The same with a whole sentence.
  void fail(const llvm::Twine &Message);
  bool hasFailed() const { return !Failure.empty(); }

  /// Returns the first of \p Count new registers.
  Register fresh(unsigned Count = 1);
  /// Returns a register that always holds \p Value.
  Register constant(uint64_t Value);
  /// Returns the first register of a value. An aggregate or vector takes
  /// consecutive registers, one for each scalar in it.
  Register registerOf(const llvm::Value *V);
  /// Lets \p V be the registers from \p First on, without a copy.
  void define(const llvm::Value *V, Register First) { Registers[V] = First; }
  /// Returns the number of registers of a value of type \p T.
  unsigned registersOf(llvm::Type *T);
  /// Returns the width of a scalar, or of the elements of a vector.
  unsigned scalarBits(llvm::Type *T);

  /// Appends an operation to the current block.
  Operation &emit(Opcode Code, unsigned Bits, Register D = NoRegister,
                  Register A = NoRegister, Register B = NoRegister,
                  Register C = NoRegister);
  /// Appends an operation with a new result register, which it returns.
  Register op(Opcode Code, unsigned Bits, Register A = NoRegister,
              Register B = NoRegister, Register C = NoRegister,
              uint8_t Variant = 0);
  /// Appends a conversion, a comparison, the extraction of element \p Index, or
  /// the concatenation of \p Parts (the first one lowest), and returns the
  /// result.
  Register convert(Opcode Code, unsigned Bits, unsigned SourceBits, Register A,
                   uint8_t Variant = 0);
  Register compare(llvm::CmpInst::Predicate P, unsigned Bits, Register A,
                   Register B);
  Register element(unsigned Index, unsigned Bits, unsigned WholeBits,
                   Register Whole);
  Register join(llvm::ArrayRef<Register> Parts, unsigned PartBits);
  /// Returns the address \p Bytes behind \p A.
  Register offset(Register A, int64_t Bytes);
  /// Returns a pointer into \p Space as a generic address.
  Register toGeneric(Register Address, PointerSpace Space);
  /// Appends the same operation for each element of the vectors (or scalars) \p
  /// Operands.
  void elementwise(const llvm::Instruction &I, Opcode Code,
                   llvm::ArrayRef<const llvm::Value *> Operands,
                   uint8_t Variant = 0, int64_t Immediate = 0);

  /// The properties of a load or store.
  struct Access {
    PointerSpace Space = PointerSpace::Generic;
    uint64_t Align = 1;
    bool IsVolatile = false;
  };
  /// Loads a value of type \p T into the registers from \p D on, or stores it.
  /// The requests are as wide as the alignment allows.
  void load(llvm::Type *T, Register D, Register Address, Access How);
  void store(llvm::Type *T, Register Value, Register Address, Access How);
  /// Returns the state space that a pointer type names.
  PointerSpace spaceOf(llvm::Type *Pointer);

  /// Appends a trap or an exit, behind which nothing of the block runs.
  void endBlock(Opcode Code) {
    emit(Code, 32);
    BlockHasEnded = true;
  }

private:
  /// Sets the source position of the operations that follow.
  void setSite(const llvm::Instruction &I);
  uint32_t siteOf(const llvm::DILocation *Loc);
  /// Returns registers that hold a constant.
  Register lowerConstant(const llvm::Constant *C);
  /// The value of a scalar constant.
  struct ScalarConstant {
    uint64_t Value = 0;
    /// If not 0, the constant is undefined and has this width.
    unsigned UndefinedBits = 0;
    /// The shared variables whose addresses are part of the value.
    llvm::SmallVector<const llvm::GlobalValue *, 1> Shared = {};
    /// The value is the address of a byte of the only variable in Shared.
    bool IsAddress = false;
  };
  /// Appends the scalars of a constant.
  void flatten(const llvm::Constant *C,
               llvm::SmallVectorImpl<ScalarConstant> &Scalars);
  ScalarConstant evaluate(const llvm::Constant *C);
  std::optional<uint64_t> addressOf(const llvm::GlobalValue &V,
                                    std::string &Why) const;
  /// Places the shared variables that the kernel uses.
  void placeShared();
  void lowerParameters();
  void lowerBlock(const llvm::BasicBlock &BB);
  void lower(const llvm::Instruction &I);
  /// Sets how the access that was emitted last, for \p I, is issued.
  void markIssued(const llvm::Instruction &I) {
    if (auto Found = Issued.find(&I); Found != Issued.end())
      Current->Operations.back().Issued = Found->second;
  }
  /// Lowers an instruction of Instructions.def; returns false if it is none.
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
  /// Adds an edge to the current block, with the copies for phi nodes; returns
  /// its number.
  unsigned addEdge(const llvm::BasicBlock &From, const llvm::BasicBlock &To);
  /// Returns the number of registers before a member of an aggregate.
  unsigned offsetIn(llvm::Type *T, llvm::ArrayRef<unsigned> Path);
  /// Emits the accesses to a scalar or vector.
  void scalarPieces(llvm::Type *T, Register Value, Register Address, Access How,
                    bool IsStore);
  /// Emits the accesses to a value of any type.
  void access(llvm::Type *T, Register Value, Register Address, Access How,
              bool IsStore);
  Operation &emitAccess(bool IsStore, unsigned Bits, Register Value,
                        Register Address, const Access &How);

  llvm::Function &F;
  const llvm::DataLayout &DL;
  const DeviceVariables &Variables;
  const LowerOptions &Options;
  Program P;
  std::string Failure; ///< The first refusal, or empty.
  /// The first register of each value.
  llvm::DenseMap<const llvm::Value *, Register> Registers;
  std::map<uint64_t, Register> Constants;
  /// The numbers of reachable blocks.
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Numbers;
  llvm::DenseMap<const llvm::GlobalValue *, SharedAddr> SharedAddresses;
  /// Indices into Program::Shared.
  llvm::DenseMap<const llvm::GlobalValue *, unsigned> SharedIndices;
  /// Accesses that the compiler merges with others.
  llvm::DenseMap<const llvm::Instruction *, IssuedRequest> Issued;
  llvm::StringMap<uint32_t> FileNumbers;
  std::map<SourceRef, uint32_t> SiteNumbers;
  Block *Current = nullptr; ///< The block that is being lowered.
  uint32_t Site = 0; ///< Index into Program::Sites of the current instruction.
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

/// Returns true if the variant of \p Code is a rounding mode.
bool isRounding(Opcode Code);

/// Lowers a call that is neither inlined nor inline assembly.
void lowerCall(KernelLowering &K, const llvm::CallBase &Call);
/// Lowers inline assembly.
void lowerAsm(KernelLowering &K, const llvm::CallBase &Call);

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_LOWERING_H
