// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the instructions of optimized LLVM IR become in the GPU's code: how
/// many instructions, of which pipes. Constants that fold into others cost
/// nothing, a product that is added once is part of the sum, and addresses that
/// differ by a constant are computed once.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_INSTRUCTIONCOST_H
#define CUDAOPT_LIB_CHECK_INSTRUCTIONCOST_H

#include "cudaopt/Check/DeviceCheck.h"
#include "cudaopt/Machine/KernelWork.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/BasicBlock.h"

namespace cudaopt::check {

/// Returns what one execution of each block of \p M costs.
llvm::DenseMap<const llvm::BasicBlock *, InstructionMix>
costOfBlocks(const llvm::Module &M, const SymbolTable &Symbols);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_INSTRUCTIONCOST_H
