// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The plugin's part of a compilation by clang: what text clang compiles in
/// place of the source.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_DRIVER_PLUGIN_PLUGINREWRITE_H
#define CUDAOPT_DRIVER_PLUGIN_PLUGINREWRITE_H

#include "cudaopt/Driver/Command/Options.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace clang {
class CompilerInstance;
}

namespace cudaopt {

/// Returns the text as which \p File, the main file of \p CI, is to be
/// compiled, in this job of clang and in all others of the same command (one
/// for the host and one for each GPU, which must agree). The file must not have
/// been parsed yet. Returns std::nullopt if it stays as it is. The job that
/// comes first prints what the user asked to see. An error says why nothing
/// could be done.
llvm::Expected<std::optional<std::string>>
rewriteMainFile(clang::CompilerInstance &CI, llvm::StringRef File,
                const Options &Opts);

/// Returns an error if \p Opts has an option that the plugin does not support.
llvm::Error validateForPlugin(const Options &Opts);

} // namespace cudaopt

#endif // CUDAOPT_DRIVER_PLUGIN_PLUGINREWRITE_H
