// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Makes functions: hash-conses and folds values, adds objects, blocks and
/// operations, and puts the result in order.
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

  /// \name Values. Literal operands are folded, as C++ computes where that is
  /// defined; a signed overflow or a division by 0 stays as it is written.
  /// @{
  ValueId literal(llvm::APSInt Integer, Type T);
  ValueId literal(uint64_t Number, Type T);
  ValueId literal(const llvm::APFloat &Number);
  ValueId special(SpecialRegister R);
  ValueId argument(const clang::Decl *D, Type T);
  ValueId address(ObjectId O);
  /// \p Pointer and \p Bytes more, which has 64 bits.
  ValueId offset(ValueId Pointer, ValueId Bytes);
  ValueId unary(clang::UnaryOperatorKind Opcode, ValueId X);
  /// The operands have the types that C++ gave them by its conversions.
  ValueId binary(clang::BinaryOperatorKind Opcode, Type T, ValueId L,
                 ValueId R);
  ValueId select(ValueId Condition, ValueId IfTrue, ValueId IfFalse);
  /// An integer that was made of a pointer is, converted back, that pointer
  /// and what was added to it.
  ValueId convert(ValueId X, Type T);
  ValueId sharedAddress(ValueId Pointer);
  ValueId sharedPointer(ValueId Number);
  ValueId pure(const clang::FunctionDecl *Callee, Type T,
               llvm::ArrayRef<ValueId> Operands);
  ValueId undefined(Type T); ///< Another one at each call.
  /// Without operands, which addOperand() gives.
  ValueId phi(Block *B, Type T);
  void addOperand(ValueId Phi, ValueId Incoming) {
    F->Values[Phi].Operands.push_back(Incoming);
  }
  ValueId result(Type T); ///< Of the operation that is appended next.
  /// \p V, with other operands: what map() of a rebuilding function needs.
  ValueId withOperands(const Value &V, llvm::ArrayRef<ValueId> Operands);
  /// @}

  ObjectId addObject(Object O);
  void addDeadLaunch(const clang::Stmt *S) { F->DeadLaunches.push_back(S); }
  CallPathId addPath(const clang::Stmt *Call, CallPathId Parent);
  void copyPaths(const Function &From) { F->Paths = From.Paths; }
  /// Says what \p S became; several times if there is not one answer.
  void record(const clang::Stmt *S, CallPathId Path, Evaluation E);

  /// \name Control. Each block gets one terminator.
  /// @{
  Block *addBlock();
  /// All that were added, in no order.
  llvm::ArrayRef<std::unique_ptr<Block>> blocks() const { return Pending; }
  /// Appends \p O to \p B; its result, if any, is defined there.
  Operation &append(Block *B, Operation O);
  void jump(Block *From, Block *To);
  void branch(Block *From, ValueId Condition, Block *IfTrue, Block *IfFalse,
              Anchor Where);
  void
  switchOver(Block *From, ValueId Condition,
             llvm::ArrayRef<std::pair<Block *, std::optional<Block::CaseRange>>>
                 Targets,
             Anchor Where);
  void mayLeave(Block *From, Block *Next);
  /// \p Returned is 0 if the function returns nothing, or no scalar.
  void leave(Block *From, ValueId Returned, Anchor Where);
  Block *exit() { return Exit; }
  /// @}

  /// Drops what cannot be reached, orders the blocks and finds the loops. The
  /// builder is empty afterwards. If a loop has no way out, its header gets a
  /// virtual edge to the exit, so that every block has a post-dominator.
  std::unique_ptr<Function> finish(Block *Entry);

private:
  ValueId cons(Value V);
  ValueId fold(clang::BinaryOperatorKind Opcode, Type T, ValueId L, ValueId R);
  /// A pointer of which an integer was made, and the bytes that were added.
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
  llvm::DenseMap<Block *, Block *> MergedInto;
  uint32_t NextUnique = 0;
  llvm::StringMap<unsigned> NameCounts;                         ///< Of objects.
  llvm::DenseMap<size_t, llvm::SmallVector<ValueId, 1>> Consed; ///< By hash.
};

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_FUNCTIONBUILDER_H
