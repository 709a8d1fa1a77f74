// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the entry points into a translation unit by clang's AST matchers:
/// kernels, launches, shared variables, and what the user has marked. From each
/// function found, IR can be built:
///
///   for (const clang::FunctionDecl *Kernel : ir::findKernels(Context))
///     ir::build(Kernel, Context)->print(llvm::outs());
///
/// Only declarations in the traversal scope of the ASTContext are searched; the
/// caller sets it to what the user wrote (see listOwnDeclarations()). Of
/// templates the instances are found, not the patterns, unless noted otherwise.
/// All results are in source order, instances of a template at the place of the
/// template.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_MATCH_H
#define CUDAOPT_IR_MATCH_H

#include <vector>

namespace clang {
class ASTContext;
class AttributedStmt;
class Decl;
class Expr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace cudaopt::ir {

/// `__global__` functions with a body.
std::vector<const clang::FunctionDecl *>
findKernels(clang::ASTContext &Context);

/// `__device__` functions that have a body and are called, each once.
std::vector<const clang::FunctionDecl *>
findDeviceCallees(clang::ASTContext &Context);

/// Host functions whose body contains a `for` loop, of the classic or of the
/// range-based form.
std::vector<const clang::FunctionDecl *>
findLoopFunctions(clang::ASTContext &Context);

/// `__shared__` variables of kernels and device functions, static and extern.
std::vector<const clang::VarDecl *>
findSharedVariables(clang::ASTContext &Context);

/// Launches: `k<<<...>>>(...)`, and calls of the functions of CUDA's runtime
/// and driver that launch a kernel (`cudaLaunchKernel()`, `cuLaunchKernel()`,
/// ...).
std::vector<const clang::Expr *> findLaunches(clang::ASTContext &Context);

/// Declarations with a mark (a macro of `cudaopt/annotations.h`); of function
/// templates, the patterns, since these are what the user marked.
std::vector<const clang::Decl *>
findMarkedDeclarations(clang::ASTContext &Context);

/// Statements with such a mark; in templates, those of the instances, too.
std::vector<const clang::AttributedStmt *>
findMarkedStatements(clang::ASTContext &Context);

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_MATCH_H
