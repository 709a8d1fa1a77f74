// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Products and sums as one operation, as compilers for GPUs make them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_CONTRACTION_H
#define CUDAOPT_LIB_SIMT_CONTRACTION_H

namespace llvm {
class Function;
}

namespace cudaopt::simt {

/// Makes a * b + c, a * b - c and c - a * b one fused operation, which rounds
/// once, where the flags of both operations allow it (nvcc: -fmad=true, its
/// default) and both stand in one block. Of two products the one with fewer
/// uses is taken, the left one if they have as many: so do nvcc and LLVM's
/// NVPTX.
void contractProducts(llvm::Function &F);

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_CONTRACTION_H
