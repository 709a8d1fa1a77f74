// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Constant tables of shared variables: `float *rows[2] = {a, b};`.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_SIMT_SHAREDTABLES_H
#define CUDAOPT_LIB_SIMT_SHAREDTABLES_H

namespace llvm {
class Module;
} // namespace llvm

namespace cudaopt::simt {

/// Turns constants that hold addresses of shared variables into variables of
/// the functions that use them: where a shared variable lies is a matter of
/// each kernel, and a constant has one value in all.
void localizeSharedTables(llvm::Module &M);

} // namespace cudaopt::simt

#endif // CUDAOPT_LIB_SIMT_SHAREDTABLES_H
