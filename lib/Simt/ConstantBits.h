// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Evaluates constants of LLVM IR to bits, and to bytes as memory holds them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_CONSTANTBITS_H
#define CUDAOPT_LIB_SIMT_CONSTANTBITS_H

#include "cudaopt/Simt/Program.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <functional>
#include <optional>
#include <string>

namespace cudaopt::simt {

/// Returns the address of a variable; std::nullopt, and a reason in \p Why, if
/// it has none.
using AddressLookup = std::function<std::optional<uint64_t>(
    const llvm::GlobalValue &, std::string &Why)>;

/// Evaluates scalar constants, constant expressions among them.
class ConstantEvaluator {
public:
  ConstantEvaluator(const llvm::DataLayout &DL, const AddressLookup &AddressOf,
                    std::string &Why)
      : DL(DL), AddressOf(AddressOf), Why(Why) {}

  /// Returns the bits of \p C, zero extended; std::nullopt, and the reason in
  /// Why, if it cannot be evaluated.
  std::optional<uint64_t> scalar(const llvm::Constant *C) {
    if (C->isNullValue() || llvm::isa<llvm::UndefValue>(C))
      return 0;
    if (const auto *I = llvm::dyn_cast<llvm::ConstantInt>(C))
      return I->getBitWidth() <= 64 ? I->getZExtValue() : refuse(C);
    if (const auto *Float = llvm::dyn_cast<llvm::ConstantFP>(C)) {
      llvm::APInt Bits = Float->getValueAPF().bitcastToAPInt();
      return Bits.getBitWidth() <= 64 ? Bits.getZExtValue() : refuse(C);
    }
    if (const auto *V = llvm::dyn_cast<llvm::GlobalValue>(C))
      return AddressOf(*V, Why);
    if (const auto *E = llvm::dyn_cast<llvm::ConstantExpr>(C))
      return expression(E);
    return refuse(C);
  }

private:
  std::optional<uint64_t> refuse(const llvm::Constant *C) {
    std::string Text;
    llvm::raw_string_ostream(Text) << *C;
    Why = "the constant '" + Text + "' is not modelled";
    return std::nullopt;
  }

  std::optional<uint64_t> expression(const llvm::ConstantExpr *E) {
    std::optional<uint64_t> A = scalar(E->getOperand(0));
    if (!A)
      return A;
    if (const auto *Element = llvm::dyn_cast<llvm::GEPOperator>(E)) {
      llvm::APInt Offset(DL.getIndexTypeSizeInBits(E->getType()), 0);
      if (!Element->accumulateConstantOffset(DL, Offset))
        return refuse(E);
      return *A + static_cast<uint64_t>(Offset.getSExtValue());
    }
    if (E->getOpcode() == llvm::Instruction::AddrSpaceCast)
      return betweenSpaces(*A, E);
    uint64_t Bits = DL.getTypeSizeInBits(E->getType());
    uint64_t Mask = Bits < 64 ? (uint64_t(1) << Bits) - 1 : ~uint64_t(0);
    if (E->isCast() && !E->getType()->isVectorTy() &&
        !E->getOperand(0)->getType()->isVectorTy())
      return *A & Mask;
    std::optional<uint64_t> B =
        E->getNumOperands() == 2 ? scalar(E->getOperand(1)) : std::nullopt;
    switch (B ? E->getOpcode() : 0) {
    case llvm::Instruction::Add:
      return (*A + *B) & Mask;
    case llvm::Instruction::Sub:
      return (*A - *B) & Mask;
    case llvm::Instruction::Xor:
      return *A ^ *B;
    default:
      return refuse(E);
    }
  }

  static uint64_t windowOf(unsigned AddressSpace) {
    return AddressSpace == 3   ? SharedWindow
           : AddressSpace == 5 ? LocalWindow
                               : 0;
  }
  /// Converts an address between state spaces: an offset in a window gains or
  /// loses the window's address.
  static uint64_t betweenSpaces(uint64_t Address, const llvm::ConstantExpr *E) {
    return Address +
           windowOf(E->getOperand(0)->getType()->getPointerAddressSpace()) -
           windowOf(E->getType()->getPointerAddressSpace());
  }

  const llvm::DataLayout &DL;
  const AddressLookup &AddressOf;
  std::string &Why;
};

/// Returns the bits of a scalar constant, zero extended; std::nullopt, and the
/// reason in \p Why, if they are not known before the kernel runs.
inline std::optional<uint64_t> bitsOf(const llvm::Constant *C,
                                      const llvm::DataLayout &DL,
                                      const AddressLookup &AddressOf,
                                      std::string &Why) {
  return ConstantEvaluator(DL, AddressOf, Why).scalar(C);
}

/// Writes a constant of any type to \p Memory, zeroed bytes, as memory holds
/// it. Returns false, with the reason in \p Why, if a part cannot be evaluated.
inline bool writeTo(Byte *Memory, const llvm::Constant *C,
                    const llvm::DataLayout &DL, const AddressLookup &AddressOf,
                    std::string &Why) {
  if (C->isNullValue() || llvm::isa<llvm::UndefValue>(C))
    return true;
  if (const auto *Data = llvm::dyn_cast<llvm::ConstantDataSequential>(C)) {
    llvm::StringRef Raw = Data->getRawDataValues();
    std::memcpy(Memory, Raw.data(), Raw.size());
    return true;
  }
  llvm::Type *T = C->getType();
  if (auto *S = llvm::dyn_cast<llvm::StructType>(T)) {
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      if (!writeTo(Memory + DL.getStructLayout(S)->getElementOffset(I),
                   C->getAggregateElement(I), DL, AddressOf, Why))
        return false;
    return true;
  }
  if (T->isArrayTy() || T->isVectorTy()) {
    llvm::Type *Element = T->getContainedType(0);
    uint64_t Step = DL.getTypeAllocSize(Element);
    uint64_t Count =
        T->isArrayTy() ? T->getArrayNumElements()
                       : llvm::cast<llvm::FixedVectorType>(T)->getNumElements();
    for (unsigned I = 0; I < Count; ++I)
      if (!writeTo(Memory + I * Step, C->getAggregateElement(I), DL, AddressOf,
                   Why))
        return false;
    return true;
  }
  if (const auto *Wide = llvm::dyn_cast<llvm::ConstantInt>(C);
      Wide && Wide->getBitWidth() > 64) {
    std::memcpy(Memory, Wide->getValue().getRawData(), DL.getTypeStoreSize(T));
    return true;
  }
  std::optional<uint64_t> Bits = bitsOf(C, DL, AddressOf, Why);
  if (Bits)
    std::memcpy(Memory, &*Bits, DL.getTypeStoreSize(T));
  return Bits.has_value();
}

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_CONSTANTBITS_H
