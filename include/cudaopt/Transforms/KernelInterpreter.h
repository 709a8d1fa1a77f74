// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs the integer part of a kernel on the AST, one thread at a time, and
/// notes which array elements it accesses. Knows nothing of the model's values,
/// so that Verify can check what the passes made of them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_TRANSFORMS_KERNELINTERPRETER_H
#define CUDAOPT_TRANSFORMS_KERNELINTERPRETER_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace cudaopt {

/// A reference to an array whose executions are wanted.
struct TracedReference {
  const clang::Expr *Ref;
  llvm::ArrayRef<const clang::Expr *> Subscripts; ///< Outermost first.
  llvm::ArrayRef<uint64_t> Extents;
};

/// One execution of a reference by one thread.
struct Execution {
  unsigned Reference; ///< Index into the traced references.
  /// Equal for the executions, by any threads, of one reference in the same
  /// iteration of all enclosing loops.
  uint32_t Iteration;
  /// Row-major number; nothing if not known or not inside the extents.
  std::optional<uint64_t> Element;
  /// False if conditions of unknown value decide whether it happens.
  bool IsCertain;
  bool IsOutside = false; ///< True if a subscript is known and too large.
};

using Dim3 = std::array<uint32_t, 3>;

/// An interpreter of one kernel. Integers in locals are followed through
/// assignments, branches and loops; anything else (an argument, a read from
/// memory, a local whose address is taken) is unknown. On an unknown condition
/// both branches are run and joined, and a loop runs 10 times.
class KernelInterpreter {
public:
  /// \p Grid holds 0 where it is not known.
  KernelInterpreter(const clang::FunctionDecl *Kernel, Dim3 Block, Dim3 Grid,
                    llvm::ArrayRef<TracedReference> References,
                    clang::ASTContext &Context, uint64_t MaxSteps);

  /// Runs one thread to its end. Returns false if the steps are used up.
  bool run(Dim3 Thread, Dim3 BlockIndex, std::vector<Execution> &Executions);

  /// Statements run so far, by all threads.
  uint64_t steps() const { return Steps; }
  /// False if some statement is beyond the interpreter, or a traced reference
  /// is not in the kernel's body: executions may be missing.
  bool isComplete() const { return IsComplete; }
  /// Bit d is set if some subscript or condition met so far depends on
  /// dimension d of blockIdx. What was run does not depend on the others.
  unsigned blockDimensions() const { return BlockDimensions; }

private:
  /// An integer: its value, if known, and the dimensions of blockIdx on which
  /// depends what it is, or whether it is known. Unsigned 64-bit values are
  /// kept as their bits.
  struct Integer {
    std::optional<int64_t> Number;
    unsigned Blocks = 0;
    /// True if it is unknown in every block.
    bool isUnknown() const { return !Number && Blocks == 0; }
  };
  struct IntegerType {
    unsigned Bits;
    bool IsSigned;
  };
  /// What an expression is, without what hands a value on as it is.
  struct Operand {
    enum Kind { Constant, Local, ThreadIdx, BlockIdx, Reference, Operation };
    Kind What = Constant;
    Integer Value;       ///< Of a constant; unknown for what is never known.
    unsigned Number = 0; ///< Slot, dimension or index into the references.
    const clang::Expr *E = nullptr;
  };
  enum class Flow { Next, Break, Continue, Return };
  using Locals = std::vector<Integer>;

  // What the body contains.
  bool scan(const clang::Stmt *S, bool IsConsumed);
  bool isConsumedBy(const clang::Stmt *Parent, const clang::Stmt *Child,
                    bool ParentIsConsumed) const;
  void addLocal(const clang::VarDecl *Local);
  void forgetAssigned(const clang::Stmt *S);

  // Statements.
  Flow execute(const clang::Stmt *S);
  void executeDeclarations(const clang::DeclStmt *S);
  Flow executeIf(const clang::IfStmt *If);
  struct LoopParts;
  Flow executeLoop(const LoopParts &Loop);
  static Integer join(Integer A, Integer B);
  void join(const Locals &Other);

  // What expressions are.
  Integer constantOf(const clang::VarDecl *Variable) const;
  Operand resolveName(const clang::DeclRefExpr *Name) const;
  std::optional<Operand> resolveBuiltin(const clang::Expr *Base,
                                        const clang::NamedDecl *Member) const;
  Operand resolveLeaf(const clang::Expr *E) const;
  const clang::Expr *skipOne(const clang::Expr *E) const;
  Operand resolve(const clang::Expr *E);
  Integer *findLocal(const clang::Expr *E);

  // Expressions.
  Integer evaluate(const clang::Expr *E);
  Integer evaluateOperation(const clang::Expr *E);
  Integer evaluateChildren(const clang::Expr *E);
  Integer evaluateCast(const clang::CastExpr *Cast);
  Integer evaluateUnary(const clang::UnaryOperator *Op);
  Integer evaluateBinary(const clang::BinaryOperator *Op);
  Integer evaluateLogical(const clang::BinaryOperator *Op);
  Integer evaluateAssignment(const clang::BinaryOperator *Op);
  Integer evaluateConditional(const clang::ConditionalOperator *Op);
  Integer evaluateCall(const clang::CallExpr *Call);
  Integer trace(unsigned Reference);
  Integer maybe(llvm::function_ref<Integer()> Compute);

  std::optional<IntegerType> integerType(clang::QualType Type) const;
  Integer convert(Integer Value, clang::QualType Type) const;
  Integer compute(clang::BinaryOperatorKind Op, Integer Left, Integer Right,
                  clang::QualType LeftType, clang::QualType Type) const;
  bool isBudgetSpent() const { return Steps > MaxSteps; }

  const clang::FunctionDecl *Kernel;
  Dim3 Block, Grid;
  llvm::ArrayRef<TracedReference> References;
  clang::ASTContext &Context;
  uint64_t MaxSteps, Steps = 0;
  bool IsComplete = true;
  unsigned BlockDimensions = 0;

  llvm::DenseMap<const clang::Expr *, unsigned> ReferenceIds;
  llvm::DenseMap<const clang::VarDecl *, unsigned> Slots;
  /// Locals that something besides this body's assignments may change.
  llvm::DenseSet<const clang::VarDecl *> Aliased;
  /// What contains a traced reference, an assignment or a jump; the rest has no
  /// effect here and is skipped.
  llvm::DenseSet<const clang::Stmt *> Relevant;
  llvm::DenseMap<const clang::Expr *, Operand> Operands;
  mutable llvm::DenseMap<const void *, std::optional<IntegerType>> Types;
  /// The numbers of iterations, by the enclosing iteration and the count.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> Iterations;
  llvm::DenseSet<const clang::FunctionDecl *> Scanned;

  // The thread that runs.
  Dim3 Thread = {}, BlockIndex = {};
  std::vector<Execution> *Executions = nullptr;
  Locals Values;
  uint32_t Iteration = 0;
  unsigned Uncertain = 0;         ///< Unknown conditions around this place.
  unsigned NumUncertainExits = 0; ///< Jumps under an unknown condition.
  llvm::SmallVector<const clang::FunctionDecl *, 4> CallStack;
};

} // namespace cudaopt

#endif // CUDAOPT_TRANSFORMS_KERNELINTERPRETER_H
