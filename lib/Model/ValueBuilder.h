// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Turns integer expressions of the AST into values, given what the locals hold
/// at that point. Pure: the walker applies assignments.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_VALUEBUILDER_H
#define CUDAOPT_LIB_MODEL_VALUEBUILDER_H

#include "cudaopt/Model/Kernel.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace cudaopt {

/// What each local is known to hold; a variable that is absent is unknown.
using Environment = llvm::DenseMap<const clang::VarDecl *, ValueId>;

/// Returns the width and signedness of an integer, enumeration or bool type;
/// bool counts as int.
std::optional<ValueType> getValueType(const clang::ASTContext &Context,
                                      clang::QualType Type);

/// Returns the parameters and locals of \p Function that only assignments,
/// increments and reads mention: no pointer or reference can change them behind
/// our back.
llvm::DenseSet<const clang::VarDecl *>
findTrackableVariables(const clang::FunctionDecl *Function);

/// True if \p Function does no more with its \p Index-th parameter, a reference
/// or a pointer, than to read and assign what it refers to.
bool usesOnlyValue(const clang::FunctionDecl *Function, unsigned Index);

class ValueBuilder {
public:
  ValueBuilder(ValueGraph &Values, const clang::ASTContext &Context,
               const BlockShape &Block)
      : Values(Values), Context(Context), Block(Block) {}

  /// Returns the value of \p E, or nothing if it depends on memory, has side
  /// effects or is not an integer.
  std::optional<ValueId> build(const clang::Expr *E, const Environment &Locals);

  /// Returns \p Id converted to \p Type.
  ValueId convert(ValueId Id, ValueType Type);

  /// Returns Left Opcode Right, computed in \p Type (the operands' common
  /// type).
  std::optional<ValueId> combine(clang::BinaryOperatorKind Opcode,
                                 ValueType Type, ValueId Left, ValueId Right);

  /// What calls returned whose bodies were walked; others are built from the
  /// text of the function.
  using CallResults = llvm::DenseMap<const clang::CallExpr *, ValueId>;
  CallResults exchangeResults(CallResults New) {
    std::swap(Results, New);
    return New;
  }

private:
  std::optional<ValueId> buildBuiltin(const clang::Expr *Base,
                                      llvm::StringRef Member);
  ValueId buildBuiltin(llvm::StringRef Name, unsigned Dimension);
  std::optional<ValueId> buildGroupCall(const clang::CallExpr *Call);
  std::optional<ValueId> buildReference(const clang::DeclRefExpr *Ref);
  std::optional<ValueId> buildCast(const clang::CastExpr *Cast);
  std::optional<ValueId> buildUnary(const clang::UnaryOperator *Op);
  std::optional<ValueId> buildBinary(const clang::BinaryOperator *Op);
  std::optional<ValueId> buildCall(const clang::CallExpr *Call);
  std::optional<ValueId> buildInlined(const clang::CallExpr *Call);
  std::optional<ValueId> buildConstant(const clang::Expr *E);
  std::optional<ValueId> build(const clang::Expr *E);

  ValueGraph &Values;
  const clang::ASTContext &Context;
  const BlockShape &Block;
  const Environment *Locals = nullptr;
  CallResults Results;
  unsigned CallDepth = 0;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_VALUEBUILDER_H
