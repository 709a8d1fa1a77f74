// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the functions do that a loop calls. Their bodies are part of the loop's
/// function in the IR; operations know the calls that lead to them.
//===----------------------------------------------------------------------===//

#include "cudaopt/HostLoops/LoopView.h"

#include "clang/AST/DeclCXX.h"

using namespace cudaopt;
using namespace llvm;

void LoopView::collectArguments() {
  for (const std::unique_ptr<ir::Block> &B : F->blocks())
    for (const ir::VariableUse &U : B->Uses) {
      // A reference that is returned is a temporary.
      const ir::Object &Variable = F->object(U.Variable);
      if (!U.IsStore || U.Where.Path == 0 ||
          !isa_and_nonnull<clang::ParmVarDecl>(Variable.Decl) ||
          !Variable.SourceType->isReferenceType())
        continue;
      const auto Calls = F->callsOf(U.Where.Path);
      if (Calls.size() == 1)
        if (const clang::Expr *Key = getAccessKey(U.Where.Node))
          Arguments[{Calls[0], U.Held}] = Key;
    }
}

/// The argument of a call of the loop's text through which \p O, of a callee,
/// reads; null if it does something else.
const clang::Expr *LoopView::argumentOf(const ir::Operation &O) const {
  if (O.What != ir::Operation::Load || O.Where.Path == 0)
    return nullptr;
  return Arguments.lookup({F->callsOf(O.Where.Path)[0], O.Address});
}

/// True for the variables and temporaries of callees, and for constants.
bool LoopView::isCalleesOwn(ir::ValueId Address, bool IsRead) const {
  return all_of(F->rootsOf(Address), [&](ir::ObjectId Root) {
    const ir::Object &O = F->object(Root);
    switch (O.What) {
    case ir::Object::Temporary:
      return true;
    case ir::Object::Local:
      return O.Decl && O.Decl->getDeclContext() !=
                           static_cast<const clang::DeclContext *>(F->decl());
    case ir::Object::Constant:
      return IsRead;
    case ir::Object::Global: {
      const auto *V = dyn_cast_or_null<clang::VarDecl>(O.Decl);
      return IsRead && V && V->isConstexpr();
    }
    default:
      return false;
    }
  });
}

/// True if \p O, of a callee, does more than compute.
bool LoopView::isEffect(const ir::Operation &O) const {
  switch (O.What) {
  case ir::Operation::Load:
    return O.IsVolatile || !isCalleesOwn(O.Address, /*IsRead=*/true);
  case ir::Operation::Store:
    return O.IsVolatile || !isCalleesOwn(O.Address, /*IsRead=*/false);
  case ir::Operation::Copy:
    return O.IsVolatile || !isCalleesOwn(O.Address, /*IsRead=*/false) ||
           !isCalleesOwn(O.Stored, /*IsRead=*/true);
  default:
    return true;
  }
}

const ir::Operation *LoopView::findEffect(const clang::CallExpr *Call) const {
  for (const std::unique_ptr<ir::Block> &B : F->blocks())
    for (const ir::Operation &O : B->Operations) {
      const auto Calls = F->callsOf(O.Where.Path);
      const bool IsOpaque =
          O.What == ir::Operation::Opaque && O.Where.Node == Call;
      const bool IsCallees = !Calls.empty() && Calls[0] == Call;
      if (IsOpaque || (IsCallees && !argumentOf(O) && isEffect(O)))
        return &O;
    }
  return nullptr;
}

const clang::Stmt *LoopView::textOf(const ir::Operation &O) const {
  const auto Calls = F->callsOf(O.Where.Path);
  return Calls.empty() ? O.Where.Node : Calls.front();
}

const clang::FunctionDecl *LoopView::functionOf(const ir::Operation &O) const {
  const auto Calls = F->callsOf(O.Where.Path);
  const auto *Call =
      Calls.empty() ? nullptr : dyn_cast<clang::CallExpr>(Calls.back());
  return Call ? Call->getDirectCallee() : nullptr;
}
