// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Where the user's text asks for macros that clang's parse of the device's
/// side and nvcc do not define alike.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_FRONTEND_MACROMENTIONS_H
#define CUDAOPT_LIB_FRONTEND_MACROMENTIONS_H

#include "clang/Basic/SourceLocation.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class PPCallbacks;
class Preprocessor;
} // namespace clang

namespace cudaopt {

/// A place outside of system headers that expands a macro, or asks for it in a
/// condition.
struct MacroMention {
  std::string Name;
  clang::SourceLocation Loc; ///< In a file.
  /// False if only that it is defined matters.
  bool AsksValue = true;
};

struct MacroMentions {
  /// The first one of a macro that clang defines otherwise than nvcc and its
  /// host compiler.
  std::optional<MacroMention> OfCompiler;
  /// Of `_OPENMP` and the like, which only an option of the host compiler
  /// defines.
  std::optional<MacroMention> OfDirectives;
  /// Of `__CUDA_ARCH__`, which host code does not have, and of what goes by it.
  std::vector<MacroMention> OfArch;
  /// The names that the program, or the command line, defines, and where it
  /// does so first.
  std::map<std::string, clang::SourceLocation> OfUser;
};

/// Returns what fills \p Mentions while \p PP runs.
std::unique_ptr<clang::PPCallbacks>
createMacroRecorder(clang::Preprocessor &PP,
                    std::shared_ptr<MacroMentions> Mentions);

} // namespace cudaopt

#endif // CUDAOPT_LIB_FRONTEND_MACROMENTIONS_H
