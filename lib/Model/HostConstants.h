// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Numbers and dim3 variables of host code whose values are known where a
/// kernel is launched. Each operation is clang's own, in the type that the
/// language gives it; what overflows, divides by zero or is rounded has no
/// value.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_HOSTCONSTANTS_H
#define CUDAOPT_LIB_MODEL_HOSTCONSTANTS_H

#include "HostChanges.h"

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <cstdint>
#include <optional>

namespace cudaopt {

using Dim3Value = std::array<uint32_t, 3>;

/// An integer or a floating-point number, in the type of its expression.
using HostValue = std::optional<clang::APValue>;

/// Evaluates arguments of launches: constants, host variables that are
/// initialised and never changed, and locals as the statements before have left
/// them.
class HostConstants {
public:
  explicit HostConstants(const clang::ASTContext &Context) : Context(Context) {}

  /// What changes the variables of the program; to be filled first.
  HostChanges Changes;

  HostValue evaluate(const clang::Expr *E);
  /// The value of an integer that is not negative.
  std::optional<uint64_t> evaluateSize(const clang::Expr *E);
  /// Returns the three members of a dim3.
  std::optional<Dim3Value> evaluateDim3(const clang::Expr *E);

  /// \p Left \p Op \p Right, both of the types that the operation has.
  HostValue compute(clang::BinaryOperatorKind Op, const clang::APValue &Left,
                    clang::QualType LeftType, const clang::APValue &Right,
                    clang::QualType RightType, clang::QualType Type) const;
  /// \p V, a number of type \p From, as one of type \p To.
  HostValue convert(const clang::APValue &V, clang::QualType From,
                    clang::QualType To) const;

  /// What local variables hold; one that is absent is unknown.
  struct State {
    llvm::DenseMap<const clang::VarDecl *, clang::APValue> Numbers;
    llvm::DenseMap<const clang::VarDecl *, Dim3Value> Dims;

    void forget(const clang::VarDecl *Variable);
    /// Keeps what \p Other holds too.
    void meet(const State &Other);
  };
  State Now;
  /// Arguments of launches that had a value where they were evaluated.
  llvm::DenseMap<const clang::Expr *, Dim3Value> KnownDims;
  llvm::DenseMap<const clang::Expr *, clang::APValue> KnownNumbers;

  /// Follows the locals through the statements of \p Function and fills
  /// KnownDims and KnownNumbers.
  void follow(const clang::FunctionDecl *Function);

  /// The local that \p E names and that only statements that name it can
  /// change; null if it names none.
  const clang::VarDecl *getTracked(const clang::Expr *E) const;
  bool isTracked(const clang::VarDecl *Variable) const;

private:
  HostValue compute(const clang::Expr *E);
  HostValue computeUnary(const clang::UnaryOperator *Op);
  HostValue computeBinary(const clang::BinaryOperator *Op);
  HostValue computeCast(const clang::CastExpr *Cast);
  HostValue read(const clang::Expr *Place);
  HostValue readElement(const clang::ArraySubscriptExpr *Sub);
  HostValue evaluateElsewhere(const clang::Expr *Init);
  std::optional<Dim3Value> computeDim3(const clang::Expr *E);
  std::optional<Dim3Value> construct(const clang::CXXConstructExpr *E);

  const clang::ASTContext &Context;
  unsigned Depth = 0;
};

/// True for `struct dim3` of CUDA.
bool isDim3(clang::QualType Type);

/// Returns 0, 1 or 2 for the member x, y or z of a dim3.
std::optional<unsigned> getDim3Member(const clang::MemberExpr *Member);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_HOSTCONSTANTS_H
