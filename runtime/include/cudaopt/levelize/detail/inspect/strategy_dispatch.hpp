// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The strategies that are compiled for a loop, with_strategy(), which turns a
/// strategy's value into a type, and lists of strategies.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_INSPECT_STRATEGY_DISPATCH_HPP
#define CUDAOPT_LEVELIZE_DETAIL_INSPECT_STRATEGY_DISPATCH_HPP

#include "cudaopt/levelize/strategy_set.hpp"

#include <type_traits>

namespace cudaopt::detail {

template <strategy S>
using strategy_constant = std::integral_constant<strategy, S>;

/// The strategies that are compiled for \p Loop.
template <class Loop, class = void> struct considered {
  static constexpr strategy_set value = strategy_set::all();
};
template <class Loop>
struct considered<Loop, std::void_t<decltype(Loop::strategies)>> {
  static constexpr strategy_set value = Loop::strategies;
};

/// Returns `call(strategy_constant<S>{})` for the S that \p s is;
/// status::unsupported for strategy::automatic and values beyond the last.
template <int S = 1, class Call> status with_strategy(strategy s, Call &&call) {
  if constexpr (S < num_strategies) {
    if (int(s) == S)
      return call(strategy_constant<strategy(S)>{});
    return with_strategy<S + 1>(s, call);
  } else {
    return status::unsupported;
  }
}

/// Strategies in the order in which they are tried.
struct strategy_list {
  strategy items[num_strategies] = {};
  int count = 0;

  void add(strategy s) {
    if (!contains(s))
      items[count++] = s;
  }
  bool contains(strategy s) const {
    for (int k = 0; k < count; ++k)
      if (items[k] == s)
        return true;
    return false;
  }
  const strategy *begin() const { return items; }
  const strategy *end() const { return items + count; }
};

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_INSPECT_STRATEGY_DISPATCH_HPP
