// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The struct that a host loop becomes, and the call that runs it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZESTRUCT_H
#define CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZESTRUCT_H

#include "cudaopt/Plan/LoopDecision.h"

#include "llvm/Support/Error.h"
#include <string>

namespace cudaopt {

/// Returns `#line 12 "file.cu"`, with a line break, for a place of the main
/// file; \p MoreLines is added to the line.
std::string makeLineDirective(clang::SourceLocation Loc,
                              const clang::SourceManager &SM,
                              unsigned MoreLines = 0);

/// The generated texts of one loop.
struct LoopTexts {
  std::string Struct; ///< Whole lines, to be inserted in front of the function.
  /// An expression that is true if the program must run its own loop.
  std::string Condition;
  std::string Plan; ///< A declaration in front of the condition; may be empty.
  std::optional<Refusal> Refused; ///< std::nullopt if the texts exist.
};

/// Writes the texts of \p D, for a struct called \p Name.
LoopTexts makeLoopTexts(const LevelizeDecision &D, llvm::StringRef Name,
                        const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZE_LEVELIZESTRUCT_H
