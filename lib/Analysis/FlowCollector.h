// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Fills a ProductFlow from the bodies of a kernel and of what it calls.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_ANALYSIS_FLOWCOLLECTOR_H
#define CUDAOPT_LIB_ANALYSIS_FLOWCOLLECTOR_H

#include "ProductFlow.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

namespace cudaopt {

class FlowCollector : public clang::DynamicRecursiveASTVisitor {
public:
  explicit FlowCollector(ProductFlow &Flow) : Flow(Flow) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }
  /// The body of \p F, and of what it calls.
  void collect(const clang::FunctionDecl *F);

  bool VisitVarDecl(clang::VarDecl *V) override;
  bool VisitBinaryOperator(clang::BinaryOperator *E) override;
  bool VisitCallExpr(clang::CallExpr *E) override;
  bool VisitUnaryOperator(clang::UnaryOperator *E) override;
  bool VisitReturnStmt(clang::ReturnStmt *S) override;
  bool VisitCastExpr(clang::CastExpr *E) override;
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *E) override;
  bool VisitSwitchStmt(clang::SwitchStmt *S) override;
  bool VisitGCCAsmStmt(clang::GCCAsmStmt *S) override;

private:
  void store(const clang::Expr *Target, const clang::Expr *Value);
  void reach(const clang::Expr *E);
  void reachObject(const clang::CallExpr *E);
  void test(const clang::Expr *E, bool IsEquality);
  static void
  forEachRoot(const clang::Stmt *S,
              llvm::function_ref<void(const clang::VarDecl *)> Visit);
  /// Where the value of an operand goes.
  void follow(const clang::Expr *E, bool MeetsSum);

  ProductFlow &Flow;
  llvm::SmallPtrSet<const clang::Expr *, 8> Elements; ///< Arrays in subscripts.
  const clang::FunctionDecl *Function = nullptr;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Seen;
  std::vector<const clang::FunctionDecl *> Work;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_ANALYSIS_FLOWCOLLECTOR_H
