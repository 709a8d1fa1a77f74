// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Compares plans with the LLVM IR that clang generates for their kernels. The
/// plans were made from the AST; the check (cudaopt/Check) reads the IR and
/// shares no analysis with them, so that an error in our model of the source is
/// found here.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PIPELINE_CODECHECK_H
#define CUDAOPT_LIB_DRIVER_PIPELINE_CODECHECK_H

#include "DeviceCode.h"
#include "KernelRules.h"
#include "Parse/SourcePoints.h"
#include "cudaopt/Driver/Pipeline/Pipeline.h"
#include "cudaopt/Machine/Target.h"
#include "cudaopt/Plan/Plan.h"
#include "cudaopt/Verify/Verify.h"

#include <optional>

namespace cudaopt {

/// The independent check of one translation unit. note() must be called for
/// every top-level declaration; the IR is generated at the first question.
class CodeCheck {
public:
  explicit CodeCheck(const clang::CompilerInstance &CI) : CI(CI), Code(CI) {}

  /// Records declarations that the parser has finished.
  void note(clang::DeclGroupRef Group) { Code.note(Group); }

  /// Returns the part of \p P that contradicts the generated code; std::nullopt
  /// if none does. \p Errors are the locations of clang's errors, whose
  /// functions have no code.
  std::optional<PlanRefusal>
  findRefusal(const Kernel &K, const Plan &P, const Target &T,
              llvm::ArrayRef<clang::SourceLocation> Errors);

  /// Returns success if the code confirms that the two variables of \p Steps
  /// can share their bytes in place in \p Program, with the layouts of \p P;
  /// otherwise the reason why not.
  llvm::Error verifyInPlace(const Kernel &K, const Plan &P,
                            const SharedProgram &Program,
                            llvm::ArrayRef<StoredAt> Places,
                            const UnorderedSteps &Steps,
                            llvm::ArrayRef<clang::SourceLocation> Errors);

  /// Returns the work of a block of a launch, in the text as it was parsed;
  /// std::nullopt if that is not known.
  std::optional<KernelWork>
  measure(const CountedLaunch &Launch, const Target &T,
          llvm::ArrayRef<clang::SourceLocation> Errors);

private:
  const SourcePoints &points(llvm::ArrayRef<clang::SourceLocation> Errors);
  std::optional<check::Disagreement>
  findDisagreement(const Kernel &K, const Plan &P, const Target &T,
                   llvm::ArrayRef<clang::SourceLocation> Errors);

  const clang::CompilerInstance &CI;
  DeviceCode Code;
  std::optional<SourcePoints> Points; ///< Made when first needed.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PIPELINE_CODECHECK_H
