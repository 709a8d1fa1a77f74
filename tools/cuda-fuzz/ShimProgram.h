// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes a program that runs original and rewritten kernels and compares their
/// results, without the interpreter: as C++ of the host, executed by
/// shim/cuda_shim.h, or as CUDA C++ for a GPU (shim/gpu_pairs.cuh).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_SHIMPROGRAM_H
#define CUDAOPT_FUZZ_SHIMPROGRAM_H

#include "Batch.h"

namespace cudaopt::fuzz {

enum class ShimTarget : uint8_t { Host, Device };

/// Returns the program for the pairs whose texts differ.
std::string makeShimProgram(ShimTarget Target, llvm::ArrayRef<Kernel> Kernels,
                            llvm::ArrayRef<KernelPair> Pairs);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_SHIMPROGRAM_H
