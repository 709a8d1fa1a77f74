// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// From clang's syntax tree to the IR: the one place that gives C++ its
/// meaning.
///
///   std::unique_ptr<ir::Function> F = ir::build(Kernel, Context);
///   F->print(llvm::outs());
///
/// The function is lowered from its clang::CFG in memory form, in which each
/// variable is an object. Callees with a body are spliced in at their calls,
/// parameters bound, as far as they are not recursive. Then variables whose
/// address goes nowhere become values, and branches on constants are folded.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_BUILD_H
#define CUDAOPT_IR_BUILD_H

#include "cudaopt/IR/Function.h"

#include <functional>

namespace clang {
class VarDecl;
} // namespace clang

namespace cudaopt::ir {

struct BuildOptions {
  /// Calls are opaque from this number of operations on, so that deep template
  /// code does not grow without bound.
  unsigned MaxOperations = 20000;
  /// Whether Function::evaluationOf() is of use.
  bool KeepsEvaluations = false;
  /// Branches on constants are folded; what no run gets to is dropped.
  bool DropsUnreachable = true;
  /// Whether calls of functions in system headers are spliced in. If not, only
  /// those are that a constant expression may call, as constructors of dim3.
  bool SplicesLibraries = true;
  /// For who moves the text of a function: blocks keep the uses of variables
  /// that became values, and what known containers of the standard library do
  /// to their elements is not spliced in:
  ///
  ///   %1 = load ptr [@v] elements()
  ///   %2 = load u64 [@v] size()
  bool KeepsText = false;
  /// Tells variables that are never changed after their initialisation, besides
  /// const ones. What a lambda captures of them is then known in its body.
  std::function<bool(const clang::VarDecl *)> IsUnchanged;
};

/// \p F has a body and depends on no template parameter. Null if clang makes no
/// control-flow graph for it, and for functions that call setjmp().
///
/// An exception takes one way only: from the beginning of a `try` to its
/// handlers, where nothing is known of what the block may have written.
std::unique_ptr<Function> build(const clang::FunctionDecl *F,
                                clang::ASTContext &Context,
                                const BuildOptions &Options = {});

/// \p F with scalars whose address goes nowhere as values, and branches on
/// constants folded. Called until nothing changes, by build().
std::unique_ptr<Function> promote(const Function &F,
                                  const BuildOptions &Options = {});

/// True for a function of a system's header of which it is known that its
/// result depends on its arguments, and that it does nothing else.
bool onlyComputes(const clang::FunctionDecl *F,
                  const clang::ASTContext &Context);

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_BUILD_H
