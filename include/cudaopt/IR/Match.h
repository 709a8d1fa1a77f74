// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The entry points into a translation unit, found by clang's AST matchers:
/// from each of them, the IR of a function can be built.
///
///   for (const clang::FunctionDecl *Kernel : ir::findKernels(Context))
///     ir::build(Kernel, Context)->print(llvm::outs());
///
/// Only what lies in the context's traversal scope is found, which is what the
/// user wrote (see listOwnDeclarations()). Patterns of templates are not: their
/// instances are. All results are in the order of the source, instances of a
/// template where the template stands.
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

/// `__device__` functions with a body that are called.
std::vector<const clang::FunctionDecl *>
findDeviceCallees(clang::ASTContext &Context);

/// Functions of the host with a `for` loop in their body, of either form.
std::vector<const clang::FunctionDecl *>
findLoopFunctions(clang::ASTContext &Context);

/// `__shared__` variables: of kernels and device functions, static and extern.
std::vector<const clang::VarDecl *>
findSharedVariables(clang::ASTContext &Context);

/// `k<<<...>>>(...)`, and calls of the runtime's and driver's functions that
/// launch a kernel.
std::vector<const clang::Expr *> findLaunches(clang::ASTContext &Context);

/// Declarations with a mark of `cudaopt/annotations.h`; of templates, the
/// patterns.
std::vector<const clang::Decl *>
findMarkedDeclarations(clang::ASTContext &Context);

/// Statements with such a mark; in templates, those of the instances, too.
std::vector<const clang::AttributedStmt *>
findMarkedStatements(clang::ASTContext &Context);

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_MATCH_H
