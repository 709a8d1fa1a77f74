// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Kernels, original and rewritten, as a C++ program of the host that runs both
/// and compares what they leave. shim/cuda_shim.h does the work.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FUZZ_SHIMPROGRAM_H
#define CUDAOPT_FUZZ_SHIMPROGRAM_H

#include "Batch.h"

namespace cudaopt::fuzz {

/// The program for the pairs whose texts differ.
std::string makeShimProgram(llvm::ArrayRef<Kernel> Kernels,
                            llvm::ArrayRef<KernelPair> Pairs);

} // namespace cudaopt::fuzz

#endif // CUDAOPT_FUZZ_SHIMPROGRAM_H
