// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Sets of strategies, by which a loop limits what is compiled for it.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_STRATEGY_SET_HPP
#define CUDAOPT_LEVELIZE_STRATEGY_SET_HPP

#include "cudaopt/levelize/status.hpp"

namespace cudaopt {

/// A set of strategies. A loop may name those that are compiled for it; without
/// that all are, which takes a compiler long. The others are
/// status::unsupported for the loop; strategy::sequential on the CPU always
/// exists.
///
/// \code{.cpp}
/// struct lean_scatter : scatter {
///   static constexpr auto strategies = cudaopt::strategy_set(
///       cudaopt::strategy::doall, cudaopt::strategy::tickets,
///       cudaopt::strategy::sequential);
/// };
/// \endcode
class strategy_set {
public:
  /// Makes the set of the strategies \p s, none of which is
  /// strategy::automatic.
  template <class... S>
  constexpr explicit strategy_set(S... s)
      : bits_((0u | ... | (1u << unsigned(s)))) {}
  /// Returns the set of all strategies.
  static constexpr strategy_set all() {
    strategy_set set;
    set.bits_ = ~0u;
    return set;
  }
  /// Returns true if \p s is in the set.
  constexpr bool contains(strategy s) const { return bits_ >> unsigned(s) & 1; }
  /// Adds \p s to the set.
  constexpr void insert(strategy s) { bits_ |= 1u << unsigned(s); }

private:
  unsigned bits_;
};

} // namespace cudaopt

#endif // CUDAOPT_LEVELIZE_STRATEGY_SET_HPP
