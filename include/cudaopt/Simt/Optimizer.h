// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The passes of -O3. Not part of the lowering, which needs few of LLVM's
/// passes: a program that does not ask for these is not linked to them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SIMT_OPTIMIZER_H
#define CUDAOPT_SIMT_OPTIMIZER_H

namespace llvm {
class Module;
} // namespace llvm

namespace cudaopt::simt {

/// Runs the passes of -O3, with the costs of the kernels' GPU, on device code.
void optimize(llvm::Module &M);

} // namespace cudaopt::simt

#endif // CUDAOPT_SIMT_OPTIMIZER_H
