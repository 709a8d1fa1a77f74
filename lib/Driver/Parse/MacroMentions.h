// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Records where the user's text depends on macros that clang's device-side
/// parse and nvcc define differently. Such a text may be another program in the
/// build than in the parse.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_DRIVER_PARSE_MACROMENTIONS_H
#define CUDAOPT_LIB_DRIVER_PARSE_MACROMENTIONS_H

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

/// A place outside system headers that expands a macro or tests it in a
/// condition.
struct MacroMention {
  std::string Name;
  clang::SourceLocation Loc; ///< A location in a file, not in a macro.
  /// False if only whether the macro is defined matters.
  bool AsksValue = true;
};

/// All such places of a translation unit.
struct MacroMentions {
  /// The first use of a macro that clang defines differently than nvcc and its
  /// host compiler.
  std::optional<MacroMention> OfCompiler;
  /// A use of `_OPENMP` and the like, which only an option of the host compiler
  /// defines.
  std::optional<MacroMention> OfDirectives;
  /// The uses of `__CUDA_ARCH__`, which host code does not have, and of macros
  /// that depend on it.
  std::vector<MacroMention> OfArch;
  /// The macros that the program or the command line defines, and where each is
  /// first defined.
  std::map<std::string, clang::SourceLocation> OfUser;
};

/// Returns callbacks that fill \p Mentions while \p PP runs.
std::unique_ptr<clang::PPCallbacks>
createMacroRecorder(clang::Preprocessor &PP,
                    std::shared_ptr<MacroMentions> Mentions);

} // namespace cudaopt

#endif // CUDAOPT_LIB_DRIVER_PARSE_MACROMENTIONS_H
