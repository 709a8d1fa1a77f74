// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Findings as remarks of the compiler.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REPORT_REMARKS_H
#define CUDAOPT_REPORT_REMARKS_H

#include "cudaopt/Report/Finding.h"

namespace clang {
class CodeGenOptions;
} // namespace clang

namespace cudaopt {

/// Which remarks the user asked for: -Rpass, -Rpass-missed, -Rpass-analysis.
class RemarkFilter {
public:
  RemarkFilter(const clang::CodeGenOptions &Wanted) : Wanted(Wanted) {}

  /// True if some remark of \p Group is asked for.
  bool wants(RemarkGroup Group) const;
  /// True if the expression behind the option, if there is one, matches the
  /// pass ("cuda-opt-bank-layout").
  bool wants(const Finding &F) const;

private:
  const clang::CodeGenOptions &Wanted;
};

struct FileReport;

/// Reports the findings on \p File that \p Filter lets through, with the edits
/// that belong to them.
void remark(const FileReport &File, const RemarkFilter &Filter,
            clang::DiagnosticsEngine &Diags);

/// The name of a pass for those who read remarks of several tools:
/// "cuda-opt-bank-layout".
std::string getRemarkPass(const Finding &F);

} // namespace cudaopt

#endif // CUDAOPT_REPORT_REMARKS_H
