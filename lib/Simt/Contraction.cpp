// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Contracts floating-point products and sums to fused multiply-add.
//===----------------------------------------------------------------------===//

#include "Contraction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

/// Returns \p V if it is a product that may be fused with \p Sum; null
/// otherwise.
static BinaryOperator *asProduct(Value *V, const Instruction &Sum) {
  auto *Product = dyn_cast<BinaryOperator>(V);
  if (!Product || Product->getOpcode() != Instruction::FMul ||
      !Product->hasAllowContract() || Product->getParent() != Sum.getParent())
    return nullptr;
  return Product;
}

/// Returns the fused operation that replaces \p Sum; null if there is none.
static Value *fuse(BinaryOperator &Sum) {
  BinaryOperator *Left = asProduct(Sum.getOperand(0), Sum),
                 *Right = asProduct(Sum.getOperand(1), Sum);
  if (Left && Right)
    (Left->getNumUses() > Right->getNumUses() ? Left : Right) = nullptr;
  BinaryOperator *Product = Left ? Left : Right;
  if (!Product)
    return nullptr;

  IRBuilder<> Builder(&Sum);
  Value *A = Product->getOperand(0), *C = Sum.getOperand(Left ? 1 : 0);
  // a * b - c is fma(a, b, -c); c - a * b is fma(-a, b, c).
  if (Sum.getOpcode() == Instruction::FSub)
    (Left ? C : A) = Builder.CreateFNeg(Left ? C : A);
  return Builder.CreateIntrinsic(Intrinsic::fma, Sum.getType(),
                                 {A, Product->getOperand(1), C});
}

void cudaopt::simt::contractProducts(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Sum = dyn_cast<BinaryOperator>(&I);
    if (!Sum || !Sum->hasAllowContract() || Sum->getType()->isVectorTy() ||
        (Sum->getOpcode() != Instruction::FAdd &&
         Sum->getOpcode() != Instruction::FSub))
      continue;
    if (Value *Fused = fuse(*Sum)) {
      Sum->replaceAllUsesWith(Fused);
      Sum->eraseFromParent();
    }
  }
}
