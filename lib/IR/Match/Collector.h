// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs an AST matcher and collects the nodes that it binds, each once, in the
/// order of the tree.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_IR_MATCH_COLLECTOR_H
#define CUDAOPT_LIB_IR_MATCH_COLLECTOR_H

#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "llvm/ADT/SetVector.h"

namespace cudaopt::ir {

/// The name by which matchers bind what they find.
inline constexpr llvm::StringLiteral Found = "found";

/// Returns every node that \p Wanted binds to the name Found and \p IsWanted
/// accepts.
template <class Node, class Matcher, class Accept>
std::vector<const Node *> collect(const Matcher &Wanted,
                                  clang::ASTContext &Context, Accept IsWanted) {
  struct Collector : clang::ast_matchers::MatchFinder::MatchCallback {
    explicit Collector(Accept &IsWanted) : IsWanted(IsWanted) {}
    void run(const clang::ast_matchers::MatchFinder::MatchResult &R) override {
      const auto *N = R.Nodes.getNodeAs<Node>(Found);
      if (N && IsWanted(*N))
        Nodes.insert(N);
    }
    Accept &IsWanted;
    llvm::SetVector<const Node *> Nodes;
  } Callback(IsWanted);
  clang::ast_matchers::MatchFinder Finder;
  Finder.addMatcher(Wanted, &Callback);
  Finder.matchAST(Context);
  return {Callback.Nodes.begin(), Callback.Nodes.end()};
}

} // namespace cudaopt::ir

#endif // CUDAOPT_LIB_IR_MATCH_COLLECTOR_H
