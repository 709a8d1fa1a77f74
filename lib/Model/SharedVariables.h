// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The `__shared__` variables that a block of one kernel has, and the functions
/// that mention them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_MODEL_SHAREDVARIABLES_H
#define CUDAOPT_LIB_MODEL_SHAREDVARIABLES_H

#include "cudaopt/Model/CallTable.h"
#include "cudaopt/Model/SharedProgram.h"

#include "clang/AST/ExprCXX.h"

namespace cudaopt {

/// A set of variables, indexed by VariableId.
using TargetSet = llvm::BitVector;

/// Returns the user's function, with a body, that a call or a construction
/// runs; null for functions of the toolkit, and where no body is seen.
const clang::FunctionDecl *findUserBody(const clang::Expr *Call,
                                        const clang::ASTContext &Context);

/// Fills in the variables of a SharedProgram and finds them by declaration.
class SharedVariables {
public:
  /// Fills in \p P.Variables and P.DynamicBytes.
  SharedVariables(const Kernel &K, const KernelInstance &Instance,
                  const CallTable &Calls, SharedProgram &P);

  std::optional<VariableId> find(const clang::ValueDecl *D) const;
  size_t size() const { return P.Variables.size(); }
  TargetSet none() const { return TargetSet(P.Variables.size()); }
  TargetSet all() const { return TargetSet(P.Variables.size(), true); }

  /// Returns the variables that \p Function and all functions it calls mention.
  const TargetSet &mentionedFrom(const clang::FunctionDecl *Function) const;
  /// Returns the variables that bodies of lambdas and of local classes mention,
  /// in \p Function and all functions it calls: pointers and objects lead to
  /// this code.
  TargetSet mentionedInClosures(const clang::FunctionDecl *Function) const;
  /// Returns the variables whose addresses initialise static variables there.
  TargetSet mentionedInStatics(const clang::FunctionDecl *Function) const;
  /// Notes that \p Targets may not share their bytes, for the first reason
  /// given.
  void pin(const TargetSet &Targets, Reason Why, std::string Detail,
           clang::SourceLocation Loc) const;

  const CallTable &calls() const { return Calls; }
  clang::ASTContext &context() const { return Calls.context(); }

private:
  TargetSet idsOf(llvm::ArrayRef<const clang::VarDecl *> Variables) const;
  template <typename Accept>
  TargetSet mentionedWhere(const clang::FunctionDecl *Function,
                           Accept CodeOf) const;
  void add(const Kernel &K, const KernelInstance &Instance,
           const clang::VarDecl *Var);

  const CallTable &Calls;
  SharedProgram &P;
  llvm::DenseMap<const clang::VarDecl *, VariableId> Ids;
  mutable llvm::DenseMap<const clang::FunctionDecl *,
                         std::unique_ptr<TargetSet>>
      Mentioned;
};

} // namespace cudaopt

#endif // CUDAOPT_LIB_MODEL_SHAREDVARIABLES_H
