// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns plans into edits of the kernels' text.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REWRITE_REWRITEKERNEL_H
#define CUDAOPT_REWRITE_REWRITEKERNEL_H

#include "cudaopt/Rewrite/Edits.h"
#include "cudaopt/Transforms/Plan.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// Why no text can keep away instances of the templates of \p K for which
/// nothing is proved; with reason None if an assertion can.
Blocker findInstanceBlocker(const Kernel &K, const clang::ASTContext &Context,
                            bool OwnsHeaders);

/// A layout that an array of \c K is to get, in every instance of \c K.
struct ArrayRewrite {
  const Kernel &K;
  ArrayId Array;
  const Layout &New;
  std::string WhyNot = ""; ///< Why its text stays; empty if it is edited.
};

/// The layouts that \p P, which outlives them, gives the arrays of \p K.
std::vector<ArrayRewrite> listRewrites(const Kernel &K, const Plan &P);

/// Returns the edits that give all arrays of \p Wanted their layouts but those
/// for which it fills in WhyNot: these get no edit. Rewrites of one kernel
/// follow each other.
Edits rewriteArrays(llvm::MutableArrayRef<ArrayRewrite> Wanted,
                    clang::ASTContext &Context);

/// Adds to \p E the edits that store the variables of \p K as \p Reuse says;
/// adds none if it returns an error. Comes after the layouts: the declarations
/// are taken over with the edits that \p E holds of them.
///
/// \verbatim
///   __shared__ float a[18][18];    __shared__ union {
///   __shared__ float b[64];          float a[18][18];
///   __shared__ int c[256];           struct { float b[64]; int c[256]; };
///                                  } reused;
///                                  auto &a = reused.a;
///                                  auto &b = reused.b;
///                                  auto &c = reused.c;
/// \endverbatim
llvm::Error rewriteReuse(const Kernel &K, const ReuseDecision &Reuse,
                         clang::ASTContext &Context, Edits &E);

/// Adds to \p E the edit that gives the statements of \p K the order of
/// \p Order: whole lines move, with the comments in front of them.
llvm::Error rewriteOrder(const Kernel &K, const OrderDecision &Order,
                         clang::ASTContext &Context, Edits &E);

} // namespace cudaopt

#endif // CUDAOPT_REWRITE_REWRITEKERNEL_H
