// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The IR of a kernel, built when it is first asked for.
///
/// The text of a kernel holds more than what runs: behind `if (N > 16)` stands
/// code that one instance executes and another does not. Edits concern both, so
/// that the subscripts there need values, too. They come from a second function
/// that keeps what cannot be reached.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_KERNELCODE_H
#define CUDAOPT_MODEL_KERNELCODE_H

#include "cudaopt/IR/Build.h"

#include <memory>

namespace cudaopt {

/// Two functions of one text; both have the same calls and paths.
class KernelCode {
public:
  explicit KernelCode(const clang::FunctionDecl *Decl) : Decl(Decl) {}

  /// What runs. Null if the function has no IR.
  ir::Function *live();
  /// The same with what no run gets to.
  ir::Function *whole();

private:
  std::unique_ptr<ir::Function> build(bool DropsUnreachable) const;

  const clang::FunctionDecl *Decl;
  std::unique_ptr<ir::Function> Live, Whole;
};

} // namespace cudaopt

#endif // CUDAOPT_MODEL_KERNELCODE_H
