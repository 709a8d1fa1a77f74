// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Searches a part of the syntax tree for nodes of a kind, for questions that
/// are about the text: what it names, and where. What code *does* is read off
/// the IR (IR/Function.h).
///
/// \verbatim
///   for (const CallExpr *Call : nodesIn<CallExpr>(Function->getBody()))
///     ...
///   forEachNode(Body, [&](const DynTypedNode &N) {
///     if (const auto *Ref = N.get<DeclRefExpr>())
///       ...
///     else if (const auto *Type = N.get<TypedefTypeLoc>())
///       ...
///   });
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SUPPORT_NODES_H
#define CUDAOPT_SUPPORT_NODES_H

#include "clang/AST/ASTTypeTraits.h"
#include "clang/AST/DeclBase.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <type_traits>
#include <vector>

namespace cudaopt {

/// What a search visits beside the code that the user wrote.
struct NodeScope {
  bool Implicit =
      false; ///< Code that the compiler adds, as a copy constructor.
  bool Instances = false; ///< Instances of the templates that are declared.
};

/// The nodes that contain a node, outermost first, with template arguments
/// (TemplateArgumentLoc) among them.
using NodePath = llvm::ArrayRef<clang::DynTypedNode>;

/// Calls \p Visit for each statement, expression, declaration and type location
/// in \p Root, itself included, with the nodes around it, in the order of the
/// text, outer nodes first. Where \p Visit returns false, the search does not
/// go into the node. \p Root may be null, and \p Scope may widen the search.
///
/// \verbatim
///   // References in lambdas, but not those in operands of sizeof:
///   walkNodes(Body, [&](const DynTypedNode &N, NodePath Around) {
///     if (N.get<DeclRefExpr>() && llvm::any_of(Around, isLambda))
///       ...
///     return !isSizeof(N);
///   });
/// \endverbatim
void walkNodes(
    const clang::Stmt *Root,
    llvm::function_ref<bool(const clang::DynTypedNode &, NodePath)> Visit,
    NodeScope Scope = {});
void walkNodes(
    const clang::Decl *Root,
    llvm::function_ref<bool(const clang::DynTypedNode &, NodePath)> Visit,
    NodeScope Scope = {});

/// The same for all nodes of \p Root, a statement or a declaration, whatever is
/// around them.
template <typename Part>
void forEachNode(const Part *Root,
                 llvm::function_ref<void(const clang::DynTypedNode &)> Visit,
                 NodeScope Scope = {}) {
  walkNodes(
      Root,
      [&](const clang::DynTypedNode &N, NodePath) {
        Visit(N);
        return true;
      },
      Scope);
}

/// Returns the nodes of the class \p Node, a statement or a declaration, in \p
/// Root, a statement or a declaration, as forEachNode() visits them.
template <typename Node, typename Part>
std::vector<const Node *> nodesIn(const Part *Root, NodeScope Scope = {}) {
  static_assert(std::is_base_of_v<clang::Stmt, Node> ||
                std::is_base_of_v<clang::Decl, Node>);
  std::vector<const Node *> Found;
  forEachNode(
      Root,
      [&](const clang::DynTypedNode &N) {
        if (const auto *Each = N.get<Node>())
          Found.push_back(Each);
      },
      Scope);
  return Found;
}

/// Returns the type that \p N names by a typedef, a using-declaration or the
/// name of a class or an enumeration; null if it is no such type location.
const clang::NamedDecl *findNamedType(const clang::DynTypedNode &N);

} // namespace cudaopt

#endif // CUDAOPT_SUPPORT_NODES_H
