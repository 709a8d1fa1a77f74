// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Who calls whom in a translation unit (CallTable), and which of these calls
/// the walks of one kernel followed (CallRecord). If everything that may run a
/// function was followed, its text can be edited.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_MODEL_CALLTABLE_H
#define CUDAOPT_MODEL_CALLTABLE_H

#include "cudaopt/IR/DeviceCalls.h"
#include "cudaopt/Model/Kernel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <functional>
#include <memory>

namespace cudaopt {

using ir::isLibraryFunction;

/// Returns the declaration that all specialisations of \p Function's text
/// share.
const clang::FunctionDecl *getWritten(const clang::FunctionDecl *Function);

/// Returns true if a function of another file may call \p Function.
bool isOpenToOthers(const clang::FunctionDecl *Function,
                    const clang::LangOptions &Language);

/// Returns true for `__syncthreads()` and its relatives.
bool isBarrier(const clang::FunctionDecl *Callee);

/// Calls and mentions of functions, found on demand and cached.
class CallTable {
public:
  /// \p HasError says whether clang reports an error inside of a function.
  CallTable(clang::ASTContext &Context,
            std::function<bool(const clang::FunctionDecl *)> HasError)
      : Context(Context), HasError(std::move(HasError)) {}

  /// A function and all definitions that it reaches through direct calls.
  using Reached = llvm::SetVector<const clang::FunctionDecl *>;
  const Reached &reachedFrom(const clang::FunctionDecl *Root) const;
  bool reachesBarrier(const clang::FunctionDecl *Root) const;

  /// Returns true if a walk can follow a call of \p Definition.
  bool canEnter(const clang::FunctionDecl *Definition) const;

  /// A place that names a function.
  struct Mention {
    const clang::Expr *Ref; ///< Null if it is no expression.
    clang::SourceLocation Loc;
    /// True in the text of a template; its instances have mentions of their
    /// own.
    bool IsDependent;
  };
  /// Returns all places that name \p Function or another specialisation of its
  /// text.
  llvm::ArrayRef<Mention> mentionsOf(const clang::FunctionDecl *Function) const;

  clang::ASTContext &context() const { return Context; }

private:
  struct Body {
    llvm::SmallVector<const clang::FunctionDecl *, 4> Callees;
    bool HasBarrier = false, HasJump = false;
  };
  using MentionMap = llvm::DenseMap<const clang::FunctionDecl *,
                                    llvm::SmallVector<Mention, 4>>;

  /// Adds to \p Found the functions that \p Code calls, and whether it calls a
  /// barrier itself.
  static void collectCallees(const clang::Stmt *Code, Body &Found);
  const Body &bodyOf(const clang::FunctionDecl *Definition) const;
  static MentionMap collectMentions(const clang::ASTContext &Context);

  // Computed on demand: most files need none of it.
  clang::ASTContext &Context;
  std::function<bool(const clang::FunctionDecl *)> HasError;
  mutable llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<Body>>
      Bodies;
  mutable llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<Reached>>
      Closures;
  mutable std::optional<MentionMap> AllMentions;
};

/// The calls that all walks of one kernel have followed.
class CallRecord {
public:
  /// Notes that a walk enters a call, whose callee \p Ref names.
  void enter(const clang::Expr *Ref);

  /// Notes that a walk runs \p Body, called as \p Callee from \p Caller with
  /// \p Arrays as arguments. Returns the use that stands for all such calls.
  FunctionUseId call(const clang::DeclRefExpr *Callee,
                     const clang::FunctionDecl *Body,
                     llvm::ArrayRef<std::optional<ArrayId>> Arrays,
                     std::optional<FunctionUseId> Caller);

  /// Notes that \p Array is used while the functions \p Running run, outermost
  /// first.
  void use(ArrayId Array, llvm::ArrayRef<FunctionUseId> Running);

  /// Moves the uses to \p K, decides which of them need copies of functions,
  /// and refuses the arrays that are used in functions which something else may
  /// call and which cannot be copied.
  void finish(Kernel &K, const CallTable &Calls);

private:
  std::optional<Refusal> findOtherCaller(const clang::FunctionDecl *Function,
                                         const CallTable &Calls) const;
  bool servesOthers(FunctionUseId Id) const;
  void findCopies(const clang::ASTContext &Context);
  std::optional<Refusal> findRefusal(ArrayId Array, FunctionUseId Id,
                                     const clang::ASTContext &Context) const;

  llvm::DenseSet<const clang::Expr *> Entered;
  llvm::DenseSet<clang::SourceLocation> EnteredPlaces;
  std::vector<FunctionUse> Functions;
  /// Indexed by use: a caller of the function that no walk has followed.
  std::vector<std::optional<Refusal>> Others;
  llvm::MapVector<ArrayId, llvm::SetVector<FunctionUseId>> Uses;
};

} // namespace cudaopt

#endif // CUDAOPT_MODEL_CALLTABLE_H
