// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Contracts products and sums to fused operations, as compilers for GPUs do.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_CONTRACTION_H
#define CUDAOPT_LIB_SIMT_CONTRACTION_H

namespace llvm {
class Function;
}

namespace cudaopt::simt {

/// Makes a * b + c, a * b - c and c - a * b one fused operation, which rounds
/// once, where the flags of both operations allow it (nvcc: -fmad=true, its
/// default) and both are in one basic block. Of two products the one with fewer
/// uses is fused, the left one if they have equally many, as nvcc and LLVM's
/// NVPTX do.
void contractProducts(llvm::Function &F);

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_CONTRACTION_H
