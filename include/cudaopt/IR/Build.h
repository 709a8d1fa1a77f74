// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds the IR of a function from clang's syntax tree. This is the only place
/// of the tool that gives C++ its meaning; every analysis reads the IR.
///
///   std::unique_ptr<ir::Function> F = ir::build(Kernel, Context);
///   F->print(llvm::outs());
///
/// The function is first lowered from its clang::CFG to memory form, in which
/// each variable is an object that is loaded and stored. Callees that have a
/// body and are not recursive are spliced in (inlined) at their calls. Then
/// variables whose address does not escape are promoted to SSA values, and
/// branches on constants are folded. Function.h shows an example of the result.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_BUILD_H
#define CUDAOPT_IR_BUILD_H

#include "cudaopt/IR/Function.h"

#include <functional>

namespace clang {
class ClassTemplateSpecializationDecl;
class CXXRecordDecl;
class VarDecl;
} // namespace clang

namespace cudaopt::ir {

struct BuildOptions {
  /// The number of operations from which on further calls are opaque instead of
  /// spliced in, so that deep template code does not grow without bound.
  unsigned MaxOperations = 20000;
  /// Records what each expression became, for Function::evaluationOf().
  bool KeepsEvaluations = false;
  /// Folds branches on constants and drops the blocks that become unreachable.
  bool DropsUnreachable = true;
  /// Whether calls of functions in system headers are spliced in. If not, only
  /// `constexpr` ones are, such as the constructors of dim3.
  bool SplicesLibraries = true;
  /// For passes that move the text of a function: blocks keep a record of the
  /// uses of promoted variables (Block::Uses), and calls of known containers of
  /// the standard library become loads of the container instead of being
  /// spliced in. `v[i]` and `v.size()` of a std::vector `v` become
  ///
  ///   %1 = load ptr [@v] elements()
  ///   %2 = load u64 [@v] size()
  bool KeepsText = false;
  /// Returns true for a variable that, although it is not const, never changes
  /// after its initialisation. When a lambda's body is built, the initial
  /// values of such variables that it captures are known in it. May be empty.
  std::function<bool(const clang::VarDecl *)> IsUnchanged;
};

/// Returns the IR of \p F, which must have a body and depend on no template
/// parameter. Returns null if clang makes no control-flow graph for it, or if
/// it calls setjmp() or another function that returns twice.
///
/// Exceptions are modelled by one edge for each `try`, from its beginning to
/// its handlers. There, nothing is known of what the `try` block may have
/// written.
std::unique_ptr<Function> build(const clang::FunctionDecl *F,
                                clang::ASTContext &Context,
                                const BuildOptions &Options = {});

/// One round of promotion: returns a copy of \p F in which scalars whose
/// address does not escape are SSA values and branches on constants are folded;
/// null if nothing would change. build() repeats it up to a fixed number of
/// rounds.
std::unique_ptr<Function> promote(const Function &F,
                                  const BuildOptions &Options = {});

/// Returns true if \p F is a builtin or a function of a system header that is
/// known to be pure: its result depends on its arguments only, and it has no
/// side effects.
bool onlyComputes(const clang::FunctionDecl *F,
                  const clang::ASTContext &Context);

/// Returns \p Class if it is an instance of a class template whose elements lie
/// one behind the other, as std::vector (KnownCalls.def); null otherwise.
const clang::ClassTemplateSpecializationDecl *
asContainer(const clang::CXXRecordDecl &Class);

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_BUILD_H
