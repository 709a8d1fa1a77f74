// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Reports findings as remarks of the compiler, like those of LLVM's passes.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_REMARKS_H
#define CUDAOPT_REPORT_REMARKS_H

#include "cudaopt/Report/Finding.h"

namespace clang {
class CodeGenOptions;
} // namespace clang

namespace cudaopt {

/// The remarks that the user asked for by -Rpass, -Rpass-missed and
/// -Rpass-analysis.
class RemarkFilter {
public:
  RemarkFilter(const clang::CodeGenOptions &Wanted) : Wanted(Wanted) {}

  /// Returns true if some remark of \p Group is asked for.
  bool wants(RemarkGroup Group) const;
  /// Returns true if the option for this kind of finding is given and its
  /// regular expression, if it has one, matches the name of the pass
  /// ("cuda-opt-bank-layout").
  bool wants(const Finding &F) const;

private:
  const clang::CodeGenOptions &Wanted;
};

struct FileReport;

/// Reports the findings on \p File that \p Filter accepts, with their edits as
/// fix-it hints.
void remark(const FileReport &File, const RemarkFilter &Filter,
            clang::DiagnosticsEngine &Diags);

/// Returns the pass's name for readers who see remarks of several tools:
/// "cuda-opt-bank-layout".
std::string getRemarkPass(const Finding &F);

} // namespace cudaopt

#endif // CUDAOPT_REPORT_REMARKS_H
