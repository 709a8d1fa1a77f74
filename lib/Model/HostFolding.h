// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Constant expressions of host code, by clang's own evaluator.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_HOSTFOLDING_H
#define CUDAOPT_LIB_MODEL_HOSTFOLDING_H

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <optional>

namespace cudaopt {

/// True for the types whose values are followed: integers, bool, enumerations,
/// float and double. What a wider floating-point number is differs between
/// host and device.
bool isHostNumber(clang::QualType Type);

/// An expression of \p Type that has the value \p V.
clang::Expr *makeConstant(const clang::APValue &V, clang::QualType Type,
                          const clang::ASTContext &Context);

/// The value of \p E; nothing if clang finds none, or if to compute it is
/// undefined or has an effect.
std::optional<clang::APValue> fold(const clang::Expr *E,
                                   const clang::ASTContext &Context);

/// The value of \p E, an expression that the source contains. Nothing, too, if
/// some compiler may compute another one: where floating-point operations may
/// be contracted, or __builtin_constant_p asks what the compiler knows.
std::optional<clang::APValue> foldWritten(const clang::Expr *E,
                                          const clang::ASTContext &Context);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_HOSTFOLDING_H
