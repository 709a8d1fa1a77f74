// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The IR of a kernel, built when it is first asked for, in two variants.
///
/// The text of a kernel holds more than what runs: the code behind `if (N >
/// 16)` is executed by one instance and not by another. Edits change the text
/// for both, so that the subscripts in dead code need values, too. They come
/// from a second function that keeps unreachable code.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_KERNELCODE_H
#define CUDAOPT_MODEL_KERNELCODE_H

#include "cudaopt/IR/Build.h"

#include <memory>

namespace cudaopt {

/// Two IR functions of one text; both have the same calls and call paths.
class KernelCode {
public:
  explicit KernelCode(const clang::FunctionDecl *Decl) : Decl(Decl) {}

  /// Returns the function without unreachable code; null if it has no IR.
  ir::Function *live();
  /// Returns the function with unreachable code; null if it has no IR.
  ir::Function *whole();

private:
  std::unique_ptr<ir::Function> build(bool DropsUnreachable) const;

  const clang::FunctionDecl *Decl;
  std::unique_ptr<ir::Function> Live, Whole;
};

} // namespace cudaopt

#endif // CUDAOPT_MODEL_KERNELCODE_H
