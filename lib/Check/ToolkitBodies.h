// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Bodies for functions of the toolkit that compute values of its small structs
/// (`__half2`, `__nv_bfloat16`): the parse does not read theirs, and without a
/// body each call would go through memory, which no compiler of the kernel
/// does. A body loads the operands, calls a function of numbers that has no
/// body, and stores the result:
///
/// \verbatim
///   half2 __hfma2(half2 a, half2 b, half2 c)      i32 value.__hfma2(i32, i32,
///   i32)
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_CHECK_TOOLKITBODIES_H
#define CUDAOPT_LIB_CHECK_TOOLKITBODIES_H

#include "cudaopt/Check/DeviceCheck.h"

namespace llvm {
class Function;
class StringRef;
} // namespace llvm

namespace cudaopt::check {

/// Gives the functions of the toolkit in \p M bodies where they compute values
/// from values, or copy one.
void addToolkitBodies(llvm::Module &M, const SymbolTable &Symbols);

/// Returns the source's name of the function of the toolkit that \p F stands
/// for; empty if it is none.
llvm::StringRef nameOfToolkit(const llvm::Function &F,
                              const SymbolTable &Symbols);

} // namespace cudaopt::check

#endif // CUDAOPT_LIB_CHECK_TOOLKITBODIES_H
