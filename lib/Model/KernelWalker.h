// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Walks the text of a kernel once, in source order, and collects every use of
/// its shared arrays. Calls that concern an array are entered, as if the
/// callee's body stood in their place. The walk decides which element is
/// accessed how; the kernel's IR (BoundKernel) says what values subscripts have
/// and how threads get to a use.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_KERNELWALKER_H
#define CUDAOPT_LIB_MODEL_KERNELWALKER_H

#include "BoundKernel.h"
#include "cudaopt/Model/CallTable.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SetVector.h"

namespace cudaopt {

/// What the parent of an expression does with the object that the expression
/// names.
struct Use {
  enum Kind {
    Discard, ///< Nothing: the expression is a statement.
    Read,
    Write,
    ReadWrite,
    Atomic, ///< Its address is the operand of an atomic function.
    /// Its address is passed on, but only the element behind it is read (or,
    /// for ChangeBehind, assigned, too).
    ReadBehind,
    ChangeBehind,
    Blocked, ///< Anything that lets the address out; Why and Detail say what.
  };
  Kind What;
  Reason Why;
  std::string Detail;

  /// A use counts as harmful unless the parent is known to be harmless.
  Use(Kind What = Blocked, Reason Why = Reason::AddressEscapes,
      std::string Detail = "")
      : What(What), Why(Why), Detail(std::move(Detail)) {}
};

/// A local `T *row = array[i]..[j];` that never changes.
struct RowPointer {
  ArrayId Array;
  /// All subscripts of the array but the last one.
  llvm::SmallVector<const clang::Expr *, 4> Subscripts;
  /// Their values where the pointer is declared; std::nullopt if one has none.
  std::optional<llvm::SmallVector<ValueId, 4>> Index;
};

struct CopyCall; ///< Defined in RowRuns.h.
struct FragmentCall;
struct RunPlace;

/// Collects the uses in one instance. The member functions are grouped by the
/// file that implements them.
class KernelWalker {
public:
  /// \p Arrays maps the array declarations of \p Instance to their ids in \p K.
  /// The calls that the walk follows are noted in \p Record.
  KernelWalker(clang::ASTContext &Context, Kernel &K, KernelInstance &Instance,
               BoundKernel &Code,
               const llvm::DenseMap<const clang::VarDecl *, ArrayId> &Arrays,
               const CallTable &Calls, CallRecord &Record);

  /// Walks the kernel: adds loops and accesses to the instance, and refusals to
  /// the arrays of the kernel.
  void walk();

  /// Returns true if the walk entered a call of \p Function.
  bool entered(const clang::FunctionDecl *Function) const {
    return Entered.contains(Function);
  }

private:
  // Statements (KernelWalker.cpp).
  void walkStmt(const clang::Stmt *S);
  void walkChildren(const clang::Stmt *S, const Use &U = {});
  void walkIf(const clang::IfStmt *If);
  void walkSwitch(const clang::SwitchStmt *Switch);
  void walkDecl(const clang::DeclStmt *Decl);
  bool walkPart(const clang::VarDecl *Var);
  void walkFor(const clang::ForStmt *For);
  /// Walks \p Parts, which the loop \p S repeats; its \p Body is one of them.
  void walkLoop(const clang::Stmt *S, const clang::Stmt *Body,
                llvm::ArrayRef<const clang::Stmt *> Parts);
  void refuseUnmetUses(const clang::Stmt *Body);

  // Expressions (ExpressionWalker.cpp).
  void walkExpr(const clang::Expr *E, const Use &U = {});
  void walkReference(const clang::DeclRefExpr *Ref, const Use &U);
  void walkCast(const clang::CastExpr *Cast, const Use &U);
  void walkBinary(const clang::BinaryOperator *Op, const Use &U);
  void walkUnary(const clang::UnaryOperator *Op, const Use &U);
  bool walkQuestion(const clang::Expr *E);
  void walkAssignment(const clang::BinaryOperator *Op, const Use &U);
  void walkIncrement(const clang::UnaryOperator *Op, const Use &U);
  void walkUnevaluated(const clang::Expr *E, const Use &U);
  void walkConstruction(const clang::CXXConstructExpr *Construct);
  void walkLambda(const clang::LambdaExpr *Lambda);
  void walkAddressOf(const clang::UnaryOperator *Op, const Use &U);

  // Accesses (AccessWalker.cpp).
  /// Handles \p E if it names an element of an array, or a part of one.
  bool walkElement(const clang::Expr *E, const Use &U);
  /// Records the access \p Ref to an element, or to \p Type at byte \p Offset
  /// of it, as \p U says. \p Row is the pointer that \p Ref goes through; null
  /// if it goes through none.
  void record(const clang::Expr *Ref, ArrayId Array, const RowPointer *Row,
              llvm::ArrayRef<const clang::Expr *> Subscripts, unsigned Offset,
              clang::QualType Type, unsigned Chunk, const Use &U);
  /// Makes an access for \p Ref, without a kind and width.
  Access makeAccess(const clang::Expr *Ref, ArrayId Array,
                    const RowPointer *Row,
                    llvm::ArrayRef<const clang::Expr *> Subscripts);
  bool bindRow(const clang::VarDecl *Var);
  std::optional<unsigned>
  findChunkOf(ArrayId Array, llvm::ArrayRef<const clang::Expr *> Subscripts,
              clang::QualType Type);
  llvm::SmallVector<LinearSplit, 1> findSplits(const clang::Expr *Subscript);
  llvm::SmallVector<SubscriptTerm, 2> findTerms(const clang::Expr *Subscript);
  void addAccess(Access A, unsigned Offset, uint64_t Size, unsigned Chunk);
  void refuse(ArrayId Array, Reason Why, std::string Detail,
              clang::SourceLocation Loc);
  std::optional<ArrayId> findArray(const clang::Expr *E) const;
  bool namesPointer(const clang::Expr *E) const;
  llvm::SmallVector<ArrayId, 2>
  findArraysEver(const clang::DeclRefExpr *Ref) const;
  std::optional<FunctionUseId> currentUse() const {
    return Uses.empty() ? std::nullopt : std::optional(Uses.back());
  }
  std::string textOf(const clang::Expr *E) const;

  // Copies (CopyWalker.cpp).
  /// Handles \p Call if it copies bytes.
  bool walkCopy(const clang::CallExpr *Call, const Use &U);
  bool walkRun(const clang::Expr *Pointer, const CopyCall &Copy,
               AccessKind Kind);
  bool findRunPlace(const clang::Expr *Pointer, RunPlace &Place) const;
  void describeRun(const CopyCall &Copy, unsigned Promised, ValueId Bytes,
                   Access &A);
  void addRun(const RunPlace &Place, const CopyCall &Copy, AccessKind Kind);

  // Fragments (FragmentWalker.cpp).
  /// Handles \p Call if it loads or stores a fragment of wmma.
  bool walkFragment(const clang::CallExpr *Call, const Use &U);
  void addFragment(const RunPlace &Place, const FragmentCall &Fragment);
  void addLanes(Access A, const FragmentCall &Fragment);
  std::optional<ValueId> buildLane();

  // Calls (CallWalker.cpp).
  void walkCall(const clang::CallExpr *Call, const Use &U);
  bool enterCall(const clang::CallExpr *Call, const clang::FunctionDecl *Body,
                 const Use &U);
  void skipCall(const clang::CallExpr *Call, const clang::FunctionDecl *Body,
                Reason Why);
  void bindArray(const clang::ParmVarDecl *Parameter,
                 std::optional<ArrayId> Array, const clang::CallExpr *Call);
  const clang::DeclRefExpr *findWholeArray(const clang::Expr *Argument,
                                           clang::QualType Type) const;
  bool isOfInterest(const clang::FunctionDecl *Body);
  bool reachesDeclaration(const clang::FunctionDecl *Body,
                          const clang::VarDecl *Array) const;
  Use useOfArgument(const clang::FunctionDecl *Callee, unsigned Index,
                    const clang::Expr *Argument, const Use &OfResult) const;
  Use useOfObject(const clang::FunctionDecl *Callee, clang::QualType Object,
                  const Use &OfResult) const;

  /// Returns the value of \p E on the current call path.
  std::optional<ValueId> build(const clang::Expr *E) {
    return Code.valueOf(E, Path);
  }

  clang::ASTContext &Context;
  Kernel &K;
  KernelInstance &Instance;
  BoundKernel &Code;
  const llvm::DenseMap<const clang::VarDecl *, ArrayId> &Arrays;
  const CallTable &Calls;
  CallRecord &Record;
  /// The references to arrays that have been walked.
  llvm::DenseSet<const clang::DeclRefExpr *> Handled;
  llvm::SetVector<const clang::FunctionDecl *> Entered;
  llvm::DenseMap<const clang::FunctionDecl *, bool> OfInterest;
  unsigned NumEntered = 0; ///< The number of calls entered.

  // Where the walk is.
  ir::CallPathId Path = 0;
  llvm::SmallVector<LoopId, 4> Loops;
  /// The attributes of the loop that is walked next.
  llvm::ArrayRef<const clang::Attr *> LoopAttributes;
  bool IsEvaluated = true; ///< False in the operand of sizeof and the like.
  bool HasJump = false;
  /// The callees of the calls that are open.
  llvm::SmallVector<const clang::FunctionDecl *, 8> Stack;
  llvm::SmallVector<FunctionUseId, 8> Uses; ///< The uses of the same calls.
  /// The arrays that parameters name in the current calls.
  llvm::DenseMap<const clang::VarDecl *, ArrayId> Parameters;
  /// All arrays that a parameter or row pointer has named so far.
  llvm::DenseMap<const clang::VarDecl *, llvm::SmallSetVector<ArrayId, 2>>
      Named;
  llvm::DenseMap<const clang::VarDecl *, RowPointer> Rows;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_KERNELWALKER_H
