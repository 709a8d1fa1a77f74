// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Has plans compared with the code that clang makes of their kernels.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_CODECHECK_H
#define CUDAOPT_LIB_FRONTEND_CODECHECK_H

#include "DeviceCode.h"
#include "KernelRules.h"
#include "SourcePoints.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Transforms/Plan.h"
#include "cudaopt/Transforms/Verify.h"

#include <optional>

namespace cudaopt {

class CodeCheck {
public:
  explicit CodeCheck(const clang::CompilerInstance &CI) : CI(CI), Code(CI) {}

  /// Notes what the parser has finished.
  void note(clang::DeclGroupRef Group) { Code.note(Group); }

  /// Returns what of \p P relies on something that the code denies; nothing if
  /// nothing does. \p Errors are the places of clang's errors.
  std::optional<Refusal>
  findRefusal(const Kernel &K, const Plan &P, const Target &T,
              llvm::ArrayRef<clang::SourceLocation> Errors);

  /// Returns success if the two variables of \p Steps are in place in
  /// \p Program, with the layouts of \p P; else why not.
  llvm::Error verifyInPlace(const Kernel &K, const Plan &P,
                            const SharedProgram &Program,
                            llvm::ArrayRef<StoredAt> Places,
                            const UnorderedSteps &Steps,
                            llvm::ArrayRef<clang::SourceLocation> Errors);

private:
  const SourcePoints &points(llvm::ArrayRef<clang::SourceLocation> Errors);
  std::optional<check::Disagreement>
  findDisagreement(const Kernel &K, const Plan &P, const Target &T,
                   llvm::ArrayRef<clang::SourceLocation> Errors);

  const clang::CompilerInstance &CI;
  DeviceCode Code;
  std::optional<SourcePoints> Points; ///< Found when they are needed.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_CODECHECK_H
