// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::chains: loops whose iterations have at most one location each that
/// is in conflict, which is one that several iterations access and one of them
/// writes. The iterations are sorted by that location, in their order within
/// it, and one thread runs all iterations of a location: no other thread needs
/// what they do. An execution takes as long as the longest chain, each of whose
/// iterations waits for its loads.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CHAINS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CHAINS_HPP

#include "cudaopt/levelize/detail/inspect/access_list.hpp"
#include "cudaopt/levelize/detail/strategies/chain_table.hpp"
#include "cudaopt/levelize/detail/strategies/chain_touches.hpp"
#include "cudaopt/levelize/detail/strategies/doall.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// Runs the chain that begins at position \p p; one iteration, if it has no
/// location in conflict.
template <class Word, class Loop>
__device__ void run_chain(const Loop &loop, const chain_view<Word> &chains,
                          index_t p) {
  direct_memory memory;
  const Word mine = chains.locations[p];
  do
    loop.body(index_t(chains.iterations[p]), memory);
  while (mine != chains.none && ++p < chains.size &&
         chains.locations[p] == mine);
}

/// The first warps have a long chain each, of which one lane runs it. Each
/// thread after them has a position, and runs the chain if a short one begins
/// there.
template <class Word, class Loop>
__global__ void __launch_bounds__(block_threads)
    run_chains(Loop loop, chain_view<Word> chains, index_t first) {
  index_t item = first + grid_thread();
  const index_t of_long = chains.number_long * warp_lanes;
  if (item < of_long) {
    if (item % warp_lanes == 0)
      run_chain(loop, chains, index_t(chains.long_chains[item / warp_lanes]));
    return;
  }
  const index_t p = item - of_long;
  if (p >= chains.size)
    return;
  const Word mine = chains.locations[p];
  if (mine != chains.none) {
    if (p > 0 && chains.locations[p - 1] == mine)
      return;
    if (p + long_chain < chains.size &&
        chains.locations[p + long_chain] == mine)
      return;
  }
  run_chain(loop, chains, p);
}

template <> struct on_device<strategy::chains> {
  struct state : plan_state {
    chain_table<std::uint32_t> table;
    chain_table<std::uint64_t> long_table; ///< Used instead for large loops.
    index_t locations = 0;

    std::size_t bytes() const override {
      return table.bytes() + long_table.bytes();
    }
  };

  template <class Loop>
  static constexpr bool applies = !is_self_indexing<Loop>::value;

  template <class Loop>
  static status inspect(inspection &in, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    auto made = std::make_unique<state>();
    made->locations = in.map.locations;
    const status s = is_narrow(in.iterations, in.map.locations)
                         ? make_table(in, loop, made->table)
                         : make_table(in, loop, made->long_table);
    if (s == status::ok)
      result = std::move(made);
    return s;
  }

  template <class Loop>
  static status execute(state &of, const Loop &loop, index_t iterations,
                        stream s) {
    if (is_narrow(iterations, of.locations))
      run(of.table, of.locations, loop, iterations, s);
    else
      run(of.long_table, of.locations, loop, iterations, s);
    return cudaGetLastError() == cudaSuccess ? status::ok : status::cuda_error;
  }

private:
  static bool is_narrow(index_t iterations, index_t locations) {
    return fits_word(iterations) && fits_word(locations);
  }

  template <class Loop, class Word>
  static status make_table(inspection &in, const Loop &loop,
                           chain_table<Word> &table) {
    status s = table.locations.allocate(in.memory, in.iterations);
    if (s == status::ok)
      s = table.iterations.allocate(in.memory, in.iterations);
    if (s == status::ok)
      s = find_chain_locations(in, loop, table.locations.data(),
                               table.iterations.data());
    if (s == status::ok)
      s = sort_pairs(in.memory, table.locations, table.iterations, 0,
                     bits_below(in.map.locations + 1));
    if (s == status::ok)
      s = list_long_chains(in, table, Word(in.map.locations));
    return s;
  }

  template <class Loop, class Word>
  static void run(const chain_table<Word> &table, index_t locations,
                  const Loop &loop, index_t iterations, stream s) {
    const chain_view<Word> view = view_of(table, Word(locations));
    for_each_item(iterations + table.number_long * warp_lanes,
                  [&](unsigned blocks, int threads, index_t first) {
                    run_chains<Word>
                        <<<blocks, threads, 0, s>>>(loop, view, first);
                  });
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_CHAINS_HPP
