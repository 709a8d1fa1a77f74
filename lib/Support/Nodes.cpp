// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Implements the search by clang's visitor.
//===----------------------------------------------------------------------===//

#include "cudaopt/Support/Nodes.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using cudaopt::NodePath;
using Callback = llvm::function_ref<bool(const DynTypedNode &, NodePath)>;

namespace {

/// Keeps the path from the root. A node joins it when it is visited and leaves
/// it when its traversal ends.
class NodeVisitor : public DynamicRecursiveASTVisitor {
public:
  NodeVisitor(Callback Visit, cudaopt::NodeScope Scope) : Visit(Visit) {
    ShouldVisitImplicitCode = Scope.Implicit;
    ShouldVisitTemplateInstantiations = Scope.Instances;
  }
  bool TraverseStmt(Stmt *S) override {
    return enter([&] { return DynamicRecursiveASTVisitor::TraverseStmt(S); });
  }
  bool TraverseDecl(Decl *D) override {
    return enter([&] { return DynamicRecursiveASTVisitor::TraverseDecl(D); });
  }
  bool TraverseTypeLoc(TypeLoc TL, bool TraverseQualifier) override {
    return enter([&] {
      return DynamicRecursiveASTVisitor::TraverseTypeLoc(TL, TraverseQualifier);
    });
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &A) override {
    return enter([&] {
      Path.push_back(DynTypedNode::create(A));
      return DynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(A);
    });
  }
  bool VisitStmt(Stmt *S) override { return visit(DynTypedNode::create(*S)); }
  bool VisitDecl(Decl *D) override { return visit(DynTypedNode::create(*D)); }
  bool VisitTypeLoc(TypeLoc TL) override {
    return visit(DynTypedNode::create(TL));
  }

private:
  template <typename Function> bool enter(Function Traverse) {
    if (IsSkipped)
      return true;
    llvm::SaveAndRestore<size_t> Inside(Depth, Path.size());
    const bool GoesOn = Traverse();
    Path.truncate(Depth);
    IsSkipped = false;
    return GoesOn;
  }
  bool visit(const DynTypedNode &N) {
    // The two forms of a list of initialisers are visited in one traversal.
    Path.truncate(Depth);
    IsSkipped = !Visit(N, Path);
    Path.push_back(N);
    return true;
  }

  Callback Visit;
  llvm::SmallVector<DynTypedNode, 32> Path;
  size_t Depth = 0; ///< The length of the path to the node being traversed.
  bool IsSkipped = false; ///< The search does not go into the last node.
};

} // namespace

void cudaopt::walkNodes(const Stmt *Root, Callback Visit, NodeScope Scope) {
  NodeVisitor(Visit, Scope).TraverseStmt(const_cast<Stmt *>(Root));
}

void cudaopt::walkNodes(const Decl *Root, Callback Visit, NodeScope Scope) {
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
