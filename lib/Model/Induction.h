// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Induction variables: what a loop's step does to them, and the value that
/// they have in iteration i.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_INDUCTION_H
#define CUDAOPT_LIB_MODEL_INDUCTION_H

#include "ValueBuilder.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace cudaopt {

/// One step of an induction variable: Var = Var Opcode Amount.
struct InductionStep {
  const clang::VarDecl *Var = nullptr;
  clang::BinaryOperatorKind Opcode = clang::BO_Add;
  const clang::Expr *Amount = nullptr; ///< Null for 1.
};

/// Returns the steps that \p E takes: `++i`, `i += c`, `i = i / c`, `a, b`.
llvm::SmallVector<InductionStep, 2> collectSteps(const clang::Expr *E);

/// Returns the value that \p Iteration steps \p Opcode of \p Amount give from
/// \p Init on: init + i * step, or for a geometric step the i-th entry of a
/// list or a function of it; nothing if there is no such form.
std::optional<ValueId> computeInduction(ValueBuilder &Builder, ValueGraph &G,
                                        ValueId Iteration,
                                        clang::BinaryOperatorKind Opcode,
                                        ValueId Init, ValueId Amount);

/// Returns how often \p Loop runs if that is the same in all threads, blocks
/// and launches, and does not depend on loops around it.
std::optional<int64_t> countTrips(const KernelInstance &Instance, LoopId Loop);

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_INDUCTION_H
