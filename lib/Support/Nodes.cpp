// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements the search by clang's visitor.
//===----------------------------------------------------------------------===//

#include "cudaopt/Support/Nodes.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;
using Callback = llvm::function_ref<void(const DynTypedNode &)>;

namespace {

class NodeVisitor : public DynamicRecursiveASTVisitor {
public:
  NodeVisitor(Callback Visit, cudaopt::NodeScope Scope) : Visit(Visit) {
    ShouldVisitImplicitCode = Scope.Implicit;
    ShouldVisitTemplateInstantiations = Scope.Instances;
  }
  bool VisitStmt(Stmt *S) override {
    Visit(DynTypedNode::create(*S));
    return true;
  }
  bool VisitDecl(Decl *D) override {
    Visit(DynTypedNode::create(*D));
    return true;
  }
  bool VisitTypeLoc(TypeLoc TL) override {
    Visit(DynTypedNode::create(TL));
    return true;
  }

private:
  Callback Visit;
};

} // namespace

void cudaopt::forEachNode(const Stmt *Root, Callback Visit, NodeScope Scope) {
  NodeVisitor(Visit, Scope).TraverseStmt(const_cast<Stmt *>(Root));
}

void cudaopt::forEachNode(const Decl *Root, Callback Visit, NodeScope Scope) {
  NodeVisitor(Visit, Scope).TraverseDecl(const_cast<Decl *>(Root));
}

const NamedDecl *cudaopt::findNamedType(const DynTypedNode &N) {
  if (const auto *Loc = N.get<TypedefTypeLoc>())
    return Loc->getDecl();
  if (const auto *Loc = N.get<UsingTypeLoc>())
    return Loc->getDecl();
  if (const auto *Loc = N.get<TagTypeLoc>())
    return Loc->getDecl();
  return nullptr;
}
