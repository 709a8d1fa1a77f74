// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Finds the order of a sequence of statements in which the fewest bytes of
/// variables are live at a time, by exact search. A variable is live from its
/// first to its last use. This is a small instance of scheduling for minimal
/// memory, without any knowledge of the language.
///
/// \verbatim
///   P.Before = {0, 0, 1 << 0, 1 << 1};      // 2 after 0, 3 after 1
///   P.Variables = {{64, 0b0101}, {64, 0b1010}};
///   findBestOrder(P)    Statements {0, 2, 1, 3}, Bytes 64
/// \endverbatim
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LIB_PASSES_ORDER_STATEMENTORDER_H
#define CUDAOPT_LIB_PASSES_ORDER_STATEMENTORDER_H

#include <cstdint>
#include <vector>

namespace cudaopt {

struct OrderProblem {
  static constexpr unsigned MaxStatements = 20;

  struct Variable {
    uint64_t Bytes = 0;
    uint32_t Users = 0; ///< The statements that use it, as bits.
  };
  /// By statement: the statements that must come before it, as bits.
  std::vector<uint32_t> Before;
  std::vector<Variable> Variables;

  unsigned size() const { return Before.size(); }
};

struct StatementOrder {
  std::vector<unsigned> Statements;
  uint64_t Bytes = 0; ///< The greatest number of bytes that are live at a time.
};

/// Returns the order of the fewest bytes; among several, the one that moves
/// statements least. \p P has at most OrderProblem::MaxStatements statements:
/// time and memory grow with two to their number.
StatementOrder findBestOrder(const OrderProblem &P);

/// Returns the order of the source, with its bytes.
StatementOrder measureSourceOrder(const OrderProblem &P);

} // namespace cudaopt

#endif // CUDAOPT_LIB_PASSES_ORDER_STATEMENTORDER_H
