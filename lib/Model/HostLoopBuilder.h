// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds a HostLoop: what is not on the list of what is understood is a reason
/// to leave the loop alone.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_HOSTLOOPBUILDER_H
#define CUDAOPT_LIB_MODEL_HOSTLOOPBUILDER_H

#include "HostUpdates.h"
#include "HostVariables.h"
#include "cudaopt/HostLoops/LoopView.h"
#include "cudaopt/Model/HostLoop.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringRef.h"

namespace cudaopt {

/// `Base[e]`, `Base[e][f]`, in any of its spellings.
struct HostElement {
  const clang::Expr *Base = nullptr;
  /// One for each dimension; null for that of `*Base`.
  llvm::SmallVector<const clang::Expr *, 2> Subscripts;
};

/// Nothing if \p E is no element of anything.
std::optional<HostElement> getHostElement(const clang::Expr *E);

/// std::vector, std::span, std::array, or a vector of thrust; null for others.
const clang::ClassTemplateSpecializationDecl *getContainer(clang::QualType T);

/// An arithmetic or enumeration type that device code has, too.
bool isHostScalar(clang::QualType Type);

/// Why \p Call is not a function of numbers; None if it is one. Notes calls of
/// std::min and std::max, and functions that must be copied, in \p L.
Blocker findCallBlocker(const clang::CallExpr *Call, HostLoop &L,
                        const LoopView &View, const clang::ASTContext &Context);

class HostLoopBuilder {
public:
  /// \p F is the function around the loop; null if the IR has none.
  HostLoopBuilder(HostLoop &L, clang::ASTContext &Context,
                  const std::shared_ptr<const ir::Function> &F)
      : L(L), Context(Context), HasIR(F),
        View(F ? LoopView::find(F, L.Loop) : nullptr) {}

  /// Fills the loop from its statement, or its reason.
  void build();

private:
  bool refuse(Reason Why, clang::SourceLocation Loc, llvm::StringRef Detail);
  bool refuse(Reason Why, const clang::Stmt *S, llvm::StringRef Detail = "") {
    return refuse(Why, S->getBeginLoc(), Detail);
  }

  bool refuseAfterBody(Reason Why, const clang::Stmt *S,
                       llvm::StringRef Detail);

  bool checkParts();
  bool checkView();
  bool checkJumps(const clang::Stmt *S);
  bool checkHidden();

  // The head.
  bool readHead();
  bool readFirst(const clang::Stmt *Init);
  bool readCondition(const clang::Expr *Condition);
  bool readStep(const clang::ForStmt *For);
  bool checkWrap(const clang::ForStmt *For);
  bool checkBound(const clang::Expr *E);
  bool checkBoundParts(const clang::Expr *E);

  // Heads of loops over arrays.
  bool readRangeFor(const clang::CXXForRangeStmt *S);
  bool readIota(const clang::CXXForRangeStmt *S, const clang::Expr *First,
                const clang::Expr *Last);
  bool readPointerFor(const clang::ForStmt *For, const clang::VarDecl *V);
  bool readPointerEnd(const clang::Expr *Last);
  bool stepsToNext() const;
  bool isFirstElement(const clang::Expr *E) const;
  bool isRangeVariable(const clang::Expr *E) const;
  bool isIterationNumber(const clang::Expr *E) const;

  // Statements.
  bool visit(const clang::Stmt *S);
  bool visitDeclaration(const clang::DeclStmt *S);
  bool visitLocal(const clang::VarDecl *V);
  bool visitLoop(const clang::Stmt *Init, const clang::Expr *Condition,
                 const clang::Expr *Increment, const clang::Stmt *Body);
  bool visitEffect(const clang::Expr *E);
  std::optional<HostUpdate> findSharedUpdate(const clang::Stmt *S) const;
  bool visitAssignment(const clang::Expr *Whole, const clang::Expr *Target,
                       const std::optional<HostUpdate> &Update);
  bool visitWrittenScalar(const clang::Expr *Whole, const clang::Expr *Target,
                          const std::optional<HostUpdate> &Update);
  bool visitTypes();

  // Values.
  bool visitValue(const clang::Expr *E);
  bool visitOperator(const clang::Expr *E);
  bool refuseValue(const clang::Expr *E);
  bool visitCast(const clang::CastExpr *E);
  bool visitCall(const clang::CallExpr *E);
  bool visitName(const clang::Expr *E);
  bool visitElementMember(const clang::MemberExpr *E);
  bool visitElement(const HostElement &Element, HostAccess Access,
                    bool IsMember = false);
  bool addAccess(HostAccess Access);
  bool visitList(const clang::Expr *Init);
  bool readType(HostArray &A, const clang::Expr *Base);
  std::optional<HostArrayId> findArray(const clang::Expr *Base);
  bool addScalar(const clang::Expr *E, HostPath Path, bool IsSize);

  // Afterwards.
  bool finish();
  bool checkNames();
  bool checkConflicts();

  HostLoop &L;
  clang::ASTContext &Context;
  const bool HasIR;
  const std::shared_ptr<LoopView> View;
  HostVariables Variables;
  unsigned Depth = 0;     ///< Of inner loops.
  bool IsInHead = false;  ///< Of the loop itself.
  bool IsChanged = false; ///< The body changes the iterator.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_HOSTLOOPBUILDER_H
