// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The struct that a host loop becomes, and the call that runs it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_REWRITE_LEVELIZESTRUCT_H
#define CUDAOPT_LIB_REWRITE_LEVELIZESTRUCT_H

#include "cudaopt/Transforms/Levelize.h"

#include "llvm/Support/Error.h"
#include <string>

namespace cudaopt {

/// `#line 12 "file.cu"`, with a line break, for a place of the main file.
std::string makeLineDirective(clang::SourceLocation Loc,
                              const clang::SourceManager &SM,
                              unsigned MoreLines = 0);

struct LoopTexts {
  std::string Struct; ///< Whole lines.
  /// An expression that is true if the program shall run its own loop.
  std::string Condition;
  std::string Plan; ///< A declaration in front of it, or nothing.
  Blocker WhyNot;   ///< None if the texts exist.
};

/// \p Name is that of the struct.
LoopTexts makeLoopTexts(const LevelizeDecision &D, llvm::StringRef Name,
                        const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_REWRITE_LEVELIZESTRUCT_H
