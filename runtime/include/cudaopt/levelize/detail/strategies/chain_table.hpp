// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A table of what happens to each location, in the loop's order: iterations
/// (strategy::chains) or updates (strategy::ordered_reduction), sorted by
/// location. A chain is the run of entries with one location.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CHAIN_TABLE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CHAIN_TABLE_HPP

#include "cudaopt/levelize/detail/inspect/findings.hpp"
#include "cudaopt/levelize/detail/support/device_algorithms.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// Iterations, or numbers of accesses, sorted by their locations. Entries
/// without a location, which have one more than the last, come at the end.
template <class Word> struct chain_table {
  buffer<Word> locations, iterations;
  /// Positions where chains longer than long_chain begin.
  buffer<Word> long_chains;
  index_t number_long = 0;

  std::size_t bytes() const {
    return locations.bytes() + iterations.bytes() + long_chains.bytes();
  }
};

/// A longer chain gets a warp of its own; otherwise the other lanes would wait
/// until it ends.
constexpr index_t long_chain = 32;

/// Lists the positions of long chains, in no order. Chains of the location
/// \p none, whose entries do not depend on each other, do not count.
template <class Word>
__global__ void __launch_bounds__(block_threads)
    find_long_chains(const Word *locations, index_t iterations, Word none,
                     Word *long_chains, findings *found) {
  for (index_t p = grid_thread(); p + long_chain < iterations;
       p += grid_threads()) {
    const Word mine = locations[p];
    if (mine != none && (p == 0 || locations[p - 1] != mine) &&
        locations[p + long_chain] == mine)
      long_chains[atomicAdd(&found->count, 1ull)] = Word(p);
  }
}

/// A chain_table as kernels get it.
template <class Word> struct chain_view {
  const Word *locations, *iterations, *long_chains;
  index_t number_long, size;
  Word none;
};

template <class Word>
chain_view<Word> view_of(const chain_table<Word> &table, Word none) {
  return {table.locations.data(),   table.iterations.data(),
          table.long_chains.data(), table.number_long,
          table.locations.size(),   none};
}

/// Fills in long_chains and number_long of a sorted table. Waits for the
/// stream.
template <class Word>
status list_long_chains(inspection &in, chain_table<Word> &table, Word none) {
  findings_buffer found;
  status s = table.long_chains.allocate(
      in.memory, table.locations.size() / long_chain + 1);
  if (s == status::ok)
    s = found.allocate(in.memory);
  if (s != status::ok)
    return s;
  find_long_chains<<<blocks_for(find_long_chains<Word>, table.locations.size()),
                     block_threads, 0, in.memory.on()>>>(
      table.locations.data(), table.locations.size(), none,
      table.long_chains.data(), found.data());
  if (s = in.memory.check(cudaGetLastError()); s != status::ok)
    return s;
  findings seen;
  s = found.read(in.memory, seen);
  table.number_long = index_t(seen.count);
  return s;
}

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CHAIN_TABLE_HPP
