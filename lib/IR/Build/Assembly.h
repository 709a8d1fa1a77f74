// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers one piece of inline assembly.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_BUILD_ASSEMBLY_H
#define CUDAOPT_LIB_IR_BUILD_ASSEMBLY_H

#include "Lowering.h"
#include "cudaopt/Ptx/Effects.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudaopt::ir {

class Assembly {
public:
  Assembly(Lowering &L, const clang::GCCAsmStmt &S)
      : L(L), B(L.Builder), S(S) {}

  /// False if the text does something that is not known. What has been lowered
  /// until then stays.
  bool run();

private:
  struct Register {
    Type Ty;
    ValueId Held = 0;
  };

  bool bindArguments();
  Register *registerOf(const PtxOperand &O);
  void declare(const PtxStatement &Declaration);
  ValueId read(const PtxOperand &O, Type T);
  ValueId unknown(Type T, const PtxStatement &Of, Operation::Kind Kind);
  void addOperands(const PtxOperand &O,
                   llvm::SmallVectorImpl<ValueId> &Operands);
  void addNumbers(llvm::ArrayRef<PtxOperand> From,
                  llvm::SmallVectorImpl<ValueId> &Operands);
  void addWritten(const PtxOperand &O,
                  llvm::SmallVectorImpl<Register *> &Written);
  void write(const PtxOperand &O, ValueId V, const PtxStatement &By,
             Operation::Kind Kind);
  ValueId address(const PtxOperand &O, PtxEffect::Space Where);

  // AssemblyValues.cpp
  static Type toType(const PtxType &T);
  ValueId arithmetic(const PtxStatement &I, const PtxType &T);
  ValueId comparison(const PtxStatement &I, const PtxType &T);
  ValueId spaceConversion(const PtxStatement &I, PtxEffect::Space To);
  ValueId compute(const PtxStatement &I, const PtxEffect &E);

  // AssemblyEffects.cpp
  Operation operation(Operation::Kind Kind, const PtxStatement &I,
                      Scope Extent);
  Type typeInMemory(const PtxOperand &O, const PtxType &T);
  void loadOne(const PtxOperand &To, ValueId From, const PtxStatement &I,
               const PtxEffect &E);
  void storeOne(const PtxOperand &From, ValueId To, const PtxStatement &I,
                const PtxEffect &E);
  void accessVector(const PtxOperand &Vector, ValueId At, const PtxStatement &I,
                    const PtxEffect &E);
  void access(const PtxStatement &I, const PtxEffect &E);
  void atomic(const PtxStatement &I, const PtxEffect &E);
  void copyAsync(const PtxStatement &I);
  void matrix(const PtxStatement &I, const PtxEffect &E);
  void barrier(const PtxStatement &I, const PtxEffect &E);
  void wait(const PtxStatement &I);
  void execute(const PtxStatement &I, const PtxEffect &E);

  void executeIf(ValueId Condition, const PtxStatement &I, const PtxEffect &E);
  void lower(const PtxStatement &I, const PtxEffect &E);

  Lowering &L;
  FunctionBuilder &B;
  const clang::GCCAsmStmt &S;
  llvm::SmallVector<ValueId, 8> Outputs; ///< Addresses.
  llvm::SmallVector<Register, 8> Arguments;
  std::vector<llvm::StringMap<Register>> Scopes = {{}};
  bool HasFailed = false;
};

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_BUILD_ASSEMBLY_H
