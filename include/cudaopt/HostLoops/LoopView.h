// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// One loop of a host function, as the IR has it: what its expressions read and
/// write, what stays the same in all iterations, and what its head does.
///
///   void f(int *a, const int *p, int n) {
///     int t;
///     for (int i = 0; i < n; ++i) {     i: the counter, from 0, by 1, below n
///       t = p[i];                       p: invariant; t: no iteration reads
///       a[t] += n;                         what an earlier one left in it
///     }
///   }
///
/// The text of the loop is not understood here. Who moves it asks for each
/// expression that names memory what it does: accessesAt(). What nobody claims
/// is hidden by the text: findUnclaimed().
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_HOSTLOOPS_LOOPVIEW_H
#define CUDAOPT_HOSTLOOPS_LOOPVIEW_H

#include "cudaopt/IR/Function.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <memory>

namespace cudaopt::ir {
class Dominators;
} // namespace cudaopt::ir

namespace cudaopt {

/// \p E without parentheses, temporaries, and conversions that the compiler
/// adds: the expression that the source spells.
const clang::Expr *stripTemporaries(const clang::Expr *E);

/// \p S without parentheses and the qualifiers that are added to it, as it
/// tells accesses apart; null if it is no expression.
const clang::Expr *getAccessKey(const clang::Stmt *S);

/// Memory that an access names: a byte of an object, or of what a pointer leads
/// to.
struct LoopPlace {
  ir::ObjectId Object = 0; ///< 0 if Address says where.
  uint64_t Offset = 0;
  ir::ValueId Address = 0;
};

/// A load or a store, of memory or of a variable that became a value.
struct LoopAccess {
  const ir::Block *In = nullptr;
  const ir::Operation *Operation = nullptr; ///< Null for a variable.
  const ir::VariableUse *Use = nullptr;     ///< Null for memory.

  bool isStore() const {
    return Use ? Use->IsStore : Operation->What != ir::Operation::Load;
  }
  const ir::Anchor &where() const {
    return Use ? Use->Where : Operation->Where;
  }
  /// What is loaded or stored.
  ir::ValueId value() const {
    return Use ? Use->Held : isStore() ? Operation->Stored : Operation->Result;
  }
};

/// What decides how often a loop runs: `Counter Compare Bound`, asked before
/// each iteration.
struct LoopHead {
  ir::ValueId Counter = 0; ///< A phi; 0 if the condition compares none.
  ir::ValueId First = 0;   ///< 0 if it has several.
  ir::ValueId Next = 0;    ///< The same.
  /// Next minus Counter, of pointers in bytes; std::nullopt if that is no
  /// constant.
  std::optional<llvm::APSInt> Step;
  ir::ValueId Bound = 0;
  bool IsBoundFirst = false; ///< It is written on the left.
  clang::BinaryOperatorKind Compare = clang::BO_Comma;
  ir::Type Compared; ///< Both, converted to it.
};

class LoopView {
public:
  /// Null if no run of \p F comes to \p Loop, or none to its end and back. \p F
  /// was built with its text.
  static std::shared_ptr<LoopView> find(std::shared_ptr<const ir::Function> F,
                                        const clang::Stmt *Loop);

  const ir::Value &value(ir::ValueId Id) const { return F->value(Id); }
  const LoopHead &head() const { return Head; }
  /// The head of the loop further inside that \p Id counts up; nothing if that
  /// is no such counter.
  std::optional<LoopHead> innerHead(ir::ValueId Id) const;
  /// True if \p B runs only where that loop went on, \p Id being its counter.
  bool goesOnTo(ir::ValueId Id, const ir::Block &B) const;
  /// True if each iteration comes to \p B.
  bool isInEachIteration(const ir::Block &B) const;

  /// What \p E, an expression of the loop's text, itself loads and stores: none
  /// for an array, whose name alone reads nothing. What a callee loads through
  /// a reference is the argument's.
  llvm::ArrayRef<LoopAccess> accessesAt(const clang::Expr *E) const;
  /// Notes that what \p S and its parts read is understood, or write as well.
  void claimReads(const clang::Stmt *S) { claim(S, ReadClaims); }
  void claim(const clang::Stmt *S) { claim(S, Claims); }
  LoopPlace placeOf(const LoopAccess &A) const;
  LoopPlace placeOf(const clang::VarDecl *V) const;
  bool areSame(const LoopPlace &A, const LoopPlace &B) const;

  /// True if \p Id is the same value in all iterations, as long as only stores
  /// to what it is read from change that.
  bool isInvariant(ir::ValueId Id) const;
  /// True if \p A and \p B are one value, read again at most while nothing
  /// writes it.
  bool isSame(ir::ValueId A, ir::ValueId B) const;
  /// The difference of \p To and \p From, in bytes for pointers; nothing if it
  /// is no constant.
  std::optional<llvm::APSInt> distance(ir::ValueId From, ir::ValueId To) const;

  /// True if \p End is \p First and an invariant number of bytes more.
  bool isBehind(ir::ValueId First, ir::ValueId End) const;

  /// \name Calls
  /// @{
  /// What \p Call does, or a function that it calls in turn, besides computing
  /// from what it is given; null if it does nothing else.
  const ir::Operation *findEffect(const clang::CallExpr *Call) const;
  /// The text of the function that \p O comes from: the outermost call if a
  /// callee does it.
  const clang::Stmt *textOf(const ir::Operation &O) const;
  /// The function that \p O belongs to, as it is written.
  const clang::FunctionDecl *functionOf(const ir::Operation &O) const;
  /// @}

  /// \name Variables
  /// @{
  /// True if \p V is what the head counts.
  bool isCounterOf(const clang::VarDecl *V) const;
  /// True if \p V is a value: each access to it is known.
  bool isValue(const clang::VarDecl *V) const;
  /// True if a pointer or a reference to \p V may exist.
  bool mayBeReached(const clang::VarDecl *V) const;
  /// True if the value that \p V has behind the loop may be read.
  bool isLiveOut(const clang::VarDecl *V) const;
  /// The accesses of the loop to \p P, under its own name.
  llvm::SmallVector<LoopAccess, 4> accessesTo(const LoopPlace &P) const;
  /// True if an iteration may read what \p P held before it.
  bool isReadFirst(const LoopPlace &P) const;
  /// @}

  /// An access to memory, or an effect, that nobody claims; null if there is
  /// none.
  const ir::Operation *findUnclaimed() const;

private:
  LoopView(std::shared_ptr<const ir::Function> F, const ir::Loop &Loop);

  bool contains(const ir::Block &B) const { return Blocks.contains(&B); }
  void claim(const clang::Stmt *S, llvm::DenseSet<const clang::Expr *> &As);
  void collect();
  void collectArguments();
  const clang::Expr *argumentOf(const ir::Operation &O) const;
  bool isCalleesOwn(ir::ValueId Address, bool IsRead) const;
  bool isEffect(const ir::Operation &O) const;
  bool isClaimed(const ir::Operation &O) const;
  const ir::Block &blockOf(const ir::Operation &O) const;
  bool mayWrite(const ir::Operation &O, const ir::Operation &Load) const;
  bool isUnchangedFrom(const ir::Operation &From,
                       const ir::Operation &To) const;
  void findHead(const clang::Expr *Condition);
  LoopHead readHead(const ir::Loop &Of, ir::ValueId Condition) const;
  const ir::Loop *innerLoop(ir::ValueId Id) const;
  ir::ValueId skipConversions(ir::ValueId Id) const;
  ir::ValueId operandFrom(const ir::Loop &Of, ir::ValueId Phi,
                          bool IsInside) const;
  ir::ObjectId objectOf(const clang::VarDecl *V) const;
  void findEscapes();
  /// The first access of \p P that \p B makes; none if it makes none.
  std::optional<LoopAccess> firstIn(const ir::Block &B,
                                    const LoopPlace &P) const;
  bool mayRead(llvm::SmallVector<const ir::Block *, 4> From, const LoopPlace &P,
               bool StaysInside) const;

  std::shared_ptr<const ir::Function> F;
  const ir::Loop *Loop;
  std::shared_ptr<const ir::Dominators> Dominance;
  llvm::SmallPtrSet<const ir::Block *, 8> Blocks;
  const ir::Block *Exiting = nullptr; ///< Asks whether to go on.
  LoopHead Head;
  llvm::DenseMap<const clang::Expr *, llvm::SmallVector<LoopAccess, 2>> At;
  /// What calls are given for references to numbers.
  llvm::DenseMap<std::pair<const clang::Stmt *, ir::ValueId>,
                 const clang::Expr *>
      Arguments;
  llvm::DenseMap<ir::ValueId, const ir::Operation *> Definitions;
  llvm::DenseSet<ir::ObjectId> Escaped, InMemory;
  llvm::DenseSet<const clang::Expr *> ReadClaims, Claims;
};

} // namespace cudaopt

#endif // CUDAOPT_HOSTLOOPS_LOOPVIEW_H
