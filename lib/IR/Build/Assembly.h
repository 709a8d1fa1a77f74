// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Lowers inline assembly of the device (PTX) to operations and values. Its
/// text is parsed by Ptx/Text.h, and the effects of its instructions are
/// described by Ptx/Effects.h. Assembly.cpp has an example.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_BUILD_ASSEMBLY_H
#define CUDAOPT_LIB_IR_BUILD_ASSEMBLY_H

#include "Lowering.h"
#include "cudaopt/Ptx/Effects.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudaopt::ir {

/// Lowers one `asm` statement. Registers of the text are not objects in memory:
/// each holds the value that was written to it last.
class Assembly {
public:
  Assembly(Lowering &L, const clang::GCCAsmStmt &S)
      : L(L), B(L.Builder), S(S) {}

  /// Lowers the statement. Returns false if the text does something that is not
  /// known; what has been lowered until then stays, and the caller makes the
  /// whole statement opaque in addition.
  bool run();

private:
  /// A register of the text, or an operand of the statement (`%0`).
  struct Register {
    Type Ty;
    ValueId Held = 0; ///< The value that it holds now.
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
  llvm::SmallVector<ValueId, 8> Outputs;    ///< The addresses of the outputs.
  llvm::SmallVector<Register, 8> Arguments; ///< Outputs first, then inputs.
  /// The registers that the text declares, by nested scopes (`{ ... }`).
  std::vector<llvm::StringMap<Register>> Scopes = {{}};
  bool HasFailed = false; ///< Something was met that is not known.
};

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_BUILD_ASSEMBLY_H
