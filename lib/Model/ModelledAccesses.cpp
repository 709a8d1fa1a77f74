// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Strips expressions to the subscripts that the model knows.
//===----------------------------------------------------------------------===//

#include "ModelledAccesses.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace cudaopt {

ModelledAccesses::ModelledAccesses(const KernelInstance &Instance)
    : Context(Instance.Decl->getASTContext()) {
  for (const Access &A : Instance.Accesses)
    ByRef[{A.Ref, A.Path}].push_back(&A);
}

ModelledAccesses::List ModelledAccesses::find(const Expr *Ref,
                                              ir::CallPathId Path) const {
  const auto Known = ByRef.find({Ref, Path});
  return Known == ByRef.end() ? List() : Known->second;
}

/// The node of an operation may be a member of the element: `a[i].x`.
ModelledAccesses::List ModelledAccesses::find(const ir::Operation &O) const {
  const auto *E = dyn_cast_or_null<Expr>(O.Where.Node);
  if (!E)
    return {};
  E = E->IgnoreParens();
  while (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (Member->isArrow())
      return {};
    E = Member->getBase()->IgnoreParenNoopCasts(Context);
  }
  return find(E, O.Where.Path);
}

ModelledAccesses::List
ModelledAccesses::findArgument(const Expr *Argument,
                               ir::CallPathId Path) const {
  const Expr *E = Argument->IgnoreParenImpCasts();
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    E = Op->getSubExpr()->IgnoreParens();
  return find(E, Path);
}

} // namespace cudaopt
