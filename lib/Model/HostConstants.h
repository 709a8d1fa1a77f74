// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Integers and dim3 variables of host code whose values are known where a
/// kernel is launched.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_HOSTCONSTANTS_H
#define CUDAOPT_LIB_MODEL_HOSTCONSTANTS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <array>
#include <cstdint>
#include <optional>

namespace cudaopt {

using Dim3Value = std::array<uint32_t, 3>;

/// Evaluates arguments of launches: constants, host variables that are
/// initialised and never changed, and locals as the statements before have left
/// them.
class HostConstants {
public:
  explicit HostConstants(const clang::ASTContext &Context) : Context(Context) {}

  /// Looks for variables that are changed, or handed out by reference or
  /// address, in \p D. To be called for all of the program first.
  void findChanges(clang::Decl *D);

  std::optional<int64_t> evaluate(const clang::Expr *E, unsigned Depth = 0);
  /// Returns the three members of a dim3.
  std::optional<Dim3Value> evaluateDim3(const clang::Expr *E,
                                        unsigned Depth = 0);

  /// What local variables hold; one that is absent is unknown.
  struct State {
    llvm::DenseMap<const clang::VarDecl *, int64_t> Integers;
    llvm::DenseMap<const clang::VarDecl *, Dim3Value> Dims;

    void forget(const clang::VarDecl *Variable);
    /// Keeps what \p Other holds too.
    void meet(const State &Other);
  };
  State Now;
  /// Arguments of launches that had a value where they were evaluated.
  llvm::DenseMap<const clang::Expr *, Dim3Value> Known;
  llvm::DenseMap<const clang::Expr *, int64_t> KnownIntegers;

  /// Follows the locals through the statements of \p Function and fills Known
  /// and KnownIntegers.
  void follow(const clang::FunctionDecl *Function);

  /// True for a local that only statements that name it can change.
  bool isTracked(const clang::VarDecl *Variable) const;
  /// The tracked local that \p E names; null if it names none.
  const clang::VarDecl *getTracked(const clang::Expr *E) const;

private:
  const clang::Expr *getInit(const clang::Expr *E);
  const clang::Expr *getElement(const clang::Expr *E, unsigned Depth);
  std::optional<Dim3Value> construct(llvm::ArrayRef<const clang::Expr *> Of,
                                     unsigned Depth);

  const clang::ASTContext &Context;
  /// Variables that some statement may change after their initialisation; those
  /// of them that more than assignments by name may change.
  llvm::DenseSet<const clang::VarDecl *> Changed, HandedOut;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_HOSTCONSTANTS_H
