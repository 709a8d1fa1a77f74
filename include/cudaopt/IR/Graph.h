// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Specialises llvm::GraphTraits for the blocks of ir::Function, so that LLVM's
/// graph algorithms work on the IR: dominators, post-order, depth-first search.
///
///   ir::Dominators D(F);
///   if (D.dominates(A, B)) ...
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_IR_GRAPH_H
#define CUDAOPT_IR_GRAPH_H

#include "cudaopt/IR/Function.h"

#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GenericDomTree.h"
#include "llvm/Support/GenericDomTreeConstruction.h"

namespace cudaopt::ir {

/// Iterates over blocks by reference, through the pointers that own them.
using BlockIterator =
    llvm::pointee_iterator<const std::unique_ptr<Block> *, Block>;

} // namespace cudaopt::ir

template <> struct llvm::GraphTraits<cudaopt::ir::Block *> {
  using NodeRef = cudaopt::ir::Block *;
  using ChildIteratorType = llvm::SmallVectorImpl<NodeRef>::iterator;
  static NodeRef getEntryNode(NodeRef B) { return B; }
  static ChildIteratorType child_begin(NodeRef B) {
    return B->Successors.begin();
  }
  static ChildIteratorType child_end(NodeRef B) { return B->Successors.end(); }
};

template <> struct llvm::GraphTraits<llvm::Inverse<cudaopt::ir::Block *>> {
  using NodeRef = cudaopt::ir::Block *;
  using ChildIteratorType = llvm::SmallVectorImpl<NodeRef>::iterator;
  static NodeRef getEntryNode(llvm::Inverse<NodeRef> B) { return B.Graph; }
  static ChildIteratorType child_begin(NodeRef B) {
    return B->Predecessors.begin();
  }
  static ChildIteratorType child_end(NodeRef B) {
    return B->Predecessors.end();
  }
};

template <>
struct llvm::GraphTraits<cudaopt::ir::Function *>
    : llvm::GraphTraits<cudaopt::ir::Block *> {
  using nodes_iterator = llvm::pointer_iterator<cudaopt::ir::BlockIterator>;
  static NodeRef getEntryNode(cudaopt::ir::Function *F) { return F->entry(); }
  static nodes_iterator nodes_begin(cudaopt::ir::Function *F) {
    return nodes_iterator(cudaopt::ir::BlockIterator(F->blocks().begin()));
  }
  static nodes_iterator nodes_end(cudaopt::ir::Function *F) {
    return nodes_iterator(cudaopt::ir::BlockIterator(F->blocks().end()));
  }
  static unsigned size(cudaopt::ir::Function *F) {
    return static_cast<unsigned>(F->blocks().size());
  }
};

namespace cudaopt::ir {

/// The dominator tree of \p F. It does not change the function, although LLVM's
/// interface takes it without const.
class Dominators : public llvm::DomTreeBase<Block> {
public:
  explicit Dominators(Function &F) { recalculate(F); }
};

} // namespace cudaopt::ir

#endif // CUDAOPT_IR_GRAPH_H
