// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Builds a HostLoop from a loop's AST, with the help of its IR. The builder is
/// a list of what is understood: any statement, expression or type that is not
/// on it is a reason to leave the loop alone.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_HOSTLOOPS_HOSTLOOPBUILDER_H
#define CUDAOPT_LIB_HOSTLOOPS_HOSTLOOPBUILDER_H

#include "HostUpdates.h"
#include "HostVariables.h"
#include "cudaopt/HostLoops/HostLoop.h"
#include "cudaopt/HostLoops/LoopView.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringRef.h"

namespace cudaopt {

/// `Base[e]` or `Base[e][f]` in any spelling, as `*(Base + e)` or a call of an
/// operator[].
struct HostElement {
  const clang::Expr *Base = nullptr;
  /// The subscripts, outermost first; a null one stands for the 0 of `*Base`.
  llvm::SmallVector<const clang::Expr *, 2> Subscripts;
};

/// Returns the element that \p E names; std::nullopt if it names none.
std::optional<HostElement> getHostElement(const clang::Expr *E);

/// Returns the class of \p T if it is a std::vector, std::span, std::array, or
/// a vector of thrust; null for other types.
const clang::ClassTemplateSpecializationDecl *getContainer(clang::QualType T);

/// Returns true for an arithmetic or enumeration type that device code has with
/// the same size and arithmetic.
bool isHostScalar(clang::QualType Type);

/// Returns why \p Call is not a call of a function that computes a number from
/// numbers; std::nullopt if it is one. Notes calls of std::min and std::max,
/// the functions called, and those that must be copied, in \p L.
std::optional<Refusal> findCallRefusal(const clang::CallExpr *Call, HostLoop &L,
                                       const LoopView &View,
                                       const clang::ASTContext &Context);

/// Fills in one HostLoop. Functions that return bool return false once the loop
/// is refused.
class HostLoopBuilder {
public:
  /// \p F is the IR of the function around the loop; null if it has none.
  HostLoopBuilder(HostLoop &L, clang::ASTContext &Context,
                  const std::shared_ptr<const ir::Function> &F)
      : L(L), Context(Context), HasIR(F),
        View(F ? LoopView::find(F, L.Loop) : nullptr) {}

  /// Fills in the loop from its statement, or the reason why it is refused.
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
  /// The number of inner loops around the current statement.
  unsigned Depth = 0;
  bool IsInHead = false;  ///< The head of the loop itself is being read.
  bool IsChanged = false; ///< The body changes the iterator.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_HOSTLOOPS_HOSTLOOPBUILDER_H
