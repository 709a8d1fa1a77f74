// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds references inside of lambdas, local classes, `decltype`, `alignof` and
/// constant expressions.
//===----------------------------------------------------------------------===//

#include "SpecialUses.h"
#include "cudaopt/Support/Nodes.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudaopt {

static bool isConstant(const DynTypedNode &N) {
  if (const auto *Argument = N.get<TemplateArgumentLoc>())
    return Argument->getArgument().getKind() == TemplateArgument::Expression;
  const auto *Var = N.get<VarDecl>();
  return N.get<ConstantExpr>() || (Var && Var->isConstexpr());
}

/// Returns true for code that sees a reference as something else than the
/// variable: it captures it, or asks for its type or its alignment.
static bool seesReference(const DynTypedNode &N) {
  return N.get<LambdaExpr>() || N.get<CXXRecordDecl>() ||
         N.get<DecltypeTypeLoc>() || N.get<UnaryExprOrTypeTraitExpr>();
}

SpecialUses findSpecialUses(llvm::ArrayRef<const FunctionDecl *> Functions) {
  SpecialUses Found;
  auto visit = [&](const DynTypedNode &N, NodePath Around) {
    if (const auto *Ref = N.get<DeclRefExpr>()) {
      if (llvm::any_of(Around, isConstant))
        Found.InConstants.push_back(Ref);
      else if (llvm::any_of(Around, seesReference))
        Found.ByMember.push_back(Ref);
    }
    // sizeof of a reference is that of the object; alignof of one loses the
    // alignment that the variable asks for.
    const auto *Trait = N.get<UnaryExprOrTypeTraitExpr>();
    return !Trait ||
           (Trait->getKind() != UETT_SizeOf && !Trait->isArgumentType());
  };
  for (const FunctionDecl *Function : Functions)
    walkNodes(Function->getBody(), visit, {.Instances = true});
  return Found;
}

} // namespace cudaopt
