// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns the plans of the passes into edits of the kernels' text: new layouts
/// of arrays, storage that variables share, and new orders of statements.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_REWRITE_REWRITEKERNEL_H
#define CUDAOPT_REWRITE_REWRITEKERNEL_H

#include "cudaopt/Plan/Plan.h"
#include "cudaopt/Source/Edits.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace cudaopt {

/// What is proved for the instances of a template in this file need not hold
/// for others. A static_assert in the template keeps these away. Returns why
/// none can be written for the templates of \p K; std::nullopt if one can.
/// \p OwnsHeaders says that included files are rewritten for this file only.
std::optional<Refusal> findInstanceRefusal(const Kernel &K,
                                           const clang::ASTContext &Context,
                                           bool OwnsHeaders);

/// A layout that an array of \c K is to get, in every instance of \c K.
struct ArrayRewrite {
  const Kernel &K;
  ArrayId Array;
  const Layout &New;
  /// Why its text stays as it is; empty if it is edited.
  std::string WhyNot = "";
};

/// Returns the layouts that \p P gives the arrays of \p K. They refer to \p P,
/// which must outlive them.
std::vector<ArrayRewrite> listRewrites(const Kernel &K, const Plan &P);

/// Returns the edits that give all arrays of \p Wanted their layouts, except
/// those for which it fills in WhyNot: these get no edit. The rewrites of one
/// kernel must be adjacent.
Edits rewriteArrays(llvm::MutableArrayRef<ArrayRewrite> Wanted,
                    clang::ASTContext &Context);

/// Adds to \p E the edits that store the variables of \p K as \p Reuse says;
/// adds none if it returns an error. Must be called after the layouts: the
/// declarations are taken over with the edits that \p E has of them.
///
/// \verbatim
///     __shared__ float a[18][18];    __shared__ union {
///     __shared__ float b[64];          float a[18][18];
///     __shared__ int c[256];           struct { float b[64]; int c[256]; };
///                                    } reused;
///                                    auto &a = reused.a;
///                                    auto &b = reused.b;
///                                    auto &c = reused.c;
/// \endverbatim
llvm::Error rewriteReuse(const Kernel &K, const ReuseDecision &Reuse,
                         clang::ASTContext &Context, Edits &E);

/// Adds to \p E the edits of \p Wanted, a change of \p K. Templates get an
/// assertion as above. Must be called after layouts and storage.
llvm::Error writeRewrite(const Kernel &K, const KernelRewrite &Wanted,
                         clang::ASTContext &Context, Edits &E);

/// Adds to \p E the edit that puts the statements of \p K in the order of
/// \p Order. Whole lines move, with the comments in front of them.
llvm::Error rewriteOrder(const Kernel &K, const OrderDecision &Order,
                         clang::ASTContext &Context, Edits &E);

} // namespace cudaopt

#endif // CUDAOPT_REWRITE_REWRITEKERNEL_H
