// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Fills a ProductFlow from the bodies of a kernel and of the functions that it
/// calls: which values are assigned to which variable or memory, which are
/// returned, and where products are operands of sums.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_FLOWCOLLECTOR_H
#define CUDAOPT_LIB_ANALYSIS_FLOWCOLLECTOR_H

#include "ProductFlow.h"

#include "clang/AST/ExprCXX.h"

namespace cudaopt {

/// Collects the values. The order of statements is ignored, so that visiting
/// each function once is enough.
class FlowCollector {
public:
  explicit FlowCollector(ProductFlow &Flow) : Flow(Flow) {}
  /// Collects from the body of \p F and, transitively, from those of the user's
  /// functions that it calls.
  void collect(const clang::FunctionDecl *F);

private:
  void visit(const clang::Stmt *S);
  void visitVariable(const clang::VarDecl *V);
  void visitBinary(const clang::BinaryOperator *E);
  void visitCall(const clang::CallExpr *E);
  void visitUnary(const clang::UnaryOperator *E);
  void visitCast(const clang::CastExpr *E);
  /// Adds \p Value to the values of the variable or memory \p Target.
  void store(const clang::Expr *Target, const clang::Expr *Value);
  /// Notes that the variable of \p E may be written through another name.
  void reach(const clang::Expr *E);
  /// The same for the object of a call of a member function that may change it.
  void reachObject(const clang::CallExpr *E);
  void test(const clang::Expr *E, bool IsEquality);
  /// Calls \p Visit for the variables that occur in \p S, except in subscripts.
  static void
  forEachRoot(const clang::Stmt *S,
              llvm::function_ref<void(const clang::VarDecl *)> Visit);
  /// Records the products in the operand \p E; \p MeetsSum says whether the
  /// operand's value may reach a sum.
  void follow(const clang::Expr *E, bool MeetsSum);

  ProductFlow &Flow;
  /// The bases of subscripts: arrays that decay only to be subscripted.
  llvm::SmallPtrSet<const clang::Expr *, 8> Elements;
  /// The function whose body is being visited.
  const clang::FunctionDecl *Function = nullptr;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Seen;
  std::vector<const clang::FunctionDecl *> Work; ///< The worklist.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_FLOWCOLLECTOR_H
