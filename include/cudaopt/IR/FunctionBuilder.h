// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes functions of the IR: hash-conses and folds values, adds objects,
/// blocks and operations, and puts the finished function in order (unreachable
/// blocks dropped, reverse post-order, loops found).
///
///   FunctionBuilder B(Decl, Context);
///   Block *Entry = B.addBlock();
///   B.leave(Entry, 0, {});
///   std::unique_ptr<Function> F = B.finish(Entry);
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_FUNCTIONBUILDER_H
#define CUDAOPT_IR_FUNCTIONBUILDER_H

#include "cudaopt/IR/Function.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace cudaopt::ir {

class FunctionBuilder {
public:
  FunctionBuilder(const clang::FunctionDecl *Decl,
                  const clang::ASTContext &Context);

  const Value &value(ValueId Id) const { return F->Values[Id]; }
  const Object &object(ObjectId Id) const { return F->Objects[Id]; }
  const Function &function() const { return *F; }

  /// \name Values
  /// Each function returns the id of the value, which is the same for equal
  /// values. Operations on literals are folded where C++ defines the result; a
  /// signed overflow or a division by 0 stays unfolded.
  /// @{
  ValueId literal(llvm::APSInt Integer, Type T);
  ValueId literal(uint64_t Number, Type T);
  ValueId literal(const llvm::APFloat &Number);
  ValueId special(SpecialRegister R);
  ValueId argument(const clang::Decl *D, Type T);
  ValueId address(ObjectId O);
  /// The pointer \p Bytes behind \p Pointer; \p Bytes is an integer of 64 bits.
  ValueId offset(ValueId Pointer, ValueId Bytes);
  ValueId unary(clang::UnaryOperatorKind Opcode, ValueId X);
  /// \p T is the type of the result. The operands must have been converted as
  /// C++ does: both to one type, except for shifts.
  ValueId binary(clang::BinaryOperatorKind Opcode, Type T, ValueId L,
                 ValueId R);
  ValueId select(ValueId Condition, ValueId IfTrue, ValueId IfFalse);
  /// \p X, converted to \p T. If \p X is an integer that was computed from a
  /// pointer and \p T is a pointer type, the result is an offset from that
  /// pointer instead, so that the object it points to stays known.
  ValueId convert(ValueId X, Type T);
  /// Values of kind SharedAddress and SharedPointer; one undoes the other.
  ValueId sharedAddress(ValueId Pointer);
  ValueId sharedPointer(ValueId Number);
  ValueId pure(const clang::FunctionDecl *Callee, Type T,
               llvm::ArrayRef<ValueId> Operands);
  ValueId undefined(Type T); ///< Returns a new value at each call.
  /// Adds a phi to \p B, without operands; addOperand() appends them, in the
  /// order of the predecessors of \p B.
  ValueId phi(Block *B, Type T);
  void addOperand(ValueId Phi, ValueId Incoming) {
    F->Values[Phi].Operands.push_back(Incoming);
  }
  /// A new value of kind Result, which the caller stores as Operation::Result
  /// of one operation.
  ValueId result(Type T);
  /// Returns \p V with other operands, folded anew; for passes that rebuild a
  /// function value by value.
  ValueId withOperands(const Value &V, llvm::ArrayRef<ValueId> Operands);
  /// @}

  ObjectId addObject(Object O);
  void addDeadLaunch(const clang::Stmt *S) { F->DeadLaunches.push_back(S); }
  CallPathId addPath(const clang::Stmt *Call, CallPathId Parent);
  void copyPaths(const Function &From) { F->Paths = From.Paths; }
  /// Records what \p S became in the code of \p Path. If it is called twice for
  /// one statement, the answer is ambiguous, and Function::evaluationOf() gives
  /// none.
  void record(const clang::Stmt *S, CallPathId Path, Evaluation E);

  /// \name Control
  /// Each block must get exactly one terminator: jump() to leave().
  /// @{
  Block *addBlock();
  /// All blocks that were added, in no particular order.
  llvm::ArrayRef<std::unique_ptr<Block>> blocks() const { return Pending; }
  /// Appends \p O to \p B, which defines O.Result, if it has one. The reference
  /// is valid until the next operation is appended to \p B.
  Operation &append(Block *B, Operation O);
  void jump(Block *From, Block *To);
  void branch(Block *From, ValueId Condition, Block *IfTrue, Block *IfFalse,
              Anchor Where);
  /// \p Targets are the successors with their cases; std::nullopt for the
  /// default.
  void
  switchOver(Block *From, ValueId Condition,
             llvm::ArrayRef<std::pair<Block *, std::optional<Block::CaseRange>>>
                 Targets,
             Anchor Where);
  /// Ends \p From with an operation that may end the thread: control goes on at
  /// \p Next, or to the exit.
  void mayLeave(Block *From, Block *Next);
  /// Returns from the function. \p Returned is 0 if the function returns
  /// nothing, or no scalar.
  void leave(Block *From, ValueId Returned, Anchor Where);
  Block *exit() { return Exit; }
  /// @}

  /// Drops unreachable blocks, merges blocks along jumps, orders the blocks and
  /// finds the loops. The builder is empty afterwards. A loop without a way out
  /// gets a virtual edge to the exit from one of its blocks, so that every
  /// block has a post-dominator.
  std::unique_ptr<Function> finish(Block *Entry);

private:
  /// Returns the id of the value that equals \p V; adds \p V if there is none.
  ValueId cons(Value V);
  ValueId fold(clang::BinaryOperatorKind Opcode, Type T, ValueId L, ValueId R);
  /// The pointer from which an integer was computed, and the number of bytes
  /// that were added to it.
  struct Traced {
    ValueId Pointer = 0;
    ValueId Bytes = 0;
  };
  std::optional<Traced> trace(ValueId Number, Value::Kind Made, unsigned Bits);
  ValueId foldFloats(clang::BinaryOperatorKind Opcode, ValueId L, ValueId R);
  ValueId convertFloat(ValueId X, Type T);
  void connect(Block *From, Block *To);
  void mergeJumps(Block *Entry);
  void connectEndlessLoops(Block *Entry);
  void dropPredecessors(llvm::ArrayRef<Block *> Order);
  void number(llvm::ArrayRef<Block *> Order);
  void findLoops();
  void placeEvaluations(llvm::ArrayRef<Block *> Order);

  std::unique_ptr<Function> F;
  std::vector<std::unique_ptr<Block>> Pending;
  Block *Exit = nullptr;
  /// Blocks that mergeJumps() has emptied, and where their contents went.
  llvm::DenseMap<Block *, Block *> MergedInto;
  uint32_t NextUnique = 0;
  /// How many objects have each name, to make names unique.
  llvm::StringMap<unsigned> NameCounts;
  /// The values of each hash.
  llvm::DenseMap<size_t, llvm::SmallVector<ValueId, 1>> Consed;
};

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_FUNCTIONBUILDER_H
