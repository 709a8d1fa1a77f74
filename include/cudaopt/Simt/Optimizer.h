// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The optimization pipeline of -O3 for device code. It is separate from the
/// lowering, which needs few of LLVM's passes: a program that does not call
/// optimize() is not linked against the others.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SIMT_OPTIMIZER_H
#define CUDAOPT_SIMT_OPTIMIZER_H

namespace llvm {
class Module;
} // namespace llvm

namespace cudaopt::simt {

/// Runs the passes of -O3 on device code, with the cost model of the kernels'
/// GPU.
void optimize(llvm::Module &M);

/// Does the same, and merges neighbouring accesses of a thread to vectors,
/// which otherwise the backend does.
void optimizeAndMerge(llvm::Module &M);

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_OPTIMIZER_H
