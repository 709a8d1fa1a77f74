// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Constant tables of addresses of shared variables, such as `float *rows[2] =
/// {a, b};`.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_SHAREDTABLES_H
#define CUDAOPT_LIB_SIMT_SHAREDTABLES_H

namespace llvm {
class Module;
} // namespace llvm

namespace cudaopt::simt {

/// Turns constants that hold addresses of shared variables into local variables
/// of the functions that use them. The reason is that a constant has one value
/// for all kernels, but each kernel places its shared variables by itself.
void localizeSharedTables(llvm::Module &M);

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_SHAREDTABLES_H
