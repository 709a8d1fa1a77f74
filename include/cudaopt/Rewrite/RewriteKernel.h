// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns a plan into edits of the kernel's text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REWRITE_REWRITEKERNEL_H
#define CUDAOPT_REWRITE_REWRITEKERNEL_H

#include "cudaopt/Rewrite/Edits.h"
#include "cudaopt/Transforms/Plan.h"

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Why no text can keep away instances of the templates of \p K for which
/// nothing is proved; with reason None if an assertion can.
Blocker findInstanceBlocker(const Kernel &K, const clang::ASTContext &Context);

/// Adds to \p E the edits that give array \p Array of \p K the layout \p New,
/// in every instance of \p K; adds none if it returns an error.
llvm::Error rewriteArray(const Kernel &K, ArrayId Array, const Layout &New,
                         clang::ASTContext &Context, Edits &E);

} // namespace cudaopt

#endif // CUDAOPT_REWRITE_REWRITEKERNEL_H
