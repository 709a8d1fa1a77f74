// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Doubts whether the text that clang parsed, the device's side by clang's
/// rules, is the text that the build compiles.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PARSE_PARSEDOUBTS_H
#define CUDAOPT_LIB_DRIVER_PARSE_PARSEDOUBTS_H

#include "MacroMentions.h"
#include "cudaopt/Driver/Pipeline/Pipeline.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// The reasons for doubt, in words; an empty string means no doubt.
struct ParseDoubts {
  std::string OfText;     ///< The build may compile other code.
  std::string OfHostText; ///< The host side of the build may have other code.
  /// Host code may compute other numbers, or launch otherwise.
  std::string OfHostValues;

  /// Returns true if kernels may be edited, but the launches that were seen may
  /// not be those of the build.
  bool hidesLaunches() const {
    return !OfHostText.empty() || !OfHostValues.empty();
  }
  /// Returns why a launch scan, which reads the text of each side, may still
  /// find other launches than the build has; an empty string if it cannot.
  const std::string &ofScan() const {
    return OfText.empty() ? OfHostValues : OfText;
  }
};

/// Collects the doubts about a parse. \p Errors are the locations of clang's
/// errors.
ParseDoubts findParseDoubts(const MacroMentions &Mentions,
                            const CompileCommand &Command,
                            llvm::ArrayRef<clang::SourceLocation> Errors,
                            const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PARSE_PARSEDOUBTS_H
