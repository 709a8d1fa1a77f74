// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What a source becomes that clang is about to compile.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_FRONTEND_PLUGINREWRITE_H
#define CUDAOPT_FRONTEND_PLUGINREWRITE_H

#include "cudaopt/Frontend/Options.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace clang {
class CompilerInstance;
}

namespace cudaopt {

/// Returns the text that the main file \p File of \p CI, which has not been
/// parsed yet, is to be compiled as in this job of clang and in all others of
/// the same command; nothing if it stays as it is. What the user asked to see
/// is printed by the first of these jobs. An error says why nothing could be
/// done.
llvm::Expected<std::optional<std::string>>
rewriteMainFile(clang::CompilerInstance &CI, llvm::StringRef File,
                const Options &Opts);

/// Returns an error if \p Opts asks for what the plugin cannot do.
llvm::Error validateForPlugin(const Options &Opts);

} // namespace cudaopt

#endif // CUDAOPT_FRONTEND_PLUGINREWRITE_H
