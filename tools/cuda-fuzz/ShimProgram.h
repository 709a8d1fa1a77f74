// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Kernels, original and rewritten, as a program that runs both and compares
/// what they leave: in C++ of the host, for which shim/cuda_shim.h does the
/// work, or in CUDA C++ (shim/gpu_pairs.cuh).
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_SHIMPROGRAM_H
#define CUDAOPT_FUZZ_SHIMPROGRAM_H

#include "Batch.h"

namespace cudaopt::fuzz {

enum class ShimTarget : uint8_t { Host, Device };

/// The program for the pairs whose texts differ.
std::string makeShimProgram(ShimTarget Target, llvm::ArrayRef<Kernel> Kernels,
                            llvm::ArrayRef<KernelPair> Pairs);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_SHIMPROGRAM_H
