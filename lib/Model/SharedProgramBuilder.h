// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Walks a kernel and makes its steps: one for each statement without a barrier
/// of the block inside, and structured control around those with one.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_SHAREDPROGRAMBUILDER_H
#define CUDAOPT_LIB_MODEL_SHAREDPROGRAMBUILDER_H

#include "SharedUses.h"
#include "UniformControl.h"

namespace cudaopt {

class SharedProgramBuilder {
public:
  SharedProgramBuilder(const Kernel &K, const KernelInstance &Instance,
                       clang::ASTContext &Context);

  SharedProgram build();

private:
  using Ends = llvm::SmallVector<StepId, 4>;

  /// Where the ways out of a loop lead.
  struct LoopExits {
    Ends Breaks, Continues;
  };
  /// A call whose body is a part of the steps.
  struct SplicedCall {
    const CallFrame *Frame;
    UniformControl Control;
    Ends Returns;
    llvm::SmallVector<LoopExits, 4> Loops;
  };

  // Statements. \p InSequence tells whether S stands in braces.
  void walk(const clang::Stmt *S, bool InSequence);
  void walkIf(const clang::IfStmt *If);
  void walkFor(const clang::ForStmt *For);
  void walkWhile(const clang::WhileStmt *While);
  void walkDo(const clang::DoStmt *Do);
  void walkRange(const clang::CXXForRangeStmt *Range);
  void walkDecl(const clang::DeclStmt *Declaration, bool InSequence);
  /// Walks the body of a loop of which \p Head is tested first; \p Inc, null or
  /// not, advances it.
  void walkBody(const clang::Stmt *Loop, const clang::Stmt *Body,
                const clang::Expr *Inc, StepId Head);
  void enterLoop(const clang::Stmt *Loop, const clang::Expr *Condition);
  void leaveLoop(const clang::Stmt *Loop, Ends After);

  // Expressions with barriers inside.
  void walkExpr(const clang::Expr *E, const clang::Stmt *S, bool InSequence);
  void walkPoints(const clang::Expr *E, const clang::Stmt *S, bool InSequence);
  /// A barrier, or a call of a function with barriers.
  void walkPoint(const clang::CallExpr *Call, const clang::Stmt *S);
  void splice(const clang::CallExpr *Call, const clang::FunctionDecl *Body);

  // Steps.
  StepId addStep(Step::Kind What, const clang::Stmt *S, bool InSequence);
  void addWork(const clang::Stmt *S, bool InSequence);
  void addFront(const clang::Stmt *S, bool InSequence);
  void addBarrier(const clang::Stmt *S, bool InSequence);
  bool mayReturnAlone(const clang::Stmt *S) const;
  void connectExits(const clang::Stmt *S, StepId Id);
  void connect(const Ends &From, StepId To);
  void noteCopies(const clang::Stmt *S, Step &Into);
  void refuse(Reason Why, clang::SourceLocation Loc, std::string Detail = "");
  void refuseJumps(const clang::Stmt *Body);
  /// Judges the condition of control with barriers inside; returns whether all
  /// threads are sure to take the same way.
  bool judge(const clang::Expr *Condition, Uniformity Exits);
  double countIterations(const clang::Stmt *Loop) const;

  const KernelInstance &Instance;
  clang::ASTContext &Context;
  SharedProgram P;
  CallTable Calls;
  SharedVariables Shared;
  PointerTargets Pointers;
  UseCollector Uses;

  // Where the walk is.
  Ends Frontier; ///< The steps that the next one follows.
  llvm::SmallVector<SplicedCall *, 8> Stack;
  bool IsUniform = true;
  /// Threads may go different ways round barriers, and some come to the end of
  /// the kernel before others.
  bool MayPart = false;
  unsigned LoopDepth = 0;
  double Weight = 1;
  bool HasOpenBatch = false; ///< Copies may be started and not committed.
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_SHAREDPROGRAMBUILDER_H
