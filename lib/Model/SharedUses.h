// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds what the statements of one step do to shared variables, in the
/// functions that they call, too.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_SHAREDUSES_H
#define CUDAOPT_LIB_MODEL_SHAREDUSES_H

#include "BlockBarriers.h"
#include "PointerTargets.h"
#include "TouchedElements.h"

#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/MapVector.h"

namespace cudaopt {

class UseCollector {
public:
  UseCollector(const KernelInstance &Instance, const SharedVariables &Shared,
               const PointerTargets &Pointers, SharedProgram &P);

  /// How much is known of a step.
  enum class Order {
    Known,    ///< It runs from its beginning to its end.
    MayLeave, ///< Or is left before.
    Unknown,  ///< A barrier stands in its middle; this is one side of it.
  };
  /// Adds the uses of \p S to \p Target.
  void collect(const clang::Stmt *S, const CallFrame &Frame, Order How,
               Step &Target);

  /// The frame of a call; nothing if the program is refused.
  std::optional<CallFrame> enter(const clang::Expr *Call,
                                 const clang::FunctionDecl *Body,
                                 const CallFrame &Caller);
  /// The arguments of a call alone.
  void collectOperands(const clang::Expr *Call, const CallFrame &Frame,
                       Step &Target);

  void pushLoop(const clang::Stmt *Loop) { Outer.insert(Loop); }
  void popLoop(const clang::Stmt *Loop) { Outer.erase(Loop); }

  /// What threads surely wrote themselves since the last barrier, on every way
  /// to here.
  struct OwnWrite {
    ArrayId Array;
    unsigned Chunk;
    llvm::SmallVector<ValueId, 4> Index;
  };
  std::vector<OwnWrite> OwnWrites;

private:
  using Accesses = llvm::SmallVector<const Access *, 2>;

  void visitStmt(const clang::Stmt *S);
  void visitIf(const clang::IfStmt *If);
  void visitLoop(const clang::Stmt *Loop);
  void visitFull(const clang::Expr *E);
  void visitExpr(const clang::Expr *E);
  void visitChildren(const clang::Stmt *S);
  void visitBinary(const clang::BinaryOperator *Op);
  void visitCall(const clang::Expr *Call);
  void visitBody(const clang::FunctionDecl *Body);
  /// The places that \p Place, or the pointer \p Address, is computed from:
  /// nothing is accessed but what the computation reads.
  void visitPlace(const clang::Expr *Place);
  void visitAddress(const clang::Expr *Address);
  void visitBound(const clang::Expr *E, clang::QualType Type);
  bool visitElement(const clang::Expr *E, bool IsAssigned);
  bool visitScalar(const clang::Expr *E);
  Accesses findAccesses(const clang::Expr *Ref) const;
  bool isPlainAccess(const clang::Expr *Argument) const;

  void use(VariableId Id, bool Reads, bool Writes, clang::SourceLocation Loc);
  void use(const TargetSet &Targets, clang::SourceLocation Loc);
  void useElements(llvm::ArrayRef<const Access *> Pieces, bool IsAssigned);
  bool isOwn(const Access &A) const;
  SharedUse makeUse(VariableId Id, clang::SourceLocation Loc) const;

  const KernelInstance &Instance;
  const SharedVariables &Shared;
  const PointerTargets &Pointers;
  SharedProgram &P;
  ElementCounter Counter;
  llvm::DenseMap<const clang::Expr *, Accesses> ByRef;
  llvm::DenseSet<const clang::Stmt *> Outer;
  unsigned NumEntered = 0;

  // Where the collector is.
  Step *Target = nullptr;
  const CallFrame *Frame = nullptr;
  Order How = Order::Known;
  unsigned Conditions = 0;     ///< Around, inside of the step.
  unsigned ExprConditions = 0; ///< Of them, inside of the expression.
  unsigned InnerLoops = 0;     ///< Around, inside of the step.
  bool IsInLambda = false, IsPending = false;
  std::vector<OwnWrite> NewWrites; ///< Of the expression.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_SHAREDUSES_H
