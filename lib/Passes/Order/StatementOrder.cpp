// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Dynamic programming over sets of statements (as Held and Karp). Which bytes
/// are live while a statement runs depends only on the set of the statements
/// that ran before, not on their order; so the best order of each set extends
/// the best order of a set with one statement less.
//===----------------------------------------------------------------------===//

#include "StatementOrder.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

using namespace cudaopt;

namespace {

/// The best order of a set of statements, as far as it is needed.
struct Way {
  /// The most bytes that are live at a time; the maximum if there is no order.
  uint64_t Bytes = std::numeric_limits<uint64_t>::max();
  uint32_t Moves = 0; ///< The distances of statements from their old positions.
  uint32_t Last = 0;  ///< The last statement of the order.

  bool operator<(const Way &Other) const {
    return Bytes != Other.Bytes ? Bytes < Other.Bytes : Moves < Other.Moves;
  }
};

} // namespace

/// Returns the bytes that are live while \p Next runs after the statements of
/// \p Done: of the variables that Next uses, or that are used both before and
/// after it.
static uint64_t countBytes(const OrderProblem &P, uint32_t Done,
                           unsigned Next) {
  const uint32_t Now = 1u << Next;
  uint64_t Bytes = 0;
  for (const OrderProblem::Variable &V : P.Variables)
    if ((V.Users & Now) || ((V.Users & Done) && (V.Users & ~(Done | Now))))
      Bytes += V.Bytes;
  return Bytes;
}

StatementOrder cudaopt::measureSourceOrder(const OrderProblem &P) {
  StatementOrder Order;
  for (unsigned I = 0; I != P.size(); ++I) {
    Order.Statements.push_back(I);
    Order.Bytes = std::max(Order.Bytes, countBytes(P, (1u << I) - 1, I));
  }
  return Order;
}

StatementOrder cudaopt::findBestOrder(const OrderProblem &P) {
  assert(P.size() <= OrderProblem::MaxStatements && "too many sets");
  const uint32_t All = (1u << P.size()) - 1;
  std::vector<Way> Ways(size_t(All) + 1);
  Ways[0].Bytes = 0;
  for (uint32_t Done = 0; Done != All; ++Done) {
    const Way Here = Ways[Done];
    if (Here.Bytes == std::numeric_limits<uint64_t>::max())
      continue;
    const unsigned Place = std::popcount(Done);
    for (unsigned Next = 0; Next != P.size(); ++Next) {
      if ((Done >> Next & 1) || (P.Before[Next] & ~Done))
        continue;
      Way New = {std::max(Here.Bytes, countBytes(P, Done, Next)),
                 Here.Moves + (Next > Place ? Next - Place : Place - Next),
                 Next};
      Way &Known = Ways[Done | 1u << Next];
      if (New < Known)
        Known = New;
    }
  }
  StatementOrder Order;
  Order.Bytes = Ways[All].Bytes;
  for (uint32_t Done = All; Done; Done &= ~(1u << Ways[Done].Last))
    Order.Statements.push_back(Ways[Done].Last);
  std::reverse(Order.Statements.begin(), Order.Statements.end());
  return Order;
}
