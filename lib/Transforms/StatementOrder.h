// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The order of a sequence of statements in which the fewest bytes of variables
/// live at a time; a variable lives from its first to its last mention.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_TRANSFORMS_STATEMENTORDER_H
#define CUDAOPT_LIB_TRANSFORMS_STATEMENTORDER_H

#include <cstdint>
#include <vector>

namespace cudaopt {

struct OrderProblem {
  static constexpr unsigned MaxStatements = 20;

  struct Variable {
    uint64_t Bytes = 0;
    uint32_t Users = 0; ///< Statements that mention it.
  };
  /// By statement: those that must come before it, as bits.
  std::vector<uint32_t> Before;
  std::vector<Variable> Variables;

  unsigned size() const { return Before.size(); }
};

struct StatementOrder {
  std::vector<unsigned> Statements;
  uint64_t Bytes = 0; ///< The most that live at a time.
};

/// Searches all orders, of at most OrderProblem::MaxStatements statements; of
/// those with the fewest bytes it returns the one that moves statements least.
StatementOrder findBestOrder(const OrderProblem &P);

/// The statements as they stand.
StatementOrder measureSourceOrder(const OrderProblem &P);

} // namespace cudaopt

#endif // CUDAOPT_LIB_TRANSFORMS_STATEMENTORDER_H
