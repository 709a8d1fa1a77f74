// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Whether what clang parsed, the device's side by its own rules, is what the
/// build compiles.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_PARSEDOUBTS_H
#define CUDAOPT_LIB_FRONTEND_PARSEDOUBTS_H

#include "MacroMentions.h"
#include "cudaopt/Frontend/Pipeline.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Each string says why; an empty one stands for no doubt.
struct ParseDoubts {
  std::string OfText;       ///< The build may compile other code.
  std::string OfHostText;   ///< So, but only on the host.
  std::string OfHostValues; ///< So are numbers of host code, or launches.

  /// True if kernels may change, but not by the launches that are seen.
  bool hidesLaunches() const {
    return !OfHostText.empty() || !OfHostValues.empty();
  }
  /// Why a scan, which reads the text of each side, may find other launches;
  /// empty if it does not.
  const std::string &ofScan() const {
    return OfText.empty() ? OfHostValues : OfText;
  }
};

/// \p Errors are the places of clang's errors.
ParseDoubts findParseDoubts(const MacroMentions &Mentions,
                            const CompileCommand &Command,
                            llvm::ArrayRef<clang::SourceLocation> Errors,
                            const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_PARSEDOUBTS_H
